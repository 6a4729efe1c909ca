/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.forgotten;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.rocksdb.*;
import org.rocksdb.util.BytewiseComparator;
import org.rocksdb.util.IntComparator;
import org.rocksdb.util.ReverseBytewiseComparator;
import org.rocksdb.util.StdErrLogger;
import org.rocksdbffm.compat.tools.PlainSubclass;

/** Creates an object of each class of {@code org.rocksdb} that programs have to close, by class name. */
final class Makers implements AutoCloseable {
  static final byte[] KEY = "key".getBytes();

  /** Creates an object, to which only the caller refers. */
  interface Maker {
    Object make() throws RocksDBException;
  }

  final Map<String, Maker> all = new TreeMap<>();

  private final Path folder;
  private final Options options = new Options().setCreateIfMissing(true);
  private final ComparatorOptions comparing = new ComparatorOptions();
  private final ReadOptions reads = new ReadOptions();
  private final WriteOptions writes = new WriteOptions();
  private final EnvOptions environment = new EnvOptions();
  private final BackupEngineOptions backups;
  private final WriteBatchWithIndex indexed = new WriteBatchWithIndex(true);
  private final RocksDB db;
  private final TransactionDBOptions locking = new TransactionDBOptions();
  private final TransactionDB transactions;
  private final SstFileReader table;
  private final LRUCache cache = new LRUCache(1 << 20);
  private final ExportImportFilesMetaData exported;
  private final Logger logger = new Silent();
  private int count;

  private static final class Silent extends Logger {
    Silent() {
      super(InfoLogLevel.FATAL_LEVEL);
    }

    @Override
    protected void log(InfoLogLevel level, String message) {}
  }

  Makers(Path folder) throws RocksDBException {
    this.folder = folder;
    db = RocksDB.open(options, folder.resolve("db").toString());
    db.put(KEY, KEY);
    indexed.put(KEY, KEY);
    transactions = TransactionDB.open(options, locking, folder.resolve("transactions").toString());
    backups = new BackupEngineOptions(folder.toString());
    String file = folder.resolve("table.sst").toString();
    try (SstFileWriter writer = new SstFileWriter(environment, options)) {
      writer.open(file);
      writer.put(KEY, KEY);
      writer.finish();
    }
    table = new SstFileReader(options);
    table.open(file);
    exported = export();
    addOptions();
    addParts();
    addDatabases();
    addOfDatabases();
    addCallbacks();
  }

  private String next() {
    return folder.resolve("made" + count++).toString();
  }

  private void addOptions() {
    all.put("Options", () -> new Options());
    all.put("DBOptions", () -> new DBOptions());
    all.put("ColumnFamilyOptions", () -> new ColumnFamilyOptions());
    all.put("ReadOptions", () -> new ReadOptions());
    all.put("WriteOptions", () -> new WriteOptions());
    all.put("FlushOptions", () -> new FlushOptions());
    all.put("EnvOptions", () -> new EnvOptions());
    all.put("ConfigOptions", () -> new ConfigOptions());
    all.put("RestoreOptions", () -> new RestoreOptions(true));
    all.put("BackupEngineOptions", () -> new BackupEngineOptions(folder.toString()));
    all.put("CompactRangeOptions", () -> new CompactRangeOptions());
    all.put("CompactionOptions", () -> new CompactionOptions());
    all.put("CompactionOptionsFIFO", () -> new CompactionOptionsFIFO());
    all.put("CompactionOptionsUniversal", () -> new CompactionOptionsUniversal());
    all.put("ComparatorOptions", () -> new ComparatorOptions());
    all.put("CompressionOptions", () -> new CompressionOptions());
    all.put("ImportColumnFamilyOptions", () -> new ImportColumnFamilyOptions());
    all.put("IngestExternalFileOptions", () -> new IngestExternalFileOptions());
    all.put("TransactionOptions", () -> new TransactionOptions());
    all.put("TransactionDBOptions", () -> new TransactionDBOptions());
    all.put("OptimisticTransactionOptions", () -> new OptimisticTransactionOptions());
  }

  @SuppressWarnings("deprecation") // for ClockCache
  private void addParts() {
    all.put("BloomFilter", () -> new BloomFilter());
    all.put("LRUCache", () -> new LRUCache(1 << 16));
    all.put("ClockCache", () -> new ClockCache(1 << 16));
    all.put("HyperClockCache", () -> new HyperClockCache(1 << 16, 0, 2, false));
    all.put("CassandraCompactionFilter", () -> new CassandraCompactionFilter(true, 1));
    all.put("CassandraValueMergeOperator", () -> new CassandraValueMergeOperator(1));
    all.put("RemoveEmptyValueCompactionFilter", () -> new RemoveEmptyValueCompactionFilter());
    all.put("StringAppendOperator", () -> new StringAppendOperator());
    all.put("UInt64AddOperator", () -> new UInt64AddOperator());
    all.put("ConcurrentTaskLimiterImpl", () -> new ConcurrentTaskLimiterImpl("limit", 1));
    all.put("RateLimiter", () -> new RateLimiter(1 << 20));
    all.put("SstPartitionerFixedPrefixFactory", () -> new SstPartitionerFixedPrefixFactory(2));
    all.put("TablePropertiesCollectorFactory$1", () ->
        TablePropertiesCollectorFactory.NewCompactOnDeletionCollectorFactory(1, 1, 1));
    all.put("Statistics", () -> new Statistics());
    all.put("StdErrLogger", () -> new StdErrLogger(InfoLogLevel.FATAL_LEVEL));
    all.put("WriteBufferManager", () -> new WriteBufferManager(1 << 20, cache));
    all.put("SstFileManager", () -> new SstFileManager(Env.getDefault()));
    all.put("RocksMemEnv", () -> new RocksMemEnv(Env.getDefault()));
    all.put("TimedEnv", () -> new TimedEnv(Env.getDefault()));
    all.put("PersistentCache", () -> new PersistentCache(Env.getDefault(), next(), 100 << 20, logger, true));
    all.put("Slice", () -> new Slice(new byte[10_000]));
    all.put("DirectSlice", () -> new DirectSlice(ByteBuffer.allocateDirect(10)));
    all.put("WriteBatch", () -> new WriteBatch());
    all.put("WriteBatchWithIndex", () -> new WriteBatchWithIndex(true));
    all.put("CompactionJobInfo", () -> new CompactionJobInfo());
    all.put("CompactionJobStats", () -> new CompactionJobStats());
    all.put("SstFileReader", () -> new SstFileReader(options));
    all.put("SstFileWriter", () -> new SstFileWriter(environment, options));
    all.put("BackupEngine", () -> BackupEngine.open(Env.getDefault(), backups));
  }

  private void addDatabases() {
    all.put("RocksDB", () -> RocksDB.open(options, next()));
    all.put("TtlDB", () -> TtlDB.open(options, next()));
    all.put("TransactionDB", () -> TransactionDB.open(options, locking, next()));
    all.put("OptimisticTransactionDB", () -> OptimisticTransactionDB.open(options, next()));
  }

  private void addOfDatabases() {
    all.put("RocksIterator", () -> db.newIterator());
    all.put("SstFileReaderIterator", () -> table.newIterator(reads));
    all.put("WBWIRocksIterator", () -> indexed.newIterator());
    all.put("TransactionLogIterator", () -> db.getUpdatesSince(0));
    all.put("Checkpoint", () -> Checkpoint.create(db));
    all.put("Transaction", () -> transactions.beginTransaction(writes));
    all.put("ExportImportFilesMetaData", this::export);
  }

  private void addCallbacks() {
    for (Class<?> type : List.of(AbstractEventListener.class, AbstractTableFilter.class, AbstractTraceWriter.class,
        AbstractTransactionNotifier.class, AbstractWalFilter.class, AbstractCompactionFilterFactory.class,
        WriteBatch.Handler.class)) {
      all.put(type.getName().substring(type.getPackageName().length() + 1), () -> PlainSubclass.of(type));
    }
    all.put("Logger", Silent::new);
    all.put("AbstractComparator", () -> PlainSubclass.of(AbstractComparator.class, comparing));
    all.put("BytewiseComparator", () -> new BytewiseComparator(comparing));
    all.put("IntComparator", () -> new IntComparator(comparing));
    all.put("ReverseBytewiseComparator", () -> new ReverseBytewiseComparator(comparing));
  }

  private ExportImportFilesMetaData export() throws RocksDBException {
    try (Checkpoint checkpoint = Checkpoint.create(db)) {
      return checkpoint.exportColumnFamily(db.getDefaultColumnFamily(), next());
    }
  }

  @Override
  public void close() {
    exported.close();
    table.close();
    indexed.close();
    transactions.close();
    db.close();
    List.of(comparing, backups, locking, options, reads, writes, environment, cache, logger)
        .forEach(AbstractNativeReference::close);
  }
}
