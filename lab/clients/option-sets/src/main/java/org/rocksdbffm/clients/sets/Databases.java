/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.sets;

import static org.rocksdbffm.clients.sets.OptionSet.GB;
import static org.rocksdbffm.clients.sets.OptionSet.KB;
import static org.rocksdbffm.clients.sets.OptionSet.MB;
import static org.rocksdbffm.clients.sets.OptionSet.table;

import java.util.List;
import org.rocksdb.*;

/** Option sets of databases, file systems and caches that store rows in RocksDB. */
final class Databases {
  private Databases() {}

  @Client(
      of = "apache/incubator-hugegraph",
      file = "hugegraph-rocksdb/../rocksdb/RocksDBStdSessions.java",
      date = "2024-02-20")
  static void hugeGraph(OptionSet set) {
    hugeGraphDatabase(set);
    hugeGraphFamily(set, "default");
    hugeGraphFamily(set, "g+v").optimizeLevelStyleCompaction();
    set.operand = new byte[] {1, 0, 0, 0, 0, 0, 0, 0};
  }

  @Client(
      of = "apache/incubator-hugegraph",
      file = "hugegraph-rocksdb/../rocksdb/RocksDBStdSessions.java (bulk load)",
      date = "2024-02-20")
  static void hugeGraphBulkLoad(OptionSet set) {
    hugeGraphDatabase(set);
    for (String name : List.of("default", "g+e")) {
      ColumnFamilyOptions family = hugeGraphFamily(set, name);
      family.setDisableAutoCompactions(true);
      family.setLevel0FileNumCompactionTrigger(Integer.MAX_VALUE);
      family.setLevel0SlowdownWritesTrigger(Integer.MAX_VALUE);
      family.setLevel0StopWritesTrigger(Integer.MAX_VALUE);
      family.setSoftPendingCompactionBytesLimit(Long.MAX_VALUE);
      family.setHardPendingCompactionBytesLimit(Long.MAX_VALUE);
    }
    set.changes.add("disable_auto_compactions=false");
    set.changes.add("level0_file_num_compaction_trigger=2147483647");
    set.changes.add("level0_slowdown_writes_trigger=20");
    set.changes.add("level0_stop_writes_trigger=36");
    set.changes.add("level0_file_num_compaction_trigger=2");
    set.operand = new byte[] {1, 0, 0, 0, 0, 0, 0, 0};
  }

  private static void hugeGraphDatabase(OptionSet set) {
    DBOptions db = set.db();
    db.setWriteDbidToManifest(true);
    db.setAvoidUnnecessaryBlockingIO(true);
    db.setIncreaseParallelism(1);
    db.setAllowConcurrentMemtableWrite(true);
    db.setEnableWriteThreadAdaptiveYield(true);
    db.setInfoLogLevel(InfoLogLevel.INFO_LEVEL);
    db.setMaxSubcompactions(4);
    db.setAllowMmapWrites(false);
    db.setAllowMmapReads(false);
    db.setUseDirectReads(false);
    db.setUseDirectIoForFlushAndCompaction(false);
    db.setUseFsync(false);
    db.setAtomicFlush(false);
    db.setMaxManifestFileSize(100 * MB);
    db.setSkipStatsUpdateOnDbOpen(false);
    db.setMaxFileOpeningThreads(16);
    db.setDbWriteBufferSize(0);
    db.setLogReadaheadSize(0);
    db.setMaxBackgroundJobs(8);
    db.setDelayedWriteRate(16 * MB);
    db.setMaxOpenFiles(-1);
    db.setMaxTotalWalSize(0);
    db.setBytesPerSync(0);
    db.setWalBytesPerSync(0);
    db.setStrictBytesPerSync(false);
    db.setCompactionReadaheadSize(0);
    db.setDeleteObsoleteFilesPeriodMicros(21_600_000_000L);
    db.setSstFileManager(set.files());
  }

  private static ColumnFamilyOptions hugeGraphFamily(OptionSet set, String name) {
    ColumnFamilyOptions family = set.family(name);
    family.setNumLevels(7);
    family.setCompactionStyle(CompactionStyle.LEVEL);
    family.setBottommostCompressionType(CompressionType.NO_COMPRESSION);
    family.setCompressionPerLevel(
        List.of(
            CompressionType.NO_COMPRESSION,
            CompressionType.NO_COMPRESSION,
            CompressionType.SNAPPY_COMPRESSION,
            CompressionType.SNAPPY_COMPRESSION,
            CompressionType.SNAPPY_COMPRESSION,
            CompressionType.SNAPPY_COMPRESSION,
            CompressionType.SNAPPY_COMPRESSION));
    family.setMinWriteBufferNumberToMerge(2);
    family.setInplaceUpdateSupport(false);
    family.setLevelCompactionDynamicLevelBytes(false);
    family.setOptimizeFiltersForHits(true);
    family.setTableFormatConfig(
        table()
            .setFormatVersion(5)
            .setIndexType(IndexType.kBinarySearch)
            .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash)
            .setDataBlockHashTableUtilRatio(0.75)
            .setBlockSize(4 * KB)
            .setBlockSizeDeviation(10)
            .setBlockRestartInterval(16)
            .setBlockCache(set.keep(new LRUCache(8 * MB)))
            .setWholeKeyFiltering(true)
            .setCacheIndexAndFilterBlocks(true)
            .setPinL0FilterAndIndexBlocksInCache(true));
    family.setMergeOperatorName("uint64add");
    family.setCompressionType(CompressionType.SNAPPY_COMPRESSION);
    family.setWriteBufferSize(128 * MB);
    family.setMaxWriteBufferNumber(6);
    family.setMaxBytesForLevelBase(512 * MB);
    family.setMaxBytesForLevelMultiplier(10.0);
    family.setTargetFileSizeBase(64 * MB);
    family.setTargetFileSizeMultiplier(1);
    family.setLevel0FileNumCompactionTrigger(2);
    family.setLevel0SlowdownWritesTrigger(20);
    family.setLevel0StopWritesTrigger(36);
    family.setSoftPendingCompactionBytesLimit(64 * GB);
    family.setHardPendingCompactionBytesLimit(256 * GB);
    family.setMemtablePrefixBloomSizeRatio(0.0);
    family.setMemtableWholeKeyFiltering(false);
    return family.setMemtableHugePageSize(0);
  }

  @Client(
      of = "linkedin/venice",
      file = "da-vinci-client/../store/rocksdb/RocksDBStoragePartition.java",
      date = "2026-07-21")
  static void venice(OptionSet set) {
    venice(set, CompressionType.NO_COMPRESSION);
    set.options()
        .setTableFormatConfig(
            table()
                .setBlockSize(16 * KB)
                .setBlockCache(set.keep(new LRUCache(16 * GB, 4, false)))
                .setCacheIndexAndFilterBlocks(true)
                .setFormatVersion(2));
  }

  @Client(
      of = "linkedin/venice",
      file = "da-vinci-client/../store/rocksdb/RocksDBStoragePartition.java (plain table)",
      date = "2026-07-21")
  static void venicePlainTable(OptionSet set) {
    venice(set, CompressionType.NO_COMPRESSION);
    PlainTableConfig plain = new PlainTableConfig();
    plain.setStoreIndexInFile(true);
    plain.setHugePageTlbSize(0);
    plain.setBloomBitsPerKey(10);
    set.options().setTableFormatConfig(plain);
    set.options().setAllowMmapReads(true);
    set.options().useCappedPrefixExtractor(16);
    set.ranges = false;
  }

  @Client(
      of = "linkedin/venice",
      file = "da-vinci-client/../store/rocksdb/RocksDBStoragePartition.java (blobs)",
      date = "2026-07-21")
  static void veniceBlobs(OptionSet set) {
    venice(set, CompressionType.ZSTD_COMPRESSION);
    set.options().setEnableBlobFiles(true);
    set.options().setEnableBlobGarbageCollection(true);
    set.options().setMinBlobSize(4 * KB);
    set.options().setBlobFileSize(256 * MB);
    set.options().setBlobGarbageCollectionAgeCutoff(0.25);
    set.options().setBlobGarbageCollectionForceThreshold(0.8);
    set.options().setBlobFileStartingLevel(0);
    set.readOnlyGets = false;
  }

  private static void venice(OptionSet set, CompressionType compression) {
    Env env = Env.getDefault();
    env.setBackgroundThreads(1, Priority.HIGH);
    env.setBackgroundThreads(8, Priority.LOW);
    SstFileManager files = set.files();
    files.setDeleteRateBytesPerSecond(0);
    files.setMaxTrashDBRatio(0.25);
    set.options()
        .setEnv(env)
        .setRateLimiter(
            set.keep(
                new RateLimiter(
                    100 * MB, RateLimiter.DEFAULT_REFILL_PERIOD_MICROS, 10, RateLimiterMode.WRITES_ONLY, false)))
        .setSstFileManager(files)
        .setWriteBufferManager(set.keep(new WriteBufferManager(2 * GB, set.keep(new LRUCache(64 * MB)))))
        .setCompressionType(compression)
        .setCompactionStyle(CompactionStyle.LEVEL)
        .setBytesPerSync(MB)
        .setUseDirectReads(false)
        .setMaxOpenFiles(-1)
        .setTargetFileSizeBase(64 * MB)
        .setMaxFileOpeningThreads(16)
        .setMinWriteBufferNumberToMerge(1)
        .setStatsDumpPeriodSec(0)
        .setStatsPersistPeriodSec(0)
        .setKeepLogFileNum(3)
        .setMaxLogFileSize(10 * MB)
        .setLevel0FileNumCompactionTrigger(40)
        .setLevel0SlowdownWritesTrigger(60)
        .setLevel0StopWritesTrigger(80)
        .setWriteBufferSize(32 * MB)
        .setMaxWriteBufferNumber(2)
        .setMaxTotalWalSize(0)
        .setMaxBytesForLevelBase(2 * GB)
        .setMemtableHugePageSize(0)
        .setAtomicFlush(true);
    set.reads.setReadaheadSize(2 * MB).setPinData(false).setFillCache(false).setBackgroundPurgeOnIteratorCleanup(true);
    set.writes.setDisableWAL(true);
  }

  @Client(of = "vaticle/typedb", file = "database/RocksConfiguration.java", date = "2024-03-27")
  static void typeDb(OptionSet set) {
    set.kind = OptionSet.Kind.OPTIMISTIC;
    set.db()
        .setMaxSubcompactions(2)
        .setMaxBackgroundJobs(2)
        .setEnableWriteThreadAdaptiveYield(true)
        .setAllowConcurrentMemtableWrite(true);
    LRUCache cache = set.keep(new LRUCache(GB, -1, false, 0.3f));
    typeDbFamily(set, "default", cache, true, true, 128 * MB, 4);
    typeDbFamily(set, "VARIABLE_START_EDGE", cache, false, false, 128 * MB, 4);
    typeDbFamily(set, "FIXED_START_EDGE", cache, true, false, 128 * MB, 4).useFixedLengthPrefixExtractor(11);
    typeDbFamily(set, "OPTIMISATION_EDGE", cache, true, false, 64 * MB, 2).useFixedLengthPrefixExtractor(13);
  }

  private static ColumnFamilyOptions typeDbFamily(
      OptionSet set, String name, LRUCache cache, boolean filter, boolean wholeKeys, long buffer, int buffers) {
    BlockBasedTableConfig table =
        table()
            .setBlockSize(16 * KB)
            .setFormatVersion(5)
            .setIndexBlockRestartInterval(16)
            .setEnableIndexCompression(false)
            .setBlockCache(cache)
            .setWholeKeyFiltering(wholeKeys);
    if (filter) {
      table.setFilterPolicy(set.keep(new BloomFilter(10, false)));
    }
    return set.family(name)
        .setWriteBufferSize(buffer)
        .setMaxWriteBufferNumber(buffers)
        .setMaxBytesForLevelBase(buffer * buffers)
        .setTargetFileSizeBase(64 * MB)
        .setCompressionPerLevel(
            List.of(
                CompressionType.NO_COMPRESSION,
                CompressionType.NO_COMPRESSION,
                CompressionType.LZ4_COMPRESSION,
                CompressionType.LZ4_COMPRESSION,
                CompressionType.LZ4_COMPRESSION,
                CompressionType.LZ4_COMPRESSION,
                CompressionType.LZ4_COMPRESSION))
        .setTableFormatConfig(table);
  }

  @Client(of = "projectnessie/nessie", file = "versioned/storage/rocksdb/../RocksDBBackend.java", date = "2024-06-06")
  static void nessie(OptionSet set) {
    set.kind = OptionSet.Kind.PESSIMISTIC;
    set.db();
    for (String name : List.of("default", "refs", "objs")) {
      set.family(name).optimizeUniversalStyleCompaction();
    }
  }

  @Client(of = "infinispan/infinispan", file = "persistence/rocksdb/../RocksDBStore.java", date = "2026-07-03")
  static void infinispan(OptionSet set) {
    java.util.Properties database = new java.util.Properties();
    database.setProperty("max_background_jobs", "4");
    set.db(DBOptions.getDBOptionsFromProps(database));
    java.util.Properties family = new java.util.Properties();
    family.setProperty("write_buffer_size", "33554432");
    family.setProperty("prefix_extractor", "nullptr");
    set.family("meta-cf", ColumnFamilyOptions.getColumnFamilyOptionsFromProps(family));
    set.family("meta-cf").setCompressionType(CompressionType.NO_COMPRESSION);
    set.family().setComparator(BuiltinComparator.BYTEWISE_COMPARATOR);
    set.reads.setFillCache(false);
    set.writes.setDisableWAL(false);
  }

  @Client(of = "line/centraldogma", file = "server/../storage/encryption/RocksDBStorage.java", date = "2026-02-11")
  static void centralDogma(OptionSet set) {
    set.db();
    for (String name : List.of("default", "encryption_metadata", "encrypted_object")) {
      set.family(name)
          .setCompressionType(CompressionType.NO_COMPRESSION)
          .setTableFormatConfig(table().setFilterPolicy(set.keep(new BloomFilter())));
    }
    set.writes.setSync(true);
  }

  @Client(of = "dremio/dremio-oss", file = "sabot/kernel/../store/cache/RocksDbBroker.java", date = "2024-04-05")
  static void dremio(OptionSet set) {
    set.kind = OptionSet.Kind.TTL;
    set.ttl = 30 * 86_400;
    set.db();
    set.family("orphanage").optimizeForSmallDb();
  }

  @Client(of = "Alluxio/alluxio", file = "core/server/master/../metastore/rocks/RocksInodeStore.java", date = "2.9")
  static void alluxioInodes(OptionSet set) {
    set.db().setAllowConcurrentMemtableWrite(false).setMaxOpenFiles(-1);
    for (String name : List.of("inodes", "edges")) {
      set.family(name)
          .useFixedLengthPrefixExtractor(Long.BYTES)
          .setMemTableConfig(new HashLinkedListMemTableConfig())
          .setCompressionType(CompressionType.NO_COMPRESSION);
    }
    set.reads.setPrefixSameAsStart(true);
    set.writes.setDisableWAL(true);
  }

  @Client(of = "apache/ozone", file = "hadoop-hdds/framework/../utils/db/DBProfile.java (SSD)", date = "2026-07-07")
  static void ozoneSsd(OptionSet set) {
    ozone(set);
    set.family().setCompactionStyle(CompactionStyle.LEVEL);
  }

  @Client(of = "apache/ozone", file = "hadoop-hdds/framework/../utils/db/DBProfile.java (DISK)", date = "2026-07-07")
  static void ozoneDisk(OptionSet set) {
    ozone(set);
    set.db().setCompactionReadaheadSize(4 * MB);
    set.family().setCompactionStyle(CompactionStyle.LEVEL);
    set.family("keyTable").setDisableAutoCompactions(true);
  }

  private static void ozone(OptionSet set) {
    set.db()
        .setIncreaseParallelism(2)
        .setMaxBackgroundCompactions(4)
        .setMaxBackgroundFlushes(2)
        .setBytesPerSync(MB)
        .setMaxLogFileSize(100 * MB)
        .setKeepLogFileNum(10);
    set.db().setLogger(set.keep(new Quiet(InfoLogLevel.INFO_LEVEL)));
    for (String name : List.of("default", "keyTable")) {
      set.family(name)
          .setLevelCompactionDynamicLevelBytes(true)
          .setWriteBufferSize(128 * MB)
          .setTableFormatConfig(
              table()
                  .setBlockCache(set.keep(new LRUCache(256 * MB)))
                  .setBlockSize(16 * KB)
                  .setFormatVersion(5)
                  .setPinL0FilterAndIndexBlocksInCache(true)
                  .setFilterPolicy(set.keep(new BloomFilter())));
    }
  }

  @Client(of = "crawler-commons/url-frontier", file = "service/../rocksdb/RocksDBService.java", date = "2026-08-19")
  static void urlFrontier(OptionSet set) {
    Statistics statistics = set.keep(new Statistics());
    statistics.setStatsLevel(StatsLevel.ALL);
    set.db().setAtomicFlush(true).setMaxBackgroundJobs(4).setMaxSubcompactions(1).setStatistics(statistics);
    for (String name : List.of("default", "queues", "metadata")) {
      set.family(name).optimizeUniversalStyleCompaction();
      set.family(name).setTableFormatConfig(table().setFilterPolicy(set.keep(new BloomFilter(10))));
    }
    set.writes.setDisableWAL(true);
  }

  @Client(of = "ApsaraDB/galaxycdc", file = "polardbx-cdc-storage/../Repository.java", date = "2021-10-18")
  static void galaxyCdc(OptionSet set) {
    set.options();
    set.reads.setIgnoreRangeDeletions(true);
  }

  @Client(of = "polardb/polardbx-cdc", file = "polardbx-cdc-storage/../RocksDBOptionUtil.java", date = "2024-11-11")
  static void polarDbXCdc(OptionSet set) {
    set.options().setStatsDumpPeriodSec(60);
    set.options().setMaxBackgroundJobs(2);
    set.options().setLogger(set.keep(new Quiet(InfoLogLevel.INFO_LEVEL)));
  }

  @Client(of = "brianfrankcooper/YCSB", file = "rocksdb/../RocksDBClient.java", date = "2019-10-17")
  static void ycsb(OptionSet set) {
    set.db().setIncreaseParallelism(4).setMaxBackgroundCompactions(4).setInfoLogLevel(InfoLogLevel.INFO_LEVEL);
    set.family("usertable").optimizeLevelStyleCompaction();
  }

  @Client(of = "yahoo/HaloDB", file = "benchmarks/../RocksDBStorageEngine.java", date = "2018-08-14")
  static void haloDbBenchmark(OptionSet set) {
    Env env = Env.getDefault();
    env.setBackgroundThreads(20, Priority.LOW);
    set.options()
        .setStatsDumpPeriodSec(1_000_000)
        .setWriteBufferSize(128 * MB)
        .setMaxWriteBufferNumber(3)
        .setMaxBackgroundCompactions(20)
        .setEnv(env)
        .setMaxBytesForLevelBase(10_485_760)
        .setTargetFileSizeBase(67_108_864)
        .setLevel0FileNumCompactionTrigger(4)
        .setLevel0SlowdownWritesTrigger(6)
        .setLevel0StopWritesTrigger(12)
        .setNumLevels(6)
        .setDeleteObsoleteFilesPeriodMicros(300_000_000)
        .setAllowMmapReads(false)
        .setCompressionType(CompressionType.SNAPPY_COMPRESSION)
        .setCompressionPerLevel(
            List.of(
                CompressionType.NO_COMPRESSION,
                CompressionType.NO_COMPRESSION,
                CompressionType.SNAPPY_COMPRESSION,
                CompressionType.SNAPPY_COMPRESSION,
                CompressionType.SNAPPY_COMPRESSION,
                CompressionType.SNAPPY_COMPRESSION));
    set.writes.setDisableWAL(true);
  }

  @Client(of = "lmdbjava/benchmarks", file = "../bench/RocksDb.java", date = "2022-12-02")
  static void lmdbJavaBenchmark(OptionSet set) {
    set.options().setCompressionType(CompressionType.NO_COMPRESSION).setWriteBufferSize(64 * MB);
  }

  @Client(of = "kotyo/clj-rocksdb", file = "src/clj_rocksdb.clj", date = "2020-05-18")
  static void clojure(OptionSet set) {
    set.options()
        .setErrorIfExists(false)
        .setDbWriteBufferSize(32 * MB)
        .setMaxOpenFiles(100)
        .setParanoidChecks(true)
        .setComparator(BuiltinComparator.REVERSE_BYTEWISE_COMPARATOR)
        .setCompressionType(CompressionType.SNAPPY_COMPRESSION);
    set.writes.setSync(true);
    set.ranges = false;
  }

  @Client(
      of = "opencb/cellbase",
      file = "cellbase-lib/../clinical/variant/ClinicalVariantBuilder.java",
      date = "2024-06-26")
  static void cellBase(OptionSet set) {
    set.options();
  }
}
