/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.sets;

import static org.rocksdbffm.clients.sets.OptionSet.KB;
import static org.rocksdbffm.clients.sets.OptionSet.MB;
import static org.rocksdbffm.clients.sets.OptionSet.table;

import org.rocksdb.*;

/** Option sets of RocksDB's Java samples and Java benchmark. */
final class Samples {
  private Samples() {}

  @Client(of = "facebook/rocksdb", file = "java/samples/src/main/java/RocksDBSample.java", date = "11.8.1")
  static void rocksDbSample(OptionSet set) {
    set.options()
        .setStatistics(set.keep(new Statistics()))
        .setWriteBufferSize(8 * KB)
        .setMaxWriteBufferNumber(3)
        .setMaxBackgroundJobs(10)
        .setCompressionType(CompressionType.SNAPPY_COMPRESSION)
        .setCompactionStyle(CompactionStyle.UNIVERSAL);
    set.options().setRateLimiter(set.keep(new RateLimiter(10_000_000, 10_000, 10)));
    set.options()
        .setTableFormatConfig(
            table()
                .setBlockCache(set.keep(new LRUCache(64 * KB, 6)))
                .setFilterPolicy(set.keep(new BloomFilter(10)))
                .setBlockSizeDeviation(5)
                .setBlockRestartInterval(10)
                .setCacheIndexAndFilterBlocks(true));
    set.reads.setFillCache(false);
  }

  @Client(
      of = "facebook/rocksdb",
      file = "java/samples/src/main/java/RocksDBSample.java (plain table, hash memtables)",
      date = "11.8.1")
  static void rocksDbSamplePlain(OptionSet set) {
    set.options().setMemTableConfig(new HashLinkedListMemTableConfig().setBucketCount(100_000));
    set.options().setAllowConcurrentMemtableWrite(false).setAllowMmapReads(true);
    set.options().setTableFormatConfig(new PlainTableConfig());
    set.options().useFixedLengthPrefixExtractor(10);
    set.ranges = false;
  }

  @Client(
      of = "facebook/rocksdb",
      file = "java/samples/src/main/java/RocksDBSample.java (vector memtables)",
      date = "11.8.1")
  static void rocksDbSampleVector(OptionSet set) {
    set.options().setMemTableConfig(new VectorMemTableConfig().setReservedSize(10_000));
    set.options().setAllowConcurrentMemtableWrite(false);
    set.options().setWriteBufferSize(4 * MB);
  }

  @Client(of = "facebook/rocksdb", file = "java/samples/src/main/java/RocksDBColumnFamilySample.java", date = "11.8.1")
  static void columnFamilySample(OptionSet set) {
    set.db();
    set.family("new_cf");
  }

  @Client(
      of = "facebook/rocksdb",
      file = "java/samples/src/main/java/OptimisticTransactionSample.java",
      date = "11.8.1")
  static void optimisticTransactionSample(OptionSet set) {
    set.kind = OptionSet.Kind.OPTIMISTIC;
    set.options();
  }

  @Client(of = "facebook/rocksdb", file = "java/samples/src/main/java/TransactionSample.java", date = "11.8.1")
  static void transactionSample(OptionSet set) {
    set.kind = OptionSet.Kind.PESSIMISTIC;
    set.options();
  }

  @Client(
      of = "facebook/rocksdb",
      file = "java/benchmark/../DbBenchmark.java (level 0 triggers in turn)",
      date = "11.8.1")
  static void dbBenchmark(OptionSet set) {
    set.options().setWriteBufferSize(4 * MB).setMaxWriteBufferNumber(1).setMaxBackgroundCompactions(1);
    set.options().prepareForBulkLoad();
    set.options().setMemTableConfig(new SkipListMemTableConfig());
    set.changes.add("level0_file_num_compaction_trigger=1073741824");
    set.changes.add("max_write_buffer_number=1");
    set.changes.add("disable_auto_compactions=true");
    set.changes.add("level0_slowdown_writes_trigger=2147483647");
    set.changes.add("level0_stop_writes_trigger=2147483647");
  }
}
