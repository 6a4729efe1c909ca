/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.sets;

import static org.rocksdbffm.clients.sets.OptionSet.GB;
import static org.rocksdbffm.clients.sets.OptionSet.KB;
import static org.rocksdbffm.clients.sets.OptionSet.MB;
import static org.rocksdbffm.clients.sets.OptionSet.table;

import java.util.List;
import org.rocksdb.*;

/** Option sets of blockchain nodes. */
final class Ledgers {
  private Ledgers() {}

  @Client(
      of = "hyperledger/besu",
      file = "plugins/rocksdb/../segmented/RocksDBColumnarKeyValueStorage.java",
      date = "2026-06-01")
  static void besu(OptionSet set) {
    set.kind = OptionSet.Kind.OPTIMISTIC;
    set.db()
        .setMaxOpenFiles(1024)
        .setStatistics(set.keep(new Statistics()))
        .setLogFileTimeToRoll(86_400)
        .setKeepLogFileNum(7)
        .setEnv(Env.getDefault().setBackgroundThreads(4))
        .setMaxTotalWalSize(GB)
        .setRecycleLogFileNum(16);
    for (String name : List.of("default", "blockchain", "trie-log")) {
      set.family(name)
          .setTtl(0)
          .setCompressionType(CompressionType.LZ4_COMPRESSION)
          .setTableFormatConfig(besuTable(set, 128 * MB))
          .setLevelCompactionDynamicLevelBytes(true);
    }
    set.family("blockchain")
        .setEnableBlobFiles(true)
        .setEnableBlobGarbageCollection(true)
        .setMinBlobSize(100)
        .setBlobCompressionType(CompressionType.LZ4_COMPRESSION)
        .setBlobGarbageCollectionAgeCutoff(0.25)
        .setBlobGarbageCollectionForceThreshold(0.5);
    set.reads.setVerifyChecksums(false);
    set.writes.setNoSlowdown(true).setIgnoreMissingColumnFamilies(true);
  }

  private static BlockBasedTableConfig besuTable(OptionSet set, long cache) {
    return table()
        .setFormatVersion(5)
        .setBlockCache(set.keep(new LRUCache(cache)))
        .setFilterPolicy(set.keep(new BloomFilter(10, false)))
        .setPartitionFilters(true)
        .setCacheIndexAndFilterBlocks(false)
        .setBlockSize(32 * KB);
  }

  @Client(
      of = "Consensys/shomei",
      file = "services/storage/rocksdb/../RocksDBSegmentedStorage.java",
      date = "2026-04-07")
  static void shomei(OptionSet set) {
    set.kind = OptionSet.Kind.OPTIMISTIC;
    set.db()
        .setMaxOpenFiles(1024)
        .setDbWriteBufferSize(GB)
        .setMaxBackgroundCompactions(4)
        .setStatistics(set.keep(new Statistics()))
        .setEnv(Env.getDefault().setBackgroundThreads(4));
    set.family("accounts")
        .setTtl(0)
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setTableFormatConfig(besuTable(set, GB));
    set.reads.setVerifyChecksums(false);
    set.writes.setNoSlowdown(true).setIgnoreMissingColumnFamilies(true);
  }

  @Client(of = "ConsenSys/teku", file = "storage/../server/rocksdb/RocksDbInstanceFactory.java", date = "2021-05-25")
  static void teku(OptionSet set) {
    set.kind = OptionSet.Kind.PESSIMISTIC;
    set.db()
        .setBytesPerSync(MB)
        .setWalBytesPerSync(MB)
        .setIncreaseParallelism(2)
        .setMaxBackgroundJobs(6)
        .setDbWriteBufferSize(128 * MB)
        .setMaxOpenFiles(128)
        .setEnv(Env.getDefault().setBackgroundThreads(6))
        .setStatistics(set.keep(new Statistics()));
    for (String name : List.of("default", "hot-blocks")) {
      set.family(name)
          .setCompressionType(CompressionType.NO_COMPRESSION)
          .setBottommostCompressionType(CompressionType.NO_COMPRESSION)
          .setTableFormatConfig(
              table()
                  .setBlockCache(set.keep(new LRUCache(8 * MB)))
                  .setCacheIndexAndFilterBlocks(true)
                  .setFormatVersion(4));
    }
  }

  @Client(
      of = "ethereum/ethereumj",
      file = "ethereumj-core/../datasource/rocksdb/RocksDbDataSource.java",
      date = "2018-08-09")
  static void ethereumJ(OptionSet set) {
    set.options()
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION)
        .setLevelCompactionDynamicLevelBytes(true)
        .setMaxOpenFiles(512)
        .setIncreaseParallelism(1);
    set.options().useFixedLengthPrefixExtractor(16);
    set.options().setTableFormatConfig(ethereumTable(set));
    set.reads.setPrefixSameAsStart(true).setVerifyChecksums(false);
  }

  private static BlockBasedTableConfig ethereumTable(OptionSet set) {
    return table()
        .setBlockSize(16 * KB)
        .setBlockCacheSize(32 * MB)
        .setCacheIndexAndFilterBlocks(true)
        .setPinL0FilterAndIndexBlocksInCache(true)
        .setFilter(set.keep(new BloomFilter(10, false)));
  }

  @Client(of = "rsksmart/rskj", file = "rskj-core/../datasource/RocksDbDataSource.java", date = "2025-04-16")
  static void rskj(OptionSet set) {
    set.options()
        .setCompressionType(CompressionType.NO_COMPRESSION)
        .setArenaBlockSize(10 * MB)
        .setWriteBufferSize(10 * MB)
        .setParanoidChecks(true);
  }

  @Client(of = "nuls-io/nuls-v2", file = "common/nuls-core-rockdb/../manager/RocksDBManager.java", date = "2024-01-09")
  static void nuls(OptionSet set) {
    nuls(set.options(), set);
    set.options()
        .setMaxBackgroundCompactions(16)
        .setCompactionReadaheadSize(128 * KB);
  }

  @Client(
      of = "nuls-io/nuls-v2",
      file = "common/nuls-core-rockdb/../manager/TransactionDBManager.java",
      date = "2024-01-09")
  static void nulsTransactions(OptionSet set) {
    set.kind = OptionSet.Kind.PESSIMISTIC;
    nuls(set.options(), set);
  }

  private static void nuls(Options options, OptionSet set) {
    options
        .setAllowMmapReads(true)
        .setCompressionType(CompressionType.NO_COMPRESSION)
        .setMaxOpenFiles(-1)
        .setTableFormatConfig(
            table()
                .setNoBlockCache(true)
                .setBlockRestartInterval(4)
                .setFilterPolicy(set.keep(new BloomFilter(10, true))));
  }

  @Client(
      of = "nuls-io/nuls-v2",
      file = "module/nuls-cores/../datasource/rocksdb/RocksDbDataSource.java",
      date = "2024-01-09")
  static void nulsContracts(OptionSet set) {
    set.options()
        .setAllowMmapReads(true)
        .setCompressionType(CompressionType.NO_COMPRESSION)
        .setMaxOpenFiles(-1)
        .setTableFormatConfig(
            table()
                .setBlockCache(set.keep(new LRUCache(32 * MB)))
                .setCacheIndexAndFilterBlocks(true)
                .setPinL0FilterAndIndexBlocksInCache(true)
                .setBlockRestartInterval(4)
                .setFilterPolicy(set.keep(new BloomFilter(10, true))))
        .setCompactionReadaheadSize(128 * KB);
  }

  @Client(
      of = "tronprotocol/java-tron",
      file = "chainbase/../storage/rocksdb/RocksDbDataSourceImpl.java (as configured)",
      date = "2025-02-13")
  static void javaTron(OptionSet set) {
    javaTron(set, 7, 4, 256 * MB, 256 * MB);
  }

  @Client(
      of = "tronprotocol/java-tron",
      file = "chainbase/../storage/rocksdb/RocksDbDataSourceImpl.java (not configured)",
      date = "2025-02-13")
  static void javaTronDefaults(OptionSet set) {
    javaTron(set, 7, 0, 64 * MB, 512 * MB);
  }

  private static void javaTron(OptionSet set, int levels, int trigger, long fileSize, long levelSize) {
    set.options().setStatistics(set.keep(new Statistics()));
    set.options().setStatsDumpPeriodSec(60);
    set.options().setIncreaseParallelism(1);
    set.options().setLevelCompactionDynamicLevelBytes(true);
    set.options().setMaxOpenFiles(5000);
    set.options().setNumLevels(levels);
    set.options().setMaxBytesForLevelMultiplier(10);
    set.options().setMaxBytesForLevelBase(levelSize);
    set.options().setMaxBackgroundCompactions(32);
    set.options().setLevel0FileNumCompactionTrigger(trigger);
    set.options().setTargetFileSizeMultiplier(1);
    set.options().setTargetFileSizeBase(fileSize);
    set.options().setLogger(set.keep(new Quiet(InfoLogLevel.INFO_LEVEL)));
    set.options()
        .setTableFormatConfig(
            table()
                .setBlockSize(64 * KB)
                .setBlockCache(set.keep(new LRUCache(GB)))
                .setCacheIndexAndFilterBlocks(true)
                .setPinL0FilterAndIndexBlocksInCache(true)
                .setFilter(set.keep(new BloomFilter(10, false))));
    set.reads.setPrefixSameAsStart(true).setVerifyChecksums(false);
  }

  @Client(of = "tronprotocol/java-tron", file = "plugins/../utils/DBUtils.java", date = "2025-02-14")
  static void javaTronToolkit(OptionSet set) {
    set.options().setIncreaseParallelism(1);
    set.options().setNumLevels(7);
    set.options().setMaxOpenFiles(5000);
    set.options().setTargetFileSizeBase(64 * MB);
    set.options().setTargetFileSizeMultiplier(1);
    set.options().setMaxBytesForLevelBase(512 * MB);
    set.options().setMaxBackgroundCompactions(2);
    set.options().setLevel0FileNumCompactionTrigger(4);
    set.options().setLevelCompactionDynamicLevelBytes(true);
    set.options().setTableFormatConfig(ethereumTable(set).setBlockSize(64 * KB));
    set.options().prepareForBulkLoad();
  }

  @Client(of = "aionnetwork/aion", file = "modDbImpl/../rocksdb/RocksDBWrapper.java", date = "2020-04-17")
  static void aion(OptionSet set) {
    set.options().setUseFsync(false);
    set.options().setCompressionType(CompressionType.LZ4_COMPRESSION);
    set.options().setBottommostCompressionType(CompressionType.ZLIB_COMPRESSION);
    set.options().setMinWriteBufferNumberToMerge(4);
    set.options().setLevel0StopWritesTrigger(16);
    set.options().setLevel0SlowdownWritesTrigger(8);
    set.options().setAtomicFlush(true);
    set.options().setWriteBufferSize(8 * MB);
    set.options().setParanoidChecks(true);
    set.options().setMaxOpenFiles(1024);
    set.options()
        .setTableFormatConfig(
            table()
                .setBlockSize(4 * KB)
                .setCacheIndexAndFilterBlocks(true)
                .setPinL0FilterAndIndexBlocksInCache(true)
                .setFilterPolicy(set.keep(new BloomFilter(10, false))));
    set.options().setDisableAutoCompactions(false);
    set.options().setIncreaseParallelism(1);
    set.options().setLevelCompactionDynamicLevelBytes(true);
    set.options().setMaxBackgroundCompactions(2);
    set.options().setMaxBackgroundFlushes(2);
    set.options().setBytesPerSync(MB);
    set.options().setCompactionPriority(CompactionPriority.MinOverlappingRatio);
    set.options().optimizeLevelStyleCompaction(128 * MB);
    set.writes.setLowPri(true);
  }

  @Client(of = "wavesplatform/Waves", file = "node/../database/RDB.scala", date = "2024-03-12")
  static void wavesNode(OptionSet set) {
    set.db()
        .setIncreaseParallelism(2)
        .setBytesPerSync(2 * MB)
        .setMaxOpenFiles(100)
        .setMaxSubcompactions(2)
        .setMaxManifestFileSize(200 * MB)
        .setAllowMmapReads(false)
        .setStatistics(set.keep(new Statistics()));
    waves(set, "default", 0.0).setMaxWriteBufferNumber(3).setCfPaths(paths("wavesNode.default"));
    waves(set, "tx-meta", 0.0)
        .optimizeForPointLookup(16 << 20)
        .setDisableAutoCompactions(true)
        .setCfPaths(paths("wavesNode.tx-meta"));
    waves(set, "transactions", 0.0).setCfPaths(paths("wavesNode.tx"));
    set.reads.setVerifyChecksums(false).setTotalOrderSeek(false).setPrefixSameAsStart(true);
    set.writes.setLowPri(true);
  }

  private static List<DbPath> paths(String name) {
    return List.of(new DbPath(java.nio.file.Path.of(name), 0));
  }

  private static ColumnFamilyOptions waves(OptionSet set, String name, double pool) {
    return set.family(name)
        .setTableFormatConfig(
            table()
                .setFilterPolicy(set.keep(new BloomFilter(10)))
                .setOptimizeFiltersForMemory(true)
                .setCacheIndexAndFilterBlocks(true)
                .setPinL0FilterAndIndexBlocksInCache(true)
                .setFormatVersion(5)
                .setBlockSize(32 * KB)
                .setBlockCache(set.keep(new LRUCache(64 * MB, -1, false, pool)))
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash)
                .setDataBlockHashTableUtilRatio(0.5))
        .setWriteBufferSize(64 * MB)
        .setCompactionStyle(CompactionStyle.LEVEL)
        .setLevelCompactionDynamicLevelBytes(true)
        .useCappedPrefixExtractor(10)
        .setMemtablePrefixBloomSizeRatio(0.25)
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setSstPartitionerFactory(set.keep(new SstPartitionerFixedPrefixFactory(2)));
  }

  @Client(of = "wavesplatform/Waves", file = "ride-runner/../db/RideRocksDb.scala", date = "2023-10-13")
  static void wavesRideRunner(OptionSet set) {
    Statistics statistics = set.keep(new Statistics());
    statistics.setStatsLevel(StatsLevel.ALL);
    set.db()
        .setParanoidChecks(true)
        .setIncreaseParallelism(4)
        .setBytesPerSync(2 * MB)
        .setMaxBackgroundJobs(4)
        .setMaxOpenFiles(50)
        .setWalSizeLimitMB(1 << 20)
        .setSkipStatsUpdateOnDbOpen(true)
        .setStatistics(statistics);
    set.family()
        .setTableFormatConfig(
            table()
                .setFilterPolicy(set.keep(new BloomFilter(10)))
                .setOptimizeFiltersForMemory(true)
                .setCacheIndexAndFilterBlocks(true)
                .setPinL0FilterAndIndexBlocksInCache(true)
                .setFormatVersion(5)
                .setBlockSize(32 * KB)
                .setChecksumType(ChecksumType.kNoChecksum)
                .setBlockCache(set.keep(new LRUCache(64 * MB, -1, false, 0.0)))
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash)
                .setDataBlockHashTableUtilRatio(0.5))
        .setWriteBufferSize(64 * MB)
        .setLevelCompactionDynamicLevelBytes(true)
        .useFixedLengthPrefixExtractor(2)
        .setMemtablePrefixBloomSizeRatio(0.25)
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setSstPartitionerFactory(set.keep(new SstPartitionerFixedPrefixFactory(2)));
  }

  @Client(of = "alephium/alephium", file = "io/../RocksDBSource.scala (production)", date = "2026-07-06")
  static void alephium(OptionSet set) {
    set.db()
        .setMaxOpenFiles(1024)
        .setLogFileTimeToRoll(86_400)
        .setKeepLogFileNum(7)
        .setDbWriteBufferSize(256 * MB)
        .setLogger(set.keep(new Quiet(InfoLogLevel.ERROR_LEVEL)))
        .setEnv(Env.getDefault().setBackgroundThreads(6))
        .setMaxTotalWalSize(GB)
        .setRecycleLogFileNum(16);
    for (String name : List.of("default", "block", "trie")) {
      set.family(name)
          .setLevelCompactionDynamicLevelBytes(true)
          .setTtl(0)
          .setCompressionType(CompressionType.LZ4_COMPRESSION)
          .setTableFormatConfig(besuTable(set, 32 * MB))
          .setWriteBufferSize(64 * MB);
    }
    set.reads.setVerifyChecksums(false);
    set.writes.setNoSlowdown(true).setIgnoreMissingColumnFamilies(true);
  }

  @Client(of = "alephium/alephium", file = "io/../RocksDBSource.scala (tests)", date = "2026-07-06")
  static void alephiumTests(OptionSet set) {
    set.db()
        .setUseFsync(false)
        .setMaxOpenFiles(512)
        .setKeepLogFileNum(1)
        .setBytesPerSync(MB)
        .setDbWriteBufferSize(8 * MB)
        .setIncreaseParallelism(1)
        .setRateLimiter(set.keep(new RateLimiter(16 * MB)));
    set.family("all")
        .setLevelCompactionDynamicLevelBytes(true)
        .setTableFormatConfig(
            table()
                .setBlockSize(64 * KB)
                .setBlockCache(set.keep(new LRUCache(5 * MB)))
                .setCacheIndexAndFilterBlocks(true)
                .setPinL0FilterAndIndexBlocksInCache(true))
        .optimizeLevelStyleCompaction(8 * MB)
        .setTargetFileSizeBase(256 * MB)
        .setCompressionPerLevel(List.of());
    set.reads.setVerifyChecksums(false);
    set.writes.setSync(false);
  }

  @Client(of = "input-output-hk/mantis", file = "../db/dataSource/RocksDbDataSource.scala", date = "2021-07-02")
  static void mantis(OptionSet set) {
    set.db().setParanoidChecks(true).setMaxOpenFiles(32).setIncreaseParallelism(1);
    set.family("node")
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION)
        .setLevelCompactionDynamicLevelBytes(true)
        .setTableFormatConfig(
            table()
                .setBlockSize(16 * KB)
                .setBlockCache(set.keep(new ClockCache(32 * MB)))
                .setCacheIndexAndFilterBlocks(true)
                .setPinL0FilterAndIndexBlocksInCache(true)
                .setFilterPolicy(set.keep(new BloomFilter(10, false))));
    set.reads.setVerifyChecksums(false);
  }

  @Client(of = "iotaledger/iri", file = "../storage/rocksDB/RocksDBPersistenceProvider.java", date = "2020-01-21")
  static void iri(OptionSet set) {
    Env.getDefault().setBackgroundThreads(2, Priority.HIGH).setBackgroundThreads(2, Priority.LOW);
    set.db()
        .setMaxLogFileSize(MB)
        .setMaxManifestFileSize(MB)
        .setMaxOpenFiles(10_000)
        .setMaxBackgroundCompactions(1)
        .setAllowConcurrentMemtableWrite(true)
        .setMaxSubcompactions(2)
        .setSstFileManager(set.files());
    for (String name : List.of("default", "transaction", "tag")) {
      set.family(name)
          .setMergeOperator(set.keep(new StringAppendOperator()))
          .setTableFormatConfig(
              table()
                  .setFilterPolicy(set.keep(new BloomFilter(10)))
                  .setBlockSizeDeviation(10)
                  .setBlockRestartInterval(16)
                  .setBlockCache(set.keep(new LRUCache(1000 * KB, 2))))
          .setMaxWriteBufferNumber(2)
          .setWriteBufferSize(2 * MB);
    }
    set.operand = "hash".getBytes();
  }

  @Client(
      of = "blockchain-jd-com/jdchain-core",
      file = "storage/storage-rocksdb/../RocksDBConnectionFactory.java",
      date = "2022-03-08")
  static void jdChain(OptionSet set) {
    set.options()
        .setMaxOpenFiles(1000)
        .setMemTableConfig(new HashLinkedListMemTableConfig())
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setAllowConcurrentMemtableWrite(false)
        .setTableFormatConfig(
            table()
                .setBlockCache(set.keep(new LRUCache(GB, 64, false)))
                .setCacheIndexAndFilterBlocks(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setIndexType(IndexType.kTwoLevelIndexSearch)
                .setPartitionFilters(true)
                .setMetadataBlockSize(4096)
                .setPinL0FilterAndIndexBlocksInCache(true)
                .setPinTopLevelIndexAndFilter(true)
                .setFilterPolicy(null)
                .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash)
                .setDataBlockHashTableUtilRatio(0.75));
    set.reads.setFillCache(true).setVerifyChecksums(false);
  }

  @Client(of = "bloxbean/rocks-types", file = "core/../config/RocksDBConfig.java", date = "2023-12-13")
  static void rocksTypes(OptionSet set) {
    set.family("sets").useCappedPrefixExtractor(56);
    set.family("sets").setTableFormatConfig(table().setFilterPolicy(set.keep(new BloomFilter(10, false))));
  }
}
