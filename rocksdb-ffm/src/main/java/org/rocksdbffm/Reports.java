/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.reports.CacheText;
import org.rocksdbffm.reports.BlobReport;
import org.rocksdbffm.reports.CacheReport;
import org.rocksdbffm.reports.CacheReport.Role;
import org.rocksdbffm.reports.CacheReport.Share;
import org.rocksdbffm.reports.CacheUse;
import org.rocksdbffm.reports.DatabaseHealth;
import org.rocksdbffm.reports.FamilyReport;
import org.rocksdbffm.reports.MemoryReport;
import org.rocksdbffm.reports.Statistics;
import org.rocksdbffm.reports.StatisticsLevel;

/** Creates reports from the engine's properties. */
final class Reports {
  private static final WriteOptions AT_ONCE = WriteOptions.defaults().noSlowdown(true);
  private static final double WHOLE = 100;

  private Reports() {}

  static Statistics statistics(NativeFamily any) {
    String text = any.property("rocksdb.options-statistics");
    if (text == null) {
      throw new IllegalStateException(
          any.database().handle() + " counts nothing: open it with DatabaseOptions.statistics(StatisticsLevel.TICKERS) or more");
    }
    return Statistics.parse(text);
  }

  /** Families that are closed concurrently are ignored. */
  static DatabaseHealth health(KeySpace defaults, NativeFamily any, List<NativeFamily> families) {
    Optional<RocksDbException> failure = tryToWrite(defaults);
    boolean waits = failure.filter(exception -> exception.code() == RocksDbException.Code.INCOMPLETE).isPresent();
    return new DatabaseHealth(
        waits ? Optional.empty() : failure,
        waits || askIfOpen(any, "is-write-stopped") != 0,
        ByteSize.bytes(askIfOpen(any, "actual-delayed-write-rate")),
        askIfOpen(any, "background-errors"),
        askIfOpen(any, "num-running-flushes"),
        askIfOpen(any, "num-running-compactions"),
        sum(families, "num-immutable-mem-table"),
        ByteSize.bytes(sum(families, "estimate-pending-compaction-bytes")));
  }

  private static long sum(Collection<NativeFamily> families, String property) {
    return families.stream().mapToLong(family -> askIfOpen(family, property)).sum();
  }

  /** Returns 0 if the family is closed, or the property is missing, as with a table format without block cache. */
  private static long askIfOpen(NativeFamily family, String property) {
    try {
      return ask(family, property);
    } catch (IllegalStateException closed) {
      family.database().requireOpen();
      return 0;
    }
  }

  private static long ask(NativeFamily family, String property) {
    return Math.max(0, family.longProperty("rocksdb." + property).orElse(0));
  }

  private static ByteSize size(NativeFamily family, String property) {
    return ByteSize.bytes(ask(family, property));
  }

  /** Makes an empty write: no property says whether the engine refuses writes, but it refuses an empty one too. */
  private static Optional<RocksDbException> tryToWrite(KeySpace defaults) {
    try {
      defaults.with(AT_ONCE).write(new WriteBatch(ByteSize.bytes(0)));
      return Optional.empty();
    } catch (RocksDbException e) {
      return Optional.of(e);
    }
  }

  /** Counts a block cache that families share once. */
  static MemoryReport memory(List<NativeFamily> families, long pinned) {
    Map<Object, NativeFamily> byCache = new HashMap<>();
    families.forEach(family -> byCache.putIfAbsent(family.cacheIdentity(), family));
    return new MemoryReport(
        ByteSize.bytes(sum(families, "size-all-mem-tables")),
        ByteSize.bytes(sum(families, "cur-size-all-mem-tables")),
        ByteSize.bytes(sum(families, "estimate-table-readers-mem")),
        ByteSize.bytes(sum(byCache.values(), "block-cache-usage")),
        ByteSize.bytes(sum(byCache.values(), "block-cache-pinned-usage")),
        ByteSize.bytes(pinned));
  }

  static FamilyReport family(NativeFamily family) {
    return new FamilyReport(
        family.name(),
        ask(family, "estimate-num-keys"),
        size(family, "estimate-live-data-size"),
        size(family, "live-sst-files-size"),
        size(family, "total-sst-files-size"),
        size(family, "estimate-pending-compaction-bytes"),
        size(family, "size-all-mem-tables"),
        ask(family, "num-entries-active-mem-table") + ask(family, "num-entries-imm-mem-tables"),
        ask(family, "num-deletes-active-mem-table") + ask(family, "num-deletes-imm-mem-tables"),
        blobs(family),
        use(family, "block-cache"),
        use(family, "blob-cache"));
  }

  /** Reads the engine's text, which has a number at the end of each line; the last number is read separately. */
  private static BlobReport blobs(NativeFamily family) {
    String text = family.property("rocksdb.blob-stats");
    long[] numbers =
        text.lines().limit(3).mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1))).toArray();
    long all = Math.max(ask(family, "total-blob-file-size"), numbers[1]);
    return new BlobReport(numbers[0], ByteSize.bytes(numbers[1]), ByteSize.bytes(numbers[2]), ByteSize.bytes(all));
  }

  /** Returns the usage of a cache; empty if the family has no such cache. */
  private static Optional<CacheUse> use(NativeFamily family, String cache) {
    OptionalLong capacity = family.longProperty("rocksdb." + cache + "-capacity");
    return capacity.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new CacheUse(
                ByteSize.bytes(capacity.getAsLong()), size(family, cache + "-usage"), size(family, cache + "-pinned-usage")));
  }

  /** Reads each family of an open database; families that are closed concurrently are ignored. */
  static <T> List<T> ofAll(List<NativeFamily> families, Function<NativeFamily, T> question) {
    List<T> answers = new ArrayList<>();
    for (NativeFamily family : families) {
      try {
        answers.add(question.apply(family));
      } catch (IllegalStateException e) {
        family.database().requireOpen();
        if (!family.handle().isClosed()) {
          throw e;
        }
      }
    }
    return answers;
  }

  /** Returns one report for each cache. */
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
    // A cache without capacity has no percentage; then only the engine's rounded text has the size.
    boolean exact = capacity > 0 && Double.isFinite(percent);
    long size = exact ? Math.round(percent / WHOLE * capacity) : entry.roundedSize();
    return new Share(entry.count(), ByteSize.bytes(Math.max(0, size)), exact ? percent : 0);
  }
}
