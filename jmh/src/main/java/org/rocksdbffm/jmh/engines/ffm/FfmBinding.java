/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines.ffm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ByteView;
import org.rocksdbffm.CompactionFilter;
import org.rocksdbffm.Compression;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.Opening;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.TableFilter;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.TransactionalDb;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.jmh.work.Binding;
import org.rocksdbffm.jmh.work.DataSet;
import org.rocksdbffm.jmh.work.GetLoop;
import org.rocksdbffm.jmh.work.KeyCycle;
import org.rocksdbffm.jmh.work.KeyLists;
import org.rocksdbffm.jmh.work.MultiGetLoop;
import org.rocksdbffm.jmh.work.ScanLoop;
import org.rocksdbffm.jmh.work.SendLoop;
import org.rocksdbffm.jmh.work.TransactionLoop;
import org.rocksdbffm.jmh.work.Tuning;
import org.rocksdbffm.jmh.work.WriteLoop;
import org.rocksdbffm.reports.StatisticsLevel;

/** A database opened by this library. */
public final class FfmBinding implements Binding {
  private static final Duration DEADLINE = Duration.ofMinutes(1);

  private final BlockCache cache; // null if there is no cache
  private final RocksDb db;
  private final Tuning tuning;
  private KeySpace writer; // created when first needed

  public FfmBinding(Path folder, Tuning tuning) {
    this.tuning = tuning;
    cache = tuning.cacheSize() == 0 ? null : BlockCache.lru(ByteSize.bytes(tuning.cacheSize()));
    DatabaseOptions options = DatabaseOptions.defaults().option("keep_log_file_num", Tuning.INFO_LOGS);
    if (tuning.statistics()) {
      options = options.statistics(StatisticsLevel.TIMERS); // the engine's default, as for all engines
    }
    try {
      Opening opening = RocksDb.at(folder).options(options).defaults(options(tuning));
      db =
          switch (tuning.transactions()) {
            case NONE -> opening.open();
            case LOCKING -> opening.openTransactional();
            case OPTIMISTIC -> opening.openOptimistic();
          };
    } catch (Throwable e) {
      closeCache();
      throw e;
    }
  }

  private FamilyOptions options(Tuning tuning) {
    FamilyOptions options =
        FamilyOptions.defaults()
            .compression(Compression.NONE)
            .table(table(tuning))
            .writeBufferSize(ByteSize.bytes(tuning.writeBufferSize()))
            .maxWriteBufferNumber(Tuning.WRITE_BUFFERS)
            .disableAutoCompactions(true)
            .option("level0_slowdown_writes_trigger", Tuning.NO_LIMIT)
            .option("level0_stop_writes_trigger", Tuning.NO_LIMIT);
    if (tuning.dropsEmpty()) {
      options = options.compactionFilter("without empty values", compaction -> FfmBinding::withoutEmpty);
    }
    options =
        switch (tuning.merging()) {
          case ENGINE -> options.mergeOperator(MergeOperator.uint64Add());
          case JAVA -> options.mergeOperator("java.UInt64Add", FfmBinding::sum);
        };
    return switch (tuning.order()) {
      case BYTEWISE -> options;
      case REVERSE_BYTEWISE -> options.keyOrder(KeyOrder.REVERSE_BYTEWISE);
      case JAVA_BYTEWISE -> options.keyOrder("java.Bytewise", ByteView::compareTo);
    };
  }

  private static CompactionFilter.Decision withoutEmpty(int level, ByteView key, ByteView value) {
    return value.size() == 0 ? CompactionFilter.Decision.REMOVE : CompactionFilter.Decision.KEEP;
  }

  private static byte[] sum(ByteView key, ByteView value, List<ByteView> operands) {
    long sum = value == null ? 0 : number(value);
    for (ByteView operand : operands) {
      sum += number(operand);
    }
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(sum).array();
  }

  /** Reads a little-endian number, as in the engine's merge operator. */
  private static long number(ByteView bytes) {
    return Long.reverseBytes(bytes.getLong(0));
  }

  private TableOptions table(Tuning tuning) {
    TableOptions table = TableOptions.defaults();
    table = cache == null ? table.noBlockCache(true) : table.blockCache(cache);
    return tuning.filter() ? table.filter(TableFilter.bloom(Tuning.FILTER_BITS)) : table;
  }

  private KeySpace writer() {
    if (writer == null) {
      writer = db.with(WriteOptions.defaults().disableWal(!tuning.wal()));
    }
    return writer;
  }

  public RocksDb db() {
    return db;
  }

  @Override
  public void put(byte[] key, byte[] value) {
    writer().put(key, value);
  }

  @Override
  public void flushAndCompact() {
    db.flush();
    db.compact(KeyRange.all());
  }

  @Override
  public GetLoop gets(KeyCycle keys, int valueSize, int count) {
    KeySpace space = tuning.deadline() ? db.with(ReadOptions.defaults().deadline(DEADLINE)) : db;
    return new FfmGetLoop(space, keys, valueSize, count);
  }

  @Override
  public ScanLoop scans(DataSet data, int rows) {
    return new FfmScanLoop(db, data, rows);
  }

  @Override
  public MultiGetLoop multiGets(byte[][] keys, int valueSize, int count, boolean sorted) {
    return new FfmMultiGetLoop(db, new KeyLists(keys, count));
  }

  @Override
  public WriteLoop writes(KeyCycle keys, byte[] value, int count) {
    return new FfmWriteLoop(writer(), keys, value, count);
  }

  @Override
  public TransactionLoop transactions(KeyCycle keys, byte[] value, int count, int pending) {
    return new FfmTransactionLoop((TransactionalDb) db, keys, value, count, pending);
  }

  @Override
  public SendLoop sends(KeyCycle keys, int valueSize, int count, Path socket) throws IOException {
    return new FfmSendLoop(db, keys, count, socket);
  }

  @Override
  public long fullMemtables() {
    return db.metrics().longProperty(FULL_MEMTABLES).orElseThrow();
  }

  @Override
  public long sequenceNumbers(int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += db.files().latestSequenceNumber();
    }
    return sum;
  }

  @Override
  public void close() {
    db.close();
    closeCache();
  }

  private void closeCache() {
    if (cache != null) {
      cache.close();
    }
  }
}
