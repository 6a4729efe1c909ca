/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.metrics.BackgroundWork;
import org.rocksdbffm.internal.metrics.BlobFigures;
import org.rocksdbffm.internal.metrics.CacheFigures;
import org.rocksdbffm.internal.metrics.CacheText;
import org.rocksdbffm.internal.metrics.FamilyFigures;
import org.rocksdbffm.internal.metrics.MemoryUse;
import org.rocksdbffm.metrics.BlobReport;
import org.rocksdbffm.metrics.CacheReport;
import org.rocksdbffm.metrics.CacheReport.Role;
import org.rocksdbffm.metrics.CacheReport.Share;
import org.rocksdbffm.metrics.CacheUse;
import org.rocksdbffm.metrics.DatabaseHealth;
import org.rocksdbffm.metrics.FamilyReport;
import org.rocksdbffm.metrics.MemoryReport;
import org.rocksdbffm.metrics.Statistics;
import org.rocksdbffm.metrics.StatisticsLevel;

/** Makes reports of the engine's raw figures. */
final class Figures {
  private static final WriteOptions AT_ONCE = WriteOptions.defaults().noSlowdown(true);
  private static final double WHOLE = 100;

  private Figures() {}

  static Statistics statistics(NativeFamily any) {
    String text = any.property("rocksdb.options-statistics");
    if (text == null) {
      throw new IllegalStateException(
          any.database().handle() + " counts nothing: open it with DatabaseOptions.statistics(StatisticsLevel.TICKERS) or more");
    }
    return Statistics.parse(text);
  }

  static DatabaseHealth health(KeySpace defaults, NativeFamily any, List<NativeFamily> families) {
    Optional<RocksDbException> failure = tryToWrite(defaults);
    boolean waits = failure.filter(its -> its.code() == RocksDbException.Code.INCOMPLETE).isPresent();
    BackgroundWork work = BackgroundWork.of(any, families);
    return new DatabaseHealth(
        waits ? Optional.empty() : failure,
        waits || work.stopped(),
        ByteSize.bytes(work.delayedRate()),
        work.errors(),
        work.flushes(),
        work.compactions(),
        work.fullMemtables(),
        ByteSize.bytes(work.debt()));
  }

  /** The engine has no property that says whether it refuses writes, but refuses one that writes nothing, too. */
  private static Optional<RocksDbException> tryToWrite(KeySpace defaults) {
    try {
      defaults.with(AT_ONCE).write(new WriteBatch(ByteSize.bytes(0)));
      return Optional.empty();
    } catch (RocksDbException e) {
      return Optional.of(e);
    }
  }

  static MemoryReport memory(List<NativeFamily> families, long pinned) {
    MemoryUse use = MemoryUse.of(families);
    return new MemoryReport(
        ByteSize.bytes(use.memtables()),
        ByteSize.bytes(use.unflushed()),
        ByteSize.bytes(use.tableReaders()),
        ByteSize.bytes(use.caches()),
        ByteSize.bytes(use.pinnedInCaches()),
        ByteSize.bytes(pinned));
  }

  static FamilyReport family(FamilyFigures figures) {
    return new FamilyReport(
        figures.name(),
        figures.keys(),
        ByteSize.bytes(figures.liveData()),
        ByteSize.bytes(figures.tables()),
        ByteSize.bytes(figures.tablesOnDisk()),
        ByteSize.bytes(figures.debt()),
        ByteSize.bytes(figures.memtables()),
        figures.entries(),
        figures.deletions(),
        blobs(figures.blobs()),
        figures.blockCache().map(Figures::use),
        figures.blobCache().map(Figures::use));
  }

  private static BlobReport blobs(BlobFigures figures) {
    return new BlobReport(
        figures.files(),
        ByteSize.bytes(figures.size()),
        ByteSize.bytes(figures.garbage()),
        ByteSize.bytes(figures.onDisk()));
  }

  private static CacheUse use(CacheFigures figures) {
    return new CacheUse(
        ByteSize.bytes(figures.capacity()), ByteSize.bytes(figures.used()), ByteSize.bytes(figures.pinned()));
  }

  /** A report of each cache: the first that a family has of it. */
  static List<CacheReport> caches(List<Optional<CacheText>> ofFamilies) {
    Map<String, CacheReport> byName = new LinkedHashMap<>();
    ofFamilies.stream().flatMap(Optional::stream).forEach(text -> byName.putIfAbsent(text.id(), cache(text)));
    return List.copyOf(byName.values());
  }

  static CacheReport cache(CacheText text) {
    Map<Role, Share> shares = new EnumMap<>(Role.class);
    text.entries().forEach(entry -> shares.merge(Role.of(entry.role()), share(entry, text.capacity()), Share::plus));
    return new CacheReport(
        text.id(), ByteSize.bytes(text.capacity()), shares, text.scans(), text.scanTook(), text.age());
  }

  private static Share share(CacheText.Entry entry, long capacity) {
    double percent = entry.percent();
    // A cache without room has no percentage; then only the engine's rounded text has the size.
    boolean exact = capacity > 0 && Double.isFinite(percent);
    long size = exact ? Math.round(percent / WHOLE * capacity) : entry.roundedSize();
    return new Share(entry.count(), ByteSize.bytes(Math.max(0, size)), exact ? percent : 0);
  }
}
