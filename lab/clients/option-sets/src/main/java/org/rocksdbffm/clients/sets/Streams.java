/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.sets;

import static org.rocksdbffm.clients.sets.OptionSet.GB;
import static org.rocksdbffm.clients.sets.OptionSet.KB;
import static org.rocksdbffm.clients.sets.OptionSet.MB;
import static org.rocksdbffm.clients.sets.OptionSet.table;

import java.util.List;
import org.rocksdb.*;

/** Option sets of stream and data processors. */
final class Streams {
  private Streams() {}

  @Client(of = "apache/kafka", file = "streams/../state/internals/RocksDBStore.java", date = "2024-08-31")
  static void kafkaStreams(OptionSet set) {
    for (String name : List.of("default", "keyValueWithTimestamp")) {
      set.family(name)
          .setTableFormatConfig(
              table()
                  .setBlockCache(set.keep(new LRUCache(50 * MB)))
                  .setBlockSize(4096)
                  .setFilterPolicy(set.keep(new BloomFilter())))
          .optimizeFiltersForHits();
      set.family(name)
          .setWriteBufferSize(16 * MB)
          .setCompressionType(CompressionType.NO_COMPRESSION)
          .setCompactionStyle(CompactionStyle.UNIVERSAL)
          .setMaxWriteBufferNumber(3);
    }
    set.db().setErrorIfExists(false).setInfoLogLevel(InfoLogLevel.ERROR_LEVEL).setIncreaseParallelism(2);
    Statistics statistics = set.keep(new Statistics());
    statistics.setStatsLevel(StatsLevel.EXCEPT_DETAILED_TIMERS);
    set.db().setStatistics(statistics);
    set.writes.setDisableWAL(true);
  }

  @Client(
      of = "confluentinc/ksql",
      file = "ksqldb-rocksdb-config-setter/../KsqlBoundedMemoryRocksDBConfigSetter.java",
      date = "2023-06-02")
  static void ksql(OptionSet set) {
    Cache cache = set.keep(new LRUCache(64 * MB, -1, false, 0.1));
    set.options()
        .setWriteBufferManager(set.keep(new WriteBufferManager(32 * MB, cache)))
        .setCompactionStyle(CompactionStyle.UNIVERSAL)
        .setCompressionType(CompressionType.NO_COMPRESSION)
        .setMaxBackgroundJobs(2)
        .setCompactionOptionsUniversal(set.keep(new CompactionOptionsUniversal()).setAllowTrivialMove(true))
        .setStatsDumpPeriodSec(0)
        .setTableFormatConfig(
            table()
                .setBlockCache(cache)
                .setCacheIndexAndFilterBlocks(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setPinTopLevelIndexAndFilter(true));
    set.options().getEnv().setBackgroundThreads(1);
    set.writes.setDisableWAL(true);
  }

  @Client(
      of = "hypertrace/kafka-streams-framework",
      file = "../rocksdb/BoundedMemoryConfigSetter.java",
      date = "2023-09-20")
  static void hypertrace(OptionSet set) {
    Cache cache = set.keep(new LRUCache(64 * MB, -1, false, 0.1));
    set.options()
        .setTableFormatConfig(
            table()
                .setBlockSize(8 * KB)
                .setCacheIndexAndFilterBlocks(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setPinTopLevelIndexAndFilter(true)
                .setBlockCache(cache))
        .setMaxWriteBufferNumber(2)
        .setWriteBufferSize(8 * MB)
        .setWriteBufferManager(set.keep(new WriteBufferManager(32 * MB, cache)))
        .setCompactionStyle(CompactionStyle.UNIVERSAL)
        .setCompactionOptionsUniversal(
            set.keep(new CompactionOptionsUniversal()).setMaxSizeAmplificationPercent(50).setCompressionSizePercent(-1))
        .setPeriodicCompactionSeconds(86_400)
        .setCompressionType(CompressionType.SNAPPY_COMPRESSION)
        .setInfoLogLevel(InfoLogLevel.INFO_LEVEL)
        .setUseDirectReads(false);
    set.options().optimizeForPointLookup(16);
    set.writes.setDisableWAL(true);
  }

  @Client(
      of = "littlehorse-enterprises/littlehorse",
      file = "server/../common/util/RocksConfigSetter.java",
      date = "2026-06-12")
  static void littleHorse(OptionSet set) {
    Cache cache = set.keep(new LRUCache(64 * MB, -1, true));
    Env env = Env.getDefault();
    env.setBackgroundThreads(4, Priority.LOW);
    env.setBackgroundThreads(4, Priority.HIGH);
    set.options()
        .setEnv(env)
        .setMaxBackgroundJobs(4)
        .setMaxSubcompactions(3)
        .setInfoLogLevel(InfoLogLevel.INFO_LEVEL)
        .setLogFileTimeToRoll(86_400)
        .setKeepLogFileNum(14)
        .setOptimizeFiltersForHits(false)
        .setWriteBufferSize(64 * MB)
        .setWriteBufferManager(set.keep(new WriteBufferManager(256 * MB, cache, true)))
        .setCompactionStyle(CompactionStyle.UNIVERSAL)
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setLevel0FileNumCompactionTrigger(4)
        .setCompactionOptionsUniversal(
            set.keep(new CompactionOptionsUniversal())
                .setAllowTrivialMove(true)
                .setMinMergeWidth(2)
                .setSizeRatio(20)
                .setMaxSizeAmplificationPercent(100))
        .setTargetFileSizeBase(128 * MB)
        .setMaxWriteBufferNumber(3)
        .setAdviseRandomOnOpen(true)
        .setCompactionReadaheadSize(256 * KB)
        .setBytesPerSync(MB)
        .setRateLimiter(set.keep(new RateLimiter(200 * MB)))
        .setSkipStatsUpdateOnDbOpen(true)
        .setTableFormatConfig(
            table()
                .setFilterPolicy(set.keep(new BloomFilter(10)))
                .setOptimizeFiltersForMemory(true)
                .setBlockSize(64 * KB)
                .setPinL0FilterAndIndexBlocksInCache(true)
                .setCacheIndexAndFilterBlocks(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setIndexType(IndexType.kBinarySearch)
                .setIndexShortening(IndexShorteningMode.kShortenSeparatorsAndSuccessor)
                .setBlockCache(cache));
    set.writes.setDisableWAL(true);
  }

  @Client(of = "rayokota/kcache", file = "kcache-rocksdb/../RocksDBCache.java", date = "2022-08-07")
  static void kcacheBulk(OptionSet set) {
    set.db().setIncreaseParallelism(2).setMaxBackgroundFlushes(4);
    set.family()
        .setComparator(BuiltinComparator.BYTEWISE_COMPARATOR)
        .setDisableAutoCompactions(true)
        .setLevel0FileNumCompactionTrigger(1 << 30)
        .setLevel0SlowdownWritesTrigger(1 << 30)
        .setLevel0StopWritesTrigger(1 << 30);
    set.writes.setDisableWAL(true);
  }

  @Client(of = "apache/flink", file = "flink-statebackend-rocksdb/../PredefinedOptions.java (DEFAULT)", date = "1.20")
  static void flinkDefault(OptionSet set) {
    set.db().setUseFsync(false).setInfoLogLevel(InfoLogLevel.HEADER_LEVEL).setStatsDumpPeriodSec(0);
    set.family("state").setMergeOperatorName("stringappendtest");
    set.family("timers");
    set.operand = "list".getBytes();
    set.family().setMergeOperatorName("stringappendtest");
    set.family("timers").setMergeOperatorName("stringappendtest");
    set.writes.setDisableWAL(true);
  }

  @Client(
      of = "apache/flink",
      file = "flink-statebackend-rocksdb/../PredefinedOptions.java (SPINNING_DISK_OPTIMIZED_HIGH_MEM)",
      date = "1.20")
  static void flinkSpinningDisk(OptionSet set) {
    set.db()
        .setIncreaseParallelism(4)
        .setUseFsync(false)
        .setMaxOpenFiles(-1)
        .setInfoLogLevel(InfoLogLevel.HEADER_LEVEL)
        .setStatsDumpPeriodSec(0);
    set.family()
        .setCompactionStyle(CompactionStyle.LEVEL)
        .setLevelCompactionDynamicLevelBytes(true)
        .setTargetFileSizeBase(256 * MB)
        .setMaxBytesForLevelBase(GB)
        .setWriteBufferSize(64 * MB)
        .setMinWriteBufferNumberToMerge(3)
        .setMaxWriteBufferNumber(4)
        .setTableFormatConfig(
            table().setBlockCacheSize(256 * MB).setBlockSize(128 * KB).setFilter(set.keep(new BloomFilter())));
    set.writes.setDisableWAL(true);
  }

  @Client(of = "apache/flink-benchmarks", file = "state backend options: one write buffer", date = "1.20")
  static void flinkBenchmark(OptionSet set) {
    set.db().setUseFsync(false).setStatsDumpPeriodSec(0);
    set.family().setMaxWriteBufferNumber(1).setWriteBufferSize(64 * MB);
    set.writes.setDisableWAL(true);
  }

  @Client(of = "apache/fluss", file = "fluss-server/../kv/rocksdb/RocksDBResourceContainer.java", date = "2026-01-18")
  static void fluss(OptionSet set) {
    set.db()
        .setUseFsync(false)
        .setStatsDumpPeriodSec(0)
        .setMaxBackgroundJobs(2)
        .setMaxOpenFiles(-1)
        .setInfoLogLevel(InfoLogLevel.INFO_LEVEL)
        .setMaxLogFileSize(25 * MB)
        .setKeepLogFileNum(4)
        .setRateLimiter(set.keep(new RateLimiter(Long.MAX_VALUE)))
        .setStatistics(set.keep(new Statistics()));
    set.family()
        .setCompactionStyle(CompactionStyle.LEVEL)
        .setCompressionPerLevel(
            List.of(
                CompressionType.LZ4_COMPRESSION,
                CompressionType.LZ4_COMPRESSION,
                CompressionType.LZ4_COMPRESSION,
                CompressionType.LZ4_COMPRESSION,
                CompressionType.LZ4_COMPRESSION,
                CompressionType.ZSTD_COMPRESSION,
                CompressionType.ZSTD_COMPRESSION))
        .setLevelCompactionDynamicLevelBytes(false)
        .setTargetFileSizeBase(64 * MB)
        .setMaxBytesForLevelBase(256 * MB)
        .setWriteBufferSize(64 * MB)
        .setMaxWriteBufferNumber(2)
        .setMinWriteBufferNumberToMerge(1)
        .setTableFormatConfig(
            table()
                .setBlockSize(4 * KB)
                .setMetadataBlockSize(4 * KB)
                .setBlockCache(set.keep(new LRUCache(8 * MB)))
                .setCacheIndexAndFilterBlocks(false)
                .setCacheIndexAndFilterBlocksWithHighPriority(false)
                .setPinL0FilterAndIndexBlocksInCache(false)
                .setPinTopLevelIndexAndFilter(false)
                .setFilterPolicy(set.keep(new BloomFilter(10.0, false))));
    set.writes.setDisableWAL(true);
  }

  @Client(of = "apache/paimon", file = "paimon-core/../lookup/rocksdb/RocksDBOptions.java", date = "0.8")
  static void paimonLookup(OptionSet set) {
    set.kind = OptionSet.Kind.TTL;
    set.ttl = 3600;
    set.db().setMaxBackgroundJobs(2).setMaxOpenFiles(-1).setInfoLogLevel(InfoLogLevel.INFO_LEVEL);
    set.db().setMaxLogFileSize(25 * MB).setKeepLogFileNum(4);
    set.family()
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setCompactionStyle(CompactionStyle.LEVEL)
        .setLevelCompactionDynamicLevelBytes(false)
        .setTargetFileSizeBase(64 * MB)
        .setMaxBytesForLevelBase(256 * MB)
        .setWriteBufferSize(64 * MB)
        .setMaxWriteBufferNumber(2)
        .setMinWriteBufferNumberToMerge(1)
        .setTableFormatConfig(table().setBlockSize(4 * KB).setMetadataBlockSize(4 * KB).setBlockCacheSize(128 * MB));
    set.writes.setDisableWAL(true);
  }

  @Client(of = "apache/spark", file = "common/kvstore/../RocksDB.java", date = "4.0")
  static void sparkHistory(OptionSet set) {
    set.options()
        .setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION)
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setTableFormatConfig(
            table()
                .setFilterPolicy(set.keep(new BloomFilter(10.0, false)))
                .setEnableIndexCompression(false)
                .setIndexBlockRestartInterval(8)
                .setFormatVersion(5));
    set.writes.setSync(false);
  }

  @Client(of = "apache/celeborn", file = "worker/../shuffledb/RocksDBProvider.java", date = "2026-06-22")
  static void celeborn(OptionSet set) {
    set.options()
        .setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION)
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setTableFormatConfig(
            table()
                .setFilterPolicy(set.keep(new BloomFilter(10.0, false)))
                .setEnableIndexCompression(false)
                .setIndexBlockRestartInterval(8)
                .setFormatVersion(5));
    set.options().setLogger(set.keep(new Quiet(InfoLogLevel.INFO_LEVEL)));
    set.writes.setSync(true);
  }

  @Client(of = "apache/samza", file = "samza-kv-rocksdb/../RocksDbOptionsHelper.java", date = "2024-08-26")
  static void samza(OptionSet set) {
    samza(set.options());
  }

  @Client(of = "apache/samza", file = "samza-kv-rocksdb/../RocksDbOptionsHelper.java (restore)", date = "2024-08-26")
  static void samzaRestore(OptionSet set) {
    samza(set.options());
    set.options().prepareForBulkLoad();
  }

  @Client(of = "apache/samza", file = "samza-kv-rocksdb/../RocksDbKeyValueStore.scala (TTL)", date = "2022-05-25")
  static void samzaTtl(OptionSet set) {
    set.kind = OptionSet.Kind.TTL;
    set.ttl = 3600;
    samza(set.options());
    set.options().setCompactionStyle(CompactionStyle.FIFO);
  }

  private static void samza(Options options) {
    options.setManualWalFlush(true);
    options.setWalRecoveryMode(WALRecoveryMode.AbsoluteConsistency);
    options.setWriteBufferSize(32 * MB);
    options.setCompressionType(CompressionType.SNAPPY_COMPRESSION);
    options.setTableFormatConfig(table().setBlockCacheSize(100 * MB).setBlockSize(4096));
    options.setCompactionStyle(CompactionStyle.UNIVERSAL);
    options.setMaxBackgroundJobs(4);
    options.setMaxWriteBufferNumber(3);
    options.setErrorIfExists(false);
    options.setMaxLogFileSize(64 * MB);
    options.setKeepLogFileNum(2);
    options.setDeleteObsoleteFilesPeriodMicros(21_600_000_000L);
    options.setMaxOpenFiles(-1);
    options.setMaxFileOpeningThreads(16);
    options.setMaxManifestFileSize(GB);
  }

  @Client(of = "apache/storm", file = "storm-server/../metricstore/rocksdb/RocksDbStore.java", date = "2023-06-01")
  static void stormMetrics(OptionSet set) {
    set.options().setTableFormatConfig(table().setIndexType(IndexType.kHashSearch));
    set.options().useCappedPrefixExtractor(16);
  }

  @Client(of = "alibaba/jstorm", file = "jstorm-core/../cache/rocksdb/RocksDbOptionsFactory.java", date = "2017-05-12")
  static void jstorm(OptionSet set) {
    set.options()
        .setMergeOperator(set.keep(new StringAppendOperator()))
        .setMaxWriteBufferNumber(4)
        .setWriteBufferSize(64 * MB)
        .setMemTableConfig(new HashLinkedListMemTableConfig())
        .setAllowConcurrentMemtableWrite(false);
    set.options().useFixedLengthPrefixExtractor(8);
    set.options()
        .setTableFormatConfig(
            table()
                .setBlockSize(32 * KB)
                .setBlockCacheSize(64 * MB)
                .setFilter(set.keep(new BloomFilter(10, false)))
                .setCacheIndexAndFilterBlocks(true)
                .setIndexType(IndexType.kHashSearch)
                .setWholeKeyFiltering(false))
        .setTargetFileSizeBase(64 * MB)
        .setMaxOpenFiles(-1)
        .setMaxBackgroundFlushes(2)
        .setMaxBackgroundCompactions(2)
        .setCompactionStyle(CompactionStyle.LEVEL)
        .setLevelZeroFileNumCompactionTrigger(4)
        .setLevelZeroSlowdownWritesTrigger(20)
        .setLevelZeroStopWritesTrigger(30)
        .setNumLevels(4)
        .setMaxBytesForLevelBase(256 * MB);
    set.operand = "part".getBytes();
  }

  @Client(of = "apache/geaflow", file = "geaflow-store-rocksdb/../DefaultGraphOptions.java", date = "2026-06-01")
  static void geaflow(OptionSet set) {
    set.options()
        .setMergeOperator(set.keep(new StringAppendOperator()))
        .setTableFormatConfig(
            table()
                .setBlockSize(128 * KB)
                .setBlockCacheSize(256 * MB)
                .setFilter(set.keep(new BloomFilter(10, false)))
                .setCacheIndexAndFilterBlocks(true)
                .setPinL0FilterAndIndexBlocksInCache(true))
        .setMaxWriteBufferNumber(2)
        .setWriteBufferSize(128 * MB)
        .setTargetFileSizeBase(GB)
        .setMaxBackgroundFlushes(2)
        .setMaxBackgroundCompactions(2)
        .setLevelZeroFileNumCompactionTrigger(20)
        .setLevelZeroSlowdownWritesTrigger(30)
        .setLevelZeroStopWritesTrigger(40)
        .setNumLevels(4)
        .setMaxManifestFileSize(50 * KB)
        .setParanoidChecks(true);
    set.writes.setDisableWAL(true);
    set.operand = "edge".getBytes();
  }

  @Client(of = "apache/rocketmq-streams", file = "core/../state/RocksDBStore.java", date = "2023-08-03")
  static void rocketMqStreams(OptionSet set) {
    set.kind = OptionSet.Kind.TTL;
    set.ttl = 10_800;
    set.options();
    set.reads.setPrefixSameAsStart(true).setTotalOrderSeek(true);
    set.writes.setSync(false).setDisableWAL(true);
  }

  @Client(of = "apache/hudi", file = "hudi-common/../util/collection/RocksDBDAO.java", date = "1.0")
  static void hudi(OptionSet set) {
    set.db().setWalDir("hudi").setStatsDumpPeriodSec(300).setStatistics(set.keep(new Statistics()));
    set.db().setLogger(set.keep(new Quiet(set.db())));
    set.family("partitions");
    set.family("files");
  }

  @Client(of = "apache/inlong", file = "inlong-agent/../plugin/store/RocksDBStoreImpl.java", date = "2024-06-21")
  static void inlongAgent(OptionSet set) {
    set.db().setWalDir("inlongAgent").setStatistics(set.keep(new Statistics()));
  }

  @Client(of = "yahoo/maha", file = "db/../rocksdb/RocksDBAccessor.scala", date = "2020-02-06")
  static void mahaRows(OptionSet set) {
    set.options()
        .setTableFormatConfig(table().setBlockSize(4 * KB).setBlockCacheSize(8 * MB))
        .setMaxOpenFiles(-1)
        .setWriteBufferSize(8 * MB)
        .setCompressionType(CompressionType.NO_COMPRESSION)
        .setParanoidChecks(true);
    set.options().optimizeForPointLookup(8);
    set.options().setMemTableConfig(new HashSkipListMemTableConfig()).setAllowConcurrentMemtableWrite(false);
  }

  @Client(of = "yahoo/maha", file = "druid-lookups/../namespace/RocksDBManager.java", date = "2023-01-01")
  static void mahaLookup(OptionSet set) {
    set.family().optimizeForPointLookup(64).setMemTableConfig(new HashSkipListMemTableConfig());
    set.db().setWalDir("mahaLookup").setAllowConcurrentMemtableWrite(false);
  }
}
