/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.sets;

import static org.rocksdbffm.clients.sets.OptionSet.GB;
import static org.rocksdbffm.clients.sets.OptionSet.KB;
import static org.rocksdbffm.clients.sets.OptionSet.MB;
import static org.rocksdbffm.clients.sets.OptionSet.table;

import java.util.List;
import org.rocksdb.*;

/** Option sets of replicated logs and their state machines. */
final class Replicas {
  private Replicas() {}

  @Client(
      of = "sofastack/sofa-jraft",
      file = "jraft-core/../util/StorageOptionsFactory.java, RocksDBLogStorage.java",
      date = "2025-05-04")
  static void jraftLog(OptionSet set) {
    set.db().setMaxOpenFiles(-1).setKeepLogFileNum(100).setMaxTotalWalSize(1 << 30);
    set.db().setStatistics(set.keep(new Statistics()));
    jraft(set, "default");
    jraft(set, "Configuration");
    set.reads.setTotalOrderSeek(true);
    set.writes.setSync(true);
  }

  @Client(of = "sofastack/sofa-jraft", file = "jraft-rheakv/../storage/RocksRawKVStore.java", date = "2023-04-12")
  static void rheaKv(OptionSet set) {
    set.db().setMaxOpenFiles(-1).setKeepLogFileNum(100).setMaxTotalWalSize(1 << 30);
    set.db().setStatistics(set.keep(new Statistics()));
    for (String name : List.of("default", "RHEA_SEQUENCE", "RHEA_LOCKING", "RHEA_FENCING")) {
      jraft(set, name);
    }
    set.writes.setSync(false).setDisableWAL(true);
  }

  private static void jraft(OptionSet set, String name) {
    ColumnFamilyOptions family = set.family(name);
    family.setWriteBufferSize(64 * MB);
    family.setMaxWriteBufferNumber(3);
    family.setMinWriteBufferNumberToMerge(1);
    family.setLevel0FileNumCompactionTrigger(10);
    family.setLevel0SlowdownWritesTrigger(20);
    family.setLevel0StopWritesTrigger(40);
    family.setMaxBytesForLevelBase(512 * MB);
    family.setTargetFileSizeBase(64 * MB);
    family.setMemtablePrefixBloomSizeRatio(0.125);
    family
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setCompactionStyle(CompactionStyle.LEVEL)
        .optimizeLevelStyleCompaction();
    family.setForceConsistencyChecks(true);
    family
        .useFixedLengthPrefixExtractor(8)
        .setTableFormatConfig(
            table()
                .setIndexType(IndexType.kTwoLevelIndexSearch)
                .setFilterPolicy(set.keep(new BloomFilter(16.0, false)))
                .setPartitionFilters(true)
                .setMetadataBlockSize(8 * KB)
                .setCacheIndexAndFilterBlocks(false)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setPinL0FilterAndIndexBlocksInCache(true)
                .setBlockSize(4 * KB)
                .setBlockCache(set.keep(new LRUCache(512 * MB))))
        .setMergeOperator(set.keep(new StringAppendOperator()));
    set.operand = "entry".getBytes();
  }

  @Client(
      of = "apache/incubator-hugegraph",
      file = "hg-store-core/../options/RaftRocksdbOptions.java",
      date = "2024-08-10")
  static void hugeGraphRaft(OptionSet set) {
    set.db().setMaxOpenFiles(-1).setKeepLogFileNum(100).setMaxTotalWalSize(1 << 30);
    set.db().setEnv(Env.getDefault());
    set.db().setUnorderedWrite(true);
    for (String name : List.of("default", "Configuration")) {
      jraft(set, name);
      set.family(name)
          .setTableFormatConfig(
              table()
                  .setIndexType(IndexType.kTwoLevelIndexSearch)
                  .setPartitionFilters(true)
                  .setMetadataBlockSize(8 * KB)
                  .setCacheIndexAndFilterBlocks(true)
                  .setCacheIndexAndFilterBlocksWithHighPriority(true)
                  .setPinL0FilterAndIndexBlocksInCache(true)
                  .setBlockSize(4 * KB)
                  .setBlockCache(set.keep(new LRUCache(GB))));
      set.family(name).setTargetFileSizeBase(256 * MB);
      set.family(name).setWriteBufferSize(8 * MB);
      set.family(name).setNumLevels(3);
      set.family(name).setMaxWriteBufferNumber(3);
      set.family(name).setCompressionType(CompressionType.NO_COMPRESSION);
      set.family(name).setMaxBytesForLevelBase(2048 * GB);
    }
  }

  @Client(
      of = "apache/ignite-3",
      file = "modules/raft/../storage/impl/DefaultLogStorageManager.java",
      date = "2026-03-10")
  static void igniteRaftLog(OptionSet set) {
    set.db()
        .setMaxBackgroundJobs(4)
        .setUseFsync(true)
        .setEnv(Env.getDefault())
        .setSstFileManager(set.files())
        .setListeners(List.of(set.keep(new Listener())));
    for (String name : List.of("default", "Meta", "Configuration")) {
      igniteLog(set.family(name));
    }
    set.writes.setSync(true);
  }

  @Client(
      of = "apache/ignite-3",
      file = "modules/raft/../storage/impl/VolatileLogStorageManagerCreator.java",
      date = "2026-03-05")
  static void igniteVolatileLog(OptionSet set) {
    set.db()
        .setMaxBackgroundJobs(4)
        .setEnv(Env.getDefault())
        .setSstFileManager(set.files());
    igniteLog(set.family());
    set.writes.setDisableWAL(true);
  }

  private static void igniteLog(ColumnFamilyOptions family) {
    family
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setCompactionStyle(CompactionStyle.LEVEL)
        .optimizeLevelStyleCompaction();
    family.setWriteBufferSize(64 * MB);
    family.setMaxWriteBufferNumber(5);
    family.setMinWriteBufferNumberToMerge(1);
    family.setLevel0FileNumCompactionTrigger(50);
    family.setLevel0SlowdownWritesTrigger(100);
    family.setLevel0StopWritesTrigger(200);
    family.setMaxBytesForLevelBase(3200 * MB);
    family.setTargetFileSizeBase(320 * MB);
  }

  @Client(
      of = "apache/ignite-3",
      file = "modules/metastorage/../persistence/RocksDbKeyValueStorage.java",
      date = "2026-03-20")
  static void igniteMetaStorage(OptionSet set) {
    Options base =
        set.keep(new Options())
            .setNumLevels(4)
            .setMaxWriteBufferNumber(4)
            .setTableFormatConfig(
                table()
                    .setPinL0FilterAndIndexBlocksInCache(true)
                    .setFilterPolicy(set.keep(new BloomFilter(12)))
                    .setBlockCache(set.keep(new LRUCache(64 * MB))));
    set.family("default", new ColumnFamilyOptions(base).useFixedLengthPrefixExtractor(Long.BYTES));
    set.family("INDEX", new ColumnFamilyOptions(base));
    set.family("REVISION_TO_TS", new ColumnFamilyOptions(base));
    set.db()
        .setAtomicFlush(true)
        .setListeners(List.of(set.keep(new Listener())))
        .setAvoidFlushDuringShutdown(true);
    set.writes.setDisableWAL(true);
  }

  @Client(
      of = "apache/ignite-3",
      file = "modules/storage-rocksdb/../instance/SharedRocksDbInstanceCreator.java",
      date = "2025-07-01")
  static void igniteStorage(OptionSet set) {
    Cache cache = set.keep(new LRUCache(256 * MB, -1, false));
    set.db()
        .setAtomicFlush(true)
        .setListeners(List.of(set.keep(new Listener())))
        .setWriteBufferManager(set.keep(new WriteBufferManager(64 * MB, cache)))
        .setAvoidFlushDuringShutdown(true);
    for (String name : List.of("PARTITION", "HASH_INDEX")) {
      set.family(name)
          .setMemtablePrefixBloomSizeRatio(0.125)
          .setTableFormatConfig(table().setFilterPolicy(set.keep(new BloomFilter())));
      set.family(name).useCappedPrefixExtractor(14);
    }
    set.writes.setDisableWAL(true);
  }

  @Client(
      of = "apache/ignite-3",
      file = "modules/transactions/../TxStateRocksDbSharedStorage.java",
      date = "2025-12-08")
  static void igniteTransactions(OptionSet set) {
    set.db()
        .setAtomicFlush(true)
        .setListeners(List.of(set.keep(new Listener())))
        .setAvoidFlushDuringShutdown(true);
    set.family("TX_STATE");
    set.family("TX_META");
    set.writes.setDisableWAL(true);
  }

  @Client(
      of = "apache/ignite-3",
      file = "modules/vault/../persistence/PersistentVaultService.java",
      date = "2025-02-04")
  static void igniteVault(OptionSet set) {
    set.options()
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION)
        .setLevelCompactionDynamicLevelBytes(true)
        .setBytesPerSync(MB)
        .setCompactionPriority(CompactionPriority.MinOverlappingRatio)
        .setUseFsync(true)
        .setTableFormatConfig(
            table()
                .setBlockSize(16 * KB)
                .setCacheIndexAndFilterBlocks(true)
                .setPinL0FilterAndIndexBlocksInCache(true)
                .setFormatVersion(5)
                .setFilterPolicy(set.keep(new BloomFilter(10, false)))
                .setOptimizeFiltersForMemory(true));
  }

  /** A listener for completed flushes, like the client's. */
  private static final class Listener extends AbstractEventListener {
    Listener() {
      super(EnabledEventCallback.ON_FLUSH_BEGIN, EnabledEventCallback.ON_FLUSH_COMPLETED);
    }
  }

  @Client(of = "camunda/camunda", file = "zeebe/zb-db/../impl/rocksdb/ZeebeRocksDbFactory.java", date = "8.9")
  static void zeebe(OptionSet set) {
    java.util.Properties database = new java.util.Properties();
    database.put("file_checksum_gen_factory", "FileChecksumGenCrc32cFactory");
    database.put("avoid_flush_during_shutdown", "true");
    set.kind = OptionSet.Kind.OPTIMISTIC;
    set.db(DBOptions.getDBOptionsFromProps(database))
        .setAvoidUnnecessaryBlockingIO(true)
        .setErrorIfExists(false)
        .setParanoidChecks(true)
        .setMaxOpenFiles(-1)
        .setMaxBackgroundJobs(2)
        .setAvoidFlushDuringRecovery(true)
        .setMaxManifestFileSize(256 * MB)
        .setLogFileTimeToRoll(1800)
        .setKeepLogFileNum(2)
        .setWriteBufferManager(
            set.keep(new WriteBufferManager(128 * MB, set.keep(new LRUCache(512 * MB, 8, false, 0.15)))));
    java.util.Properties family = new java.util.Properties();
    family.put("sst_partitioner_factory", "{id=SstPartitionerFixedPrefixFactory;length=8;}");
    family.put("prefix_extractor", "rocksdb.FixedPrefix.8");
    family.put("memtable_prefix_bloom_size_ratio", "0.15");
    family.put("min_write_buffer_number_to_merge", "3");
    family.put("max_write_buffer_number", "6");
    family.put("write_buffer_size", "50704998");
    family.put("level_compaction_dynamic_level_bytes", "true");
    family.put("compaction_pri", "kOldestSmallestSeqFirst");
    family.put("compaction_style", "kCompactionStyleLevel");
    family.put("level0_file_num_compaction_trigger", "6");
    family.put("level0_slowdown_writes_trigger", "9");
    family.put("level0_stop_writes_trigger", "12");
    family.put("num_levels", "4");
    family.put("max_bytes_for_level_base", "33554432");
    family.put("max_bytes_for_level_multiplier", "10.0");
    family.put("compression_per_level", "kNoCompression:kNoCompression:kLZ4Compression:kLZ4Compression");
    family.put("target_file_size_base", "8388608");
    family.put("target_file_size_multiplier", "2");
    set.family("default", ColumnFamilyOptions.getColumnFamilyOptionsFromProps(family));
    set.family().setTableFormatConfig(zeebeTable(set));
    set.reads.setPrefixSameAsStart(true).setReadaheadSize(0);
    set.writes.setDisableWAL(true);
  }

  private static BlockBasedTableConfig zeebeTable(OptionSet set) {
    return table()
        .setBlockCache(set.keep(new LRUCache(170 * MB, 8, false, 0.15)))
        .setBlockSize(32 * KB)
        .setFormatVersion(5)
        .setFilterPolicy(set.keep(new BloomFilter(10, false)))
        .setCacheIndexAndFilterBlocks(true)
        .setPinL0FilterAndIndexBlocksInCache(true)
        .setCacheIndexAndFilterBlocksWithHighPriority(true)
        .setIndexType(IndexType.kHashSearch)
        .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash)
        .setDataBlockHashTableUtilRatio(0.5)
        .setWholeKeyFiltering(true);
  }

  @Client(of = "camunda/zeebe", file = "zb-db/../impl/rocksdb/ZeebeRocksDbFactory.java", date = "2021-06-10")
  static void zeebe1(OptionSet set) {
    set.kind = OptionSet.Kind.OPTIMISTIC;
    Statistics statistics = set.keep(new Statistics());
    statistics.setStatsLevel(StatsLevel.ALL);
    set.db()
        .setErrorIfExists(false)
        .setParanoidChecks(true)
        .setMaxOpenFiles(-1)
        .setMaxBackgroundJobs(2)
        .setAvoidFlushDuringRecovery(true)
        .setMaxManifestFileSize(256 * MB)
        .setLogFileTimeToRoll(1800)
        .setKeepLogFileNum(2)
        .setRateLimiter(set.keep(new RateLimiter(100 * MB)))
        .setStatistics(statistics)
        .setSkipStatsUpdateOnDbOpen(true)
        .setStatsDumpPeriodSec(20);
    set.family()
        .useFixedLengthPrefixExtractor(Long.BYTES)
        .setMemtablePrefixBloomSizeRatio(0.15)
        .setMinWriteBufferNumberToMerge(3)
        .setMaxWriteBufferNumber(6)
        .setWriteBufferSize(50_704_998)
        .setLevelCompactionDynamicLevelBytes(true)
        .setCompactionPriority(CompactionPriority.OldestSmallestSeqFirst)
        .setCompactionStyle(CompactionStyle.LEVEL)
        .setLevel0FileNumCompactionTrigger(6)
        .setLevel0SlowdownWritesTrigger(9)
        .setLevel0StopWritesTrigger(12)
        .setNumLevels(4)
        .setMaxBytesForLevelBase(32 * MB)
        .setMaxBytesForLevelMultiplier(10)
        .setCompressionPerLevel(
            List.of(
                CompressionType.NO_COMPRESSION,
                CompressionType.NO_COMPRESSION,
                CompressionType.LZ4_COMPRESSION,
                CompressionType.LZ4_COMPRESSION))
        .setTargetFileSizeBase(8 * MB)
        .setTargetFileSizeMultiplier(2)
        .setTableFormatConfig(zeebeTable(set));
    set.reads.setPrefixSameAsStart(true).setReadaheadSize(0);
  }
}
