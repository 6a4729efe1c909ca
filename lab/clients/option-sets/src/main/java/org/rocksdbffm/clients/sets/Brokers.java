/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.sets;

import static org.rocksdbffm.clients.sets.OptionSet.GB;
import static org.rocksdbffm.clients.sets.OptionSet.KB;
import static org.rocksdbffm.clients.sets.OptionSet.MB;
import static org.rocksdbffm.clients.sets.OptionSet.table;

import java.util.List;
import org.rocksdb.*;

/** Option sets of message brokers and their logs. */
final class Brokers {
  private Brokers() {}

  @Client(
      of = "apache/rocketmq",
      file = "store/../rocksdb/RocksDBOptionsFactory.java, AbstractRocksDBStorage.java",
      date = "2025-09-11")
  static void rocketMqConsumeQueue(OptionSet set) {
    rocketMq(set);
    set.family()
        .setMaxWriteBufferNumber(4)
        .setWriteBufferSize(128 * MB)
        .setMinWriteBufferNumberToMerge(1)
        .setTableFormatConfig(
            table()
                .setFormatVersion(5)
                .setIndexType(IndexType.kBinarySearch)
                .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash)
                .setDataBlockHashTableUtilRatio(0.75)
                .setBlockSize(32 * KB)
                .setMetadataBlockSize(4 * KB)
                .setFilterPolicy(set.keep(new BloomFilter(16, false)))
                .setCacheIndexAndFilterBlocks(false)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setPinL0FilterAndIndexBlocksInCache(false)
                .setPinTopLevelIndexAndFilter(true)
                .setBlockCache(set.keep(new LRUCache(GB, 8, false)))
                .setWholeKeyFiltering(true))
        .setMemTableConfig(new SkipListMemTableConfig())
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION)
        .setNumLevels(7)
        .setCompactionPriority(CompactionPriority.MinOverlappingRatio)
        .setCompactionStyle(CompactionStyle.UNIVERSAL)
        .setCompactionOptionsUniversal(
            set.keep(new CompactionOptionsUniversal())
                .setSizeRatio(100)
                .setMaxSizeAmplificationPercent(25)
                .setAllowTrivialMove(true)
                .setMinMergeWidth(2)
                .setMaxMergeWidth(Integer.MAX_VALUE)
                .setStopStyle(CompactionStopStyle.CompactionStopStyleTotalSize)
                .setCompressionSizePercent(-1))
        .setMaxCompactionBytes(100 * GB)
        .setSoftPendingCompactionBytesLimit(100 * GB)
        .setHardPendingCompactionBytesLimit(256 * GB)
        .setLevel0FileNumCompactionTrigger(2)
        .setLevel0SlowdownWritesTrigger(8)
        .setLevel0StopWritesTrigger(10)
        .setTargetFileSizeBase(256 * MB)
        .setTargetFileSizeMultiplier(2)
        .setMergeOperator(set.keep(new StringAppendOperator()))
        .setReportBgIoStats(true)
        .setOptimizeFiltersForHits(true);
    set.operand = "offset".getBytes();
    set.writes.setSync(false).setDisableWAL(true).setNoSlowdown(false);
    set.reads.setPrefixSameAsStart(false).setTotalOrderSeek(false);
  }

  @Client(of = "apache/rocketmq", file = "store/../rocksdb/RocksDBOptionsFactory.java (offsets)", date = "2025-09-11")
  static void rocketMqOffsets(OptionSet set) {
    rocketMq(set);
    set.family("offset")
        .setMaxWriteBufferNumber(4)
        .setWriteBufferSize(64 * MB)
        .setMinWriteBufferNumberToMerge(1)
        .setTableFormatConfig(
            table()
                .setFormatVersion(5)
                .setIndexType(IndexType.kBinarySearch)
                .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinarySearch)
                .setBlockSize(32 * KB)
                .setFilterPolicy(set.keep(new BloomFilter(16, false)))
                .setCacheIndexAndFilterBlocks(false)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setPinL0FilterAndIndexBlocksInCache(false)
                .setPinTopLevelIndexAndFilter(true)
                .setBlockCache(set.keep(new LRUCache(128 * MB, 8, false)))
                .setWholeKeyFiltering(true))
        .setMemTableConfig(new SkipListMemTableConfig())
        .setCompressionType(CompressionType.NO_COMPRESSION)
        .setNumLevels(7)
        .setCompactionStyle(CompactionStyle.LEVEL)
        .setLevel0FileNumCompactionTrigger(2)
        .setLevel0SlowdownWritesTrigger(8)
        .setLevel0StopWritesTrigger(10)
        .setTargetFileSizeBase(64 * MB)
        .setTargetFileSizeMultiplier(2)
        .setMaxBytesForLevelBase(256 * MB)
        .setMaxBytesForLevelMultiplier(2)
        .setMergeOperator(set.keep(new StringAppendOperator()))
        .setInplaceUpdateSupport(true);
    set.writes.setDisableWAL(true);
  }

  private static void rocketMq(OptionSet set) {
    Statistics statistics = set.keep(new Statistics());
    statistics.setStatsLevel(StatsLevel.EXCEPT_DETAILED_TIMERS);
    set.db()
        .setInfoLogLevel(InfoLogLevel.INFO_LEVEL)
        .setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery)
        .setManualWalFlush(true)
        .setBytesPerSync(MB)
        .setMaxOpenFiles(-1)
        .setMaxLogFileSize(GB)
        .setKeepLogFileNum(5)
        .setMaxManifestFileSize(GB)
        .setAllowConcurrentMemtableWrite(false)
        .setStatistics(statistics)
        .setAtomicFlush(true)
        .setCompactionReadaheadSize(4 * MB)
        .setMaxBackgroundJobs(32)
        .setMaxSubcompactions(8)
        .setParanoidChecks(true)
        .setDelayedWriteRate(16 * MB)
        .setRateLimiter(set.keep(new RateLimiter(100 * MB)))
        .setUseDirectIoForFlushAndCompaction(false)
        .setUseDirectReads(false);
  }

  @Client(of = "apache/rocketmq", file = "common/../common/config/ConfigHelper.java", date = "2025-09-11")
  static void rocketMqConfiguration(OptionSet set) {
    Statistics statistics = set.keep(new Statistics());
    statistics.setStatsLevel(StatsLevel.EXCEPT_DETAILED_TIMERS);
    set.db()
        .setInfoLogLevel(InfoLogLevel.INFO_LEVEL)
        .setWalRecoveryMode(WALRecoveryMode.SkipAnyCorruptedRecords)
        .setManualWalFlush(true)
        .setDbWriteBufferSize(128 * MB)
        .setBytesPerSync(MB)
        .setWalBytesPerSync(MB)
        .setMaxOpenFiles(-1)
        .setMaxLogFileSize(GB)
        .setKeepLogFileNum(5)
        .setMaxManifestFileSize(GB)
        .setAllowConcurrentMemtableWrite(false)
        .setStatistics(statistics)
        .setStatsDumpPeriodSec(600)
        .setMaxBackgroundJobs(32)
        .setMaxSubcompactions(4)
        .setParanoidChecks(true)
        .setDelayedWriteRate(16 * MB)
        .setRateLimiter(set.keep(new RateLimiter(100 * MB)))
        .setUseDirectIoForFlushAndCompaction(true)
        .setUseDirectReads(true);
    set.family()
        .setMaxWriteBufferNumber(4)
        .setWriteBufferSize(64 * MB)
        .setMinWriteBufferNumberToMerge(1)
        .setTableFormatConfig(
            table()
                .setFormatVersion(5)
                .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinarySearch)
                .setBlockSize(32 * KB)
                .setFilterPolicy(set.keep(new BloomFilter(16, false)))
                .setCacheIndexAndFilterBlocks(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setPinTopLevelIndexAndFilter(true)
                .setBlockCache(set.keep(new LRUCache(4 * MB, 8, false)))
                .setWholeKeyFiltering(true))
        .setMemTableConfig(new SkipListMemTableConfig())
        .setCompressionType(CompressionType.NO_COMPRESSION)
        .setNumLevels(7)
        .setCompactionStyle(CompactionStyle.LEVEL)
        .setLevel0FileNumCompactionTrigger(4)
        .setLevel0SlowdownWritesTrigger(8)
        .setLevel0StopWritesTrigger(12)
        .setTargetFileSizeBase(64 * MB)
        .setTargetFileSizeMultiplier(2)
        .setMaxBytesForLevelBase(256 * MB)
        .setMaxBytesForLevelMultiplier(2)
        .setMergeOperator(set.keep(new StringAppendOperator()))
        .setInplaceUpdateSupport(true);
    set.writes.setSync(false).setDisableWAL(true).setNoSlowdown(true);
  }

  @Client(
      of = "apache/bookkeeper",
      file = "bookkeeper-server/../storage/ldb/KeyValueStorageRocksDB.java",
      date = "2026-04-28")
  static void bookKeeperEntries(OptionSet set) {
    set.options()
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setWriteBufferSize(64 * MB)
        .setMaxWriteBufferNumber(4)
        .setLevelZeroFileNumCompactionTrigger(4)
        .setMaxBytesForLevelBase(256 * MB)
        .setMaxBackgroundJobs(32)
        .setIncreaseParallelism(32)
        .setMaxTotalWalSize(512 * MB)
        .setMaxOpenFiles(-1)
        .setTargetFileSizeBase(64 * MB)
        .setDeleteObsoleteFilesPeriodMicros(3_600_000_000L)
        .setLevelCompactionDynamicLevelBytes(true)
        .setTableFormatConfig(
            table()
                .setBlockSize(64 * KB)
                .setBlockCache(set.keep(new LRUCache(100 * MB)))
                .setFormatVersion(5)
                .setChecksumType(ChecksumType.kxxHash)
                .setFilterPolicy(set.keep(new BloomFilter(10, false)))
                .setCacheIndexAndFilterBlocks(true))
        .setInfoLogLevel(InfoLogLevel.INFO_LEVEL)
        .setKeepLogFileNum(30)
        .setLogFileTimeToRoll(86_400);
    set.reads.setFillCache(false);
    set.writes.setSync(false);
  }

  @Client(of = "apache/bookkeeper", file = "conf/entry_location_rocksdb.conf.default", date = "2024-08-16")
  static void bookKeeperConfFile(OptionSet set) {
    set.file(
        """
        [Version]
          rocksdb_version=11.8.1
          options_file_version=1.1
        [DBOptions]
          create_if_missing=true
          info_log_level=INFO_LEVEL
          keep_log_file_num=30
          log_file_time_to_roll=86400
          max_background_jobs=32
          max_subcompactions=1
          max_total_wal_size=536870912
          max_open_files=-1
          delete_obsolete_files_period_micros=3600000000
        [CFOptions "default"]
          compression=kLZ4Compression
          write_buffer_size=67108864
          max_write_buffer_number=4
          num_levels=7
          level0_file_num_compaction_trigger=4
          max_bytes_for_level_base=268435456
          target_file_size_base=67108864
          level_compaction_dynamic_level_bytes=true
        [TableOptions/BlockBasedTable "default"]
          block_size=65536
          block_cache=206150041
          format_version=5
          checksum=kxxHash
          filter_policy=rocksdb.BloomFilter:10:false
          cache_index_and_filter_blocks=true
        """);
    set.writes.setSync(true);
  }

  @Client(of = "apache/bookkeeper", file = "stream/statelib/../impl/kv/RocksdbKVStore.java", date = "2026-04-28")
  static void bookKeeperState(OptionSet set) {
    set.kind = OptionSet.Kind.TTL;
    set.ttl = 7200;
    set.db().setErrorIfExists(false).setInfoLogLevel(InfoLogLevel.INFO_LEVEL).setIncreaseParallelism(2);
    for (String name : List.of("default", "data-ttl")) {
      set.family(name)
          .setTableFormatConfig(
              table()
                  .setBlockCache(set.keep(new LRUCache(64 * MB)))
                  .setBlockSize(4096)
                  .setChecksumType(ChecksumType.kNoChecksum))
          .setWriteBufferSize(32 * MB)
          .setCompressionType(CompressionType.LZ4_COMPRESSION)
          .setCompactionStyle(CompactionStyle.UNIVERSAL)
          .setMaxWriteBufferNumber(3);
    }
    set.writes.setDisableWAL(true);
  }

  @Client(
      of = "didi/DDMQ",
      file = "carrera-chronos/../db/OptionsConfig.java",
      date = "2018-12-29")
  static void chronos(OptionSet set) {
    set.db()
        .setMaxBackgroundFlushes(2)
        .setMaxBackgroundCompactions(4)
        .setMaxOpenFiles(2048)
        .setRowCache(set.keep(new LRUCache(GB, 16, true, 5)))
        .setMaxSubcompactions(2);
    set.family()
        .setTableFormatConfig(
            table()
                .setFilter(set.keep(new BloomFilter()))
                .setCacheIndexAndFilterBlocks(true)
                .setPinL0FilterAndIndexBlocksInCache(true))
        .useFixedLengthPrefixExtractor(10)
        .setWriteBufferSize(64 * MB)
        .setMaxWriteBufferNumber(4)
        .setLevel0SlowdownWritesTrigger(20)
        .setLevel0StopWritesTrigger(36)
        .setCompressionPerLevel(
            List.of(
                CompressionType.NO_COMPRESSION,
                CompressionType.NO_COMPRESSION,
                CompressionType.LZ4_COMPRESSION,
                CompressionType.LZ4_COMPRESSION,
                CompressionType.LZ4_COMPRESSION,
                CompressionType.ZSTD_COMPRESSION,
                CompressionType.ZSTD_COMPRESSION))
        .setTargetFileSizeBase(64 * MB)
        .setMaxBytesForLevelBase(512 * MB)
        .setOptimizeFiltersForHits(true);
    set.reads.setPrefixSameAsStart(true);
  }

  @Client(of = "qunarcorp/qmq", file = "qmq-backup/../store/impl/RocksDBStoreImpl.java", date = "2019-06-11")
  static void qmqBackup(OptionSet set) {
    set.kind = OptionSet.Kind.TTL;
    set.ttl = 86_400;
    set.options();
  }

  @Client(
      of = "hivemq/hivemq-community-edition",
      file = "../persistence/payload/PublishPayloadRocksDBLocalPersistence.java",
      date = "2026-03-10")
  static void hiveMqPayloads(OptionSet set) {
    hiveMq(set);
    set.options()
        .setEnableBlobFiles(true)
        .setEnableBlobGarbageCollection(true)
        .setCompressionType(CompressionType.NO_COMPRESSION)
        .setBlobCompressionType(CompressionType.NO_COMPRESSION)
        .setTargetFileSizeBase(1024)
        .setMaxBytesForLevelBase(10 * 1024);
    set.readOnlyGets = false;
  }

  @Client(
      of = "hivemq/hivemq-community-edition",
      file = "../persistence/local/rocksdb/RocksDBLocalPersistence.java",
      date = "2026-03-05")
  static void hiveMqRetained(OptionSet set) {
    hiveMq(set);
  }

  private static void hiveMq(OptionSet set) {
    set.options()
        .setStatistics(set.keep(new Statistics()))
        .setTableFormatConfig(table().setBlockCache(set.keep(new LRUCache(8 * MB))).setBlockSize(32 * KB))
        .setWriteBufferSize(4 * MB)
        .setStatsPersistPeriodSec(0)
        .setStatsDumpPeriodSec(0)
        .setMaxLogFileSize(500 * KB)
        .setKeepLogFileNum(2)
        .setStatsHistoryBufferSize(64 * KB);
  }

  @Client(
      of = "apache/bifromq",
      file = "base-kv-local-engine-rocksdb/../RocksDBOptionsUtil.java (with a log)",
      date = "2025-11-12")
  static void bifroMq(OptionSet set) {
    bifroMq(set, 4);
    set.db().setManualWalFlush(true).setBytesPerSync(MB).setAllowConcurrentMemtableWrite(true);
  }

  @Client(
      of = "apache/bifromq",
      file = "base-kv-local-engine-rocksdb/../RocksDBOptionsUtil.java (with checkpoints)",
      date = "2025-11-12")
  static void bifroMqCheckpoints(OptionSet set) {
    bifroMq(set, 0);
    set.db().setAllowConcurrentMemtableWrite(true).setBytesPerSync(MB);
    set.family().setCompressionType(CompressionType.NO_COMPRESSION);
    set.writes.setDisableWAL(true);
  }

  private static void bifroMq(OptionSet set, int recycled) {
    set.db()
        .setEnv(Env.getDefault())
        .setAvoidUnnecessaryBlockingIO(true)
        .setMaxManifestFileSize(64 * MB)
        .setMaxLogFileSize(128 * MB)
        .setKeepLogFileNum(4)
        .setRecycleLogFileNum(recycled)
        .setWalSizeLimitMB(0)
        .setWalTtlSeconds(0)
        .setEnablePipelinedWrite(true)
        .setTwoWriteQueues(false)
        .setRateLimiter(
            set.keep(
                new RateLimiter(
                    512 * MB,
                    RateLimiter.DEFAULT_REFILL_PERIOD_MICROS,
                    RateLimiter.DEFAULT_FAIRNESS,
                    RateLimiter.DEFAULT_MODE,
                    true)))
        .setMaxOpenFiles(256)
        .setIncreaseParallelism(2)
        .setMaxBackgroundJobs(2)
        .setAtomicFlush(false);
    set.family()
        .setMergeOperatorName("uint64add")
        .setTableFormatConfig(
            table()
                .setIndexType(IndexType.kTwoLevelIndexSearch)
                .setFilterPolicy(set.keep(new BloomFilter(16, false)))
                .setPartitionFilters(true)
                .setMetadataBlockSize(8 * KB)
                .setCacheIndexAndFilterBlocks(true)
                .setPinTopLevelIndexAndFilter(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setPinL0FilterAndIndexBlocksInCache(true)
                .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash)
                .setDataBlockHashTableUtilRatio(0.75)
                .setBlockSize(4 * KB)
                .setBlockCache(set.keep(new LRUCache(32 * MB, 8))))
        .setForceConsistencyChecks(true)
        .setCompactionStyle(CompactionStyle.LEVEL)
        .setPrepopulateBlobCache(PrepopulateBlobCache.PREPOPULATE_BLOB_FLUSH_ONLY)
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION)
        .setWriteBufferSize(128 * MB)
        .setMaxWriteBufferNumber(6)
        .setMinWriteBufferNumberToMerge(2)
        .setLevel0FileNumCompactionTrigger(8)
        .setMaxBytesForLevelBase(2 * GB)
        .setTargetFileSizeBase(256 * MB)
        .setMemtablePrefixBloomSizeRatio(0.125)
        .setLevel0SlowdownWritesTrigger(20)
        .setLevel0StopWritesTrigger(24)
        .setLevelCompactionDynamicLevelBytes(false)
        .setEnableBlobFiles(true)
        .setMinBlobSize(2 * KB)
        .enableBlobGarbageCollection();
    set.operand = new byte[] {1, 0, 0, 0, 0, 0, 0, 0};
  }
}
