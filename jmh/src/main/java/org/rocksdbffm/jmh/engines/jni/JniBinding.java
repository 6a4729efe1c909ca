/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines.jni;

import java.io.IOException;
import java.nio.file.Path;
import org.rocksdb.AbstractComparator;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.BuiltinComparator;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.PerfLevel;
import org.rocksdb.ReadOptions;
import org.rocksdb.RemoveEmptyValueCompactionFilter;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.StatsLevel;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.UInt64AddOperator;
import org.rocksdb.WriteOptions;
import org.rocksdb.util.BytewiseComparator;
import org.rocksdbffm.jmh.work.Binding;
import org.rocksdbffm.jmh.work.DataSet;
import org.rocksdbffm.jmh.work.GetLoop;
import org.rocksdbffm.jmh.work.KeyCycle;
import org.rocksdbffm.jmh.work.KeyLists;
import org.rocksdbffm.jmh.work.MultiGetLoop;
import org.rocksdbffm.jmh.work.Owned;
import org.rocksdbffm.jmh.work.ScanLoop;
import org.rocksdbffm.jmh.work.SendLoop;
import org.rocksdbffm.jmh.work.TransactionLoop;
import org.rocksdbffm.jmh.work.Tuning;
import org.rocksdbffm.jmh.work.WriteLoop;

/** A database opened by rocksdbjni. */
public final class JniBinding implements Binding {
  private static final double NO_UNIFORM_CV_THRESHOLD = -1;
  private static final double HIGH_PRIORITY_RATIO = 0.5;
  private static final int SHARDS_BY_SIZE = -1;

  private final Owned owned = new Owned();
  private final ReadOptions readOptions;
  private final WriteOptions writeOptions;
  private final boolean deadline;
  private final RocksDB db;

  public JniBinding(Path folder, Tuning tuning) throws RocksDBException {
    RocksDB.loadLibrary();
    deadline = tuning.deadline();
    Options options = options(tuning);
    readOptions = owned.add(new ReadOptions());
    writeOptions = owned.add(new WriteOptions().setDisableWAL(!tuning.wal()));
    db = owned.add(open(options, folder.toString(), tuning.transactions()));
  }

  private RocksDB open(Options options, String folder, Tuning.Transactions transactions) throws RocksDBException {
    return switch (transactions) {
      case NONE -> RocksDB.open(options, folder);
      case LOCKING -> TransactionDB.open(options, owned.add(new TransactionDBOptions()), folder);
      case OPTIMISTIC -> OptimisticTransactionDB.open(options, folder);
    };
  }

  private Options options(Tuning tuning) {
    Options options =
        owned.add(new Options())
            .setCreateIfMissing(true)
            .setCompressionType(CompressionType.NO_COMPRESSION)
            .setTableFormatConfig(table(tuning))
            .setMergeOperator(owned.add(new UInt64AddOperator()))
            .setWriteBufferSize(tuning.writeBufferSize())
            .setMaxWriteBufferNumber(Tuning.WRITE_BUFFERS)
            .setDisableAutoCompactions(true)
            .setLevel0SlowdownWritesTrigger(Tuning.NO_LIMIT)
            .setLevel0StopWritesTrigger(Tuning.NO_LIMIT)
            .setKeepLogFileNum(Tuning.INFO_LOGS);
    if (tuning.merging() == Tuning.Merging.JAVA) {
      throw new UnsupportedOperationException("rocksdbjni has no merge operators in Java");
    }
    if (tuning.statistics()) {
      Statistics statistics = owned.add(new Statistics());
      statistics.setStatsLevel(StatsLevel.EXCEPT_DETAILED_TIMERS);
      options.setStatistics(statistics);
    }
    if (tuning.dropsEmpty()) {
      options.setCompactionFilter(owned.add(new RemoveEmptyValueCompactionFilter()));
    }
    return switch (tuning.order()) {
      case BYTEWISE -> options;
      case REVERSE_BYTEWISE -> options.setComparator(BuiltinComparator.REVERSE_BYTEWISE_COMPARATOR);
      case JAVA_BYTEWISE -> options.setComparator(javaComparator());
    };
  }

  /** Sets options whose defaults differ in rocksdbjni to the engine's defaults. */
  private BlockBasedTableConfig table(Tuning tuning) {
    BlockBasedTableConfig table = new BlockBasedTableConfig().setUniformCvThreshold(NO_UNIFORM_CV_THRESHOLD);
    if (tuning.cacheSize() == 0) {
      table.setNoBlockCache(true);
    } else {
      table.setBlockCache(owned.add(new LRUCache(tuning.cacheSize(), SHARDS_BY_SIZE, false, HIGH_PRIORITY_RATIO)));
    }
    return tuning.filter() ? table.setFilterPolicy(owned.add(new BloomFilter(Tuning.FILTER_BITS))) : table;
  }

  /** Returns the Java comparator of rocksdbjni, with default options. */
  private AbstractComparator javaComparator() {
    return owned.add(new BytewiseComparator(owned.add(new ComparatorOptions())));
  }

  public RocksDB db() {
    return db;
  }

  /** Returns the database for a loop of this thread; disables its PerfContext counters, unless they are wanted. */
  private RocksDB ofThisThread() {
    db.setPerfLevel(Binding.counts() ? PerfLevel.ENABLE_COUNT : PerfLevel.DISABLE);
    return db;
  }

  @Override
  public void put(byte[] key, byte[] value) throws RocksDBException {
    db.put(writeOptions, key, value);
  }

  @Override
  public void flushAndCompact() throws RocksDBException {
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      db.flush(flush);
    }
    db.compactRange();
  }

  @Override
  public GetLoop gets(KeyCycle keys, int valueSize, int count) {
    ReadOptions timed = deadline ? owned.add(new ReadOptions()) : null;
    return new JniGetLoop(ofThisThread(), readOptions, timed, keys, valueSize, count);
  }

  @Override
  public ScanLoop scans(DataSet data, int rows) {
    return new JniScanLoop(ofThisThread(), readOptions, data, rows);
  }

  @Override
  public MultiGetLoop multiGets(byte[][] keys, int valueSize, int count, boolean sorted) {
    return new JniMultiGetLoop(ofThisThread(), new KeyLists(keys, count), valueSize, count);
  }

  @Override
  public WriteLoop writes(KeyCycle keys, byte[] value, int count) {
    return new JniWriteLoop(ofThisThread(), writeOptions, keys, value, count);
  }

  @Override
  public TransactionLoop transactions(KeyCycle keys, byte[] value, int count, int pending) throws RocksDBException {
    return new JniTransactionLoop(ofThisThread(), readOptions, writeOptions, keys, value, count, pending);
  }

  @Override
  public SendLoop sends(KeyCycle keys, int valueSize, int count, Path socket) throws IOException {
    return new JniSendLoop(ofThisThread(), readOptions, keys, valueSize, count, socket);
  }

  @Override
  public long fullMemtables() throws RocksDBException {
    return db.getLongProperty(FULL_MEMTABLES);
  }

  @Override
  public long sequenceNumbers(int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += db.getLatestSequenceNumber();
    }
    return sum;
  }

  @Override
  public void close() {
    owned.close();
  }
}
