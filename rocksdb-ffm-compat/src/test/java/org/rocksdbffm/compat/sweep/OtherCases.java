/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.sweep;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.ClockCache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.HyperClockCache;
import org.rocksdb.LRUCache;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.MutableDBOptions;
import org.rocksdb.Options;
import org.rocksdb.Priority;
import org.rocksdb.RateLimiter;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileManager;
import org.rocksdb.SstPartitionerFixedPrefixFactory;
import org.rocksdb.TablePropertiesCollectorFactory;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;

/** Cases without setters: parameters of constructors and methods, option strings, and changes of an open database. */
final class OtherCases {
  private static final String[] FAMILY_TEXTS = {
    "arena_block_size=2147483648", "target_file_size_base=0", "num_levels=-1", "num_levels=65537",
    "sst_partitioner_factory={id=SstPartitionerFixedPrefixFactory;length=8;}",
    "sst_partitioner_factory=SstPartitionerFixedPrefixFactory", "memtable_insert_with_hint_prefix_extractor=fixed:3",
    "table_factory={id=PlainTable;}", "block_based_table_factory={index_type=kHashSearch}",
    "block_based_table_factory={checksum=kNoChecksum}", "block_based_table_factory={block_size=2147483648}",
    "block_based_table_factory={separate_key_value_in_data_block=true}",
    "block_based_table_factory={uniform_cv_threshold=0.2}",
    "block_based_table_factory={index_block_search_type=kInterpolation}", "memtable=vector",
    "memtable=prefix_hash:1000",
    "memtable=skip_list:5", "compression=kZSTDNotFinalCompression", "compression=kXpressCompression",
    "inplace_update_support=true", "blob_direct_write_partitions=2", "memtable_batch_lookup_optimization=true",
    "persist_user_defined_timestamps=false", "comparator=rocksdb.BytewiseComparator",
    "comparator=rocksdb.ReverseBytewiseComparator", "max_write_buffer_number=1", "level0_slowdown_writes_trigger=-1",
    "level0_slowdown_writes_trigger=2147483647", "level0_stop_writes_trigger=2147483647",
    "level0_file_num_compaction_trigger=-1", "level0_file_num_compaction_trigger=0",
    "memtable_prefix_bloom_size_ratio=0.5", "write_buffer_size=0", "compression_manager=BuiltinV2",
    "max_bytes_for_level_base=0", "unknown_option=1", "merge_operator=stringappend",
    "prefix_extractor=rocksdb.FixedPrefix.3",
    "compression=kZlibCompression;compression_opts={window_bits=15}", "compaction_style=kCompactionStyleFIFO",
    "compaction_style=kCompactionStyleNone", "compaction_options_fifo={max_table_files_size=1}",
  };
  private static final String[] DATABASE_TEXTS = {
    "unordered_write=true", "allow_mmap_writes=true", "allow_mmap_writes=true;allow_fallocate=false",
    "best_efforts_recovery=true", "persist_stats_to_disk=true", "wal_recovery_mode=kSkipAnyCorruptedRecords",
    "async_wal_precreate=true", "fast_sst_open=true", "open_files_async=true", "optimize_manifest_for_recovery=true",
    "reuse_manifest_on_open=true", "track_and_verify_wals=true", "rate_limiter_bytes_per_sec=1000",
    "rate_limiter_bytes_per_sec=100000", "env=Default", "env={id=Default}", "statistics=BasicStatistics",
    "statistics={id=BasicStatistics;}", "delayed_write_rate=1000", "max_log_file_size=1",
    "info_log_level=NUM_INFO_LOG_LEVELS",
    "keep_log_file_num=0", "recycle_log_file_num=2000", "WAL_ttl_seconds=9223372036854775807",
    "max_subcompactions=2000",
    "wal_compression=kLZ4Compression", "wal_compression=kZSTD", "table_cache_numshardbits=20", "unknown_option=1",
    "log_readahead_size=68719476736", "two_write_queues=true", "allow_2pc=true", "max_background_jobs=200",
  };
  private static final String[] FAMILY_CHANGES = {
    "level0_slowdown_writes_trigger=2147483647", "level0_stop_writes_trigger=2147483647",
    "level0_file_num_compaction_trigger=2147483647", "level0_file_num_compaction_trigger=-1",
    "level0_file_num_compaction_trigger=100", "max_write_buffer_number=1", "write_buffer_size=0", "write_buffer_size=1",
    "memtable_prefix_bloom_size_ratio=0.5", "max_bytes_for_level_multiplier=0", "ttl=9223372036854775807",
    "periodic_compaction_seconds=9223372036854775807", "blob_file_size=1",
    "compaction_options_fifo={max_table_files_size=1}",
    "unknown=1", "arena_block_size=2147483648", "target_file_size_base=0", "disable_auto_compactions=true",
    "block_based_table_factory={block_size=2147483648}",
  };
  private static final String[] DATABASE_CHANGES = {
    "max_background_jobs=150", "delayed_write_rate=1", "compaction_readahead_size=1073741824", "max_subcompactions=150",
    "unknown=1", "max_background_compactions=150", "max_open_files=1", "bytes_per_sync=18446744073709551615",
    "stats_dump_period_sec=0",
  };

  private final Workload workload;
  private final List<SweepCase> all;

  private OtherCases(Workload workload, List<SweepCase> all) {
    this.workload = workload;
    this.all = all;
  }

  static void add(Workload workload, List<SweepCase> all) {
    OtherCases others = new OtherCases(workload, all);
    others.caches();
    others.things();
    others.lessUsed();
    others.texts();
    others.changes();
  }

  private interface Number {
    String use(long number, Path folder) throws Exception;
  }

  private void numbers(String name, Number use, long... numbers) {
    for (long number : numbers) {
      all.add(new SweepCase(name + "(" + number + ")", folder -> use.use(number, folder)));
    }
  }

  private String cached(Cache cache, Path folder) throws Exception {
    try (cache) {
      String rows =
          workload.run(
              Subjects.options().setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(cache)), folder);
      return rows + (cache.getUsage() >= 0 && cache.getPinnedUsage() >= 0 ? "" : ", which is less than nothing");
    }
  }

  private void caches() {
    long[] shards = {Integer.MIN_VALUE, -2, -1, 0, 1, 6, 10, 12, 15, 19, 20, 25, 31, 32, 64};
    long[] sizes = {Long.MIN_VALUE, -2, -1, 0, 1, 1000, 1 << 20, 1L << 33, 1L << 50, Long.MAX_VALUE};
    numbers("LRUCache shards", (bits, folder) -> cached(new LRUCache(8 << 20, (int) bits), folder), shards);
    numbers("ClockCache shards", (bits, folder) -> cached(clock(8 << 20, (int) bits), folder), shards);
    numbers("HyperClockCache shards", (bits, folder) ->
        cached(new HyperClockCache(8 << 20, 0, (int) bits, false), folder), shards);
    numbers("LRUCache capacity", (size, folder) -> cached(new LRUCache(size), folder), sizes);
    numbers("HyperClockCache capacity", (size, folder) ->
        cached(new HyperClockCache(size, 0, -1, false), folder), sizes);
    numbers("HyperClockCache charge", (size, folder) ->
        cached(new HyperClockCache(8 << 20, size, 2, false), folder), sizes);
    for (double ratio : new double[] {-0.1, 0, 0.5, 1, 1.5}) {
      all.add(
          new SweepCase("LRUCache high(" + ratio + ")", folder ->
              cached(new LRUCache(8 << 20, 2, false, ratio), folder)));
      all.add(
          new SweepCase("LRUCache low(" + ratio + ")", folder ->
              cached(new LRUCache(8 << 20, 2, false, 0, ratio), folder)));
    }
    all.add(
        new SweepCase("LRUCache high and low(0.7, 0.7)", folder ->
            cached(new LRUCache(8 << 20, 2, false, 0.7, 0.7), folder)));
  }

  @SuppressWarnings("deprecation")
  private static Cache clock(long capacity, int bits) {
    return new ClockCache(capacity, bits, false);
  }

  private String limited(RateLimiter limiter, Path folder) throws Exception {
    try (limiter;
        Options options = Subjects.options().setRateLimiter(limiter)) {
      return workload.run(options, folder);
    }
  }

  private void things() {
    long[] rates = {Long.MIN_VALUE, -1, 0, 1, 10, 100, 1000, 65536, 1 << 20, 1L << 40, Long.MAX_VALUE};
    numbers("RateLimiter rate", (rate, folder) -> limited(new RateLimiter(rate), folder), rates);
    numbers("RateLimiter period", (micros, folder) -> limited(new RateLimiter(1 << 26, micros), folder), rates);
    numbers("RateLimiter fairness", (times, folder) -> limited(new RateLimiter(1 << 26, 100_000, (int) times), folder),
        Integer.MIN_VALUE, -1, 0, 1, 10, 1000, Integer.MAX_VALUE);
    numbers("RateLimiter.setBytesPerSecond", (rate, folder) -> {
      RateLimiter limiter = new RateLimiter(1 << 26);
      limiter.setBytesPerSecond(rate);
      return limited(limiter, folder);
    }, rates);
    numbers("RateLimiter.request", (bytes, folder) -> {
      try (RateLimiter limiter = new RateLimiter(1 << 26)) {
        limiter.request(bytes);
        return "returned";
      }
    }, -1, 0, 1, 1000);
    numbers("WriteBufferManager", (size, folder) -> {
      try (LRUCache cache = new LRUCache(8 << 20);
          WriteBufferManager manager = new WriteBufferManager(size, cache)) {
        return workload.run(Subjects.options().setWriteBufferManager(manager), folder);
      }
    }, Long.MIN_VALUE, -1, 0, 1, 1000, 1 << 20, 1L << 40, Long.MAX_VALUE);
    numbers("SstPartitionerFixedPrefixFactory", (length, folder) -> {
      try (SstPartitionerFixedPrefixFactory factory = new SstPartitionerFixedPrefixFactory(length)) {
        return workload.run(Subjects.options().setSstPartitionerFactory(factory), folder);
      }
    }, Long.MIN_VALUE, -1, 0, 1, 8, 100, 1L << 40, Long.MAX_VALUE);
    numbers("WriteBatch", (bytes, folder) -> {
      try (WriteBatch batch = new WriteBatch((int) bytes)) {
        return batch.count() + " entries";
      }
    }, Integer.MIN_VALUE, -1, 0, 1, 1000);
    numbers("WriteBatchWithIndex", (bytes, folder) -> {
      try (WriteBatchWithIndex batch = new WriteBatchWithIndex(null, (int) bytes, true)) {
        return batch.count() + " entries";
      }
    }, Integer.MIN_VALUE, -1, 0, 1, 1000);
    numbers("SstFileManager.setMaxAllowedSpaceUsage", (size, folder) ->
        managed(its -> its.setMaxAllowedSpaceUsage(size), folder), rates);
    numbers("SstFileManager.setCompactionBufferSize", (size, folder) ->
        managed(its -> its.setCompactionBufferSize(size), folder), rates);
    numbers("SstFileManager.setDeleteRateBytesPerSecond", (size, folder) ->
        managed(its -> its.setDeleteRateBytesPerSecond(size), folder), rates);
    for (double ratio : new double[] {-1, 0, 0.5, 1, 100}) {
      all.add(new SweepCase("SstFileManager.setMaxTrashDBRatio(" + ratio + ")", folder ->
          managed(its -> its.setMaxTrashDBRatio(ratio), folder)));
    }
  }

  private void lessUsed() {
    numbers("TransactionDB.setDeadlockInfoBufferSize", (size, folder) -> workload.run(path -> {
      TransactionDB db = TransactionDB.open(Subjects.options(), new TransactionDBOptions(), path);
      db.setDeadlockInfoBufferSize((int) size);
      return db;
    }, folder), Integer.MIN_VALUE, -1, 0, 1, 65537, 1 << 20, 1 << 29, Integer.MAX_VALUE);
    numbers("TablePropertiesCollectorFactory window", (size, folder) ->
        collected(size, 10, 0.5, folder), -1, 0, 1, 1000, 1L << 40);
    numbers("TablePropertiesCollectorFactory trigger", (size, folder) ->
        collected(10, size, 0.5, folder), -1, 0, 1, 1000, 1L << 40);
    for (double ratio : new double[] {-1, 0, 1, 2}) {
      all.add(
          new SweepCase("TablePropertiesCollectorFactory ratio(" + ratio + ")", folder ->
              collected(10, 10, ratio, folder)));
    }
    numbers("BackupEngine.purgeOldBackups", (count, folder) -> {
      try (Options options = Subjects.options();
          RocksDB db = RocksDB.open(options, folder.resolve("db").toString());
          BackupEngine engine = BackupEngine.open(Env.getDefault(), new BackupEngineOptions(folder.toString()))) {
        engine.createNewBackup(db);
        engine.purgeOldBackups((int) count);
        return engine.getBackupInfo().size() + " backups";
      }
    }, Integer.MIN_VALUE, -1, 0, 1, 2);
    numbers("Env.incBackgroundThreadsIfNeeded", (count, folder) -> {
      Env.getDefault().incBackgroundThreadsIfNeeded((int) count, Priority.LOW);
      return workload.run(Subjects.options(), folder);
    }, Integer.MIN_VALUE, -1, 0, 1, 64);
  }

  private String collected(long window, long trigger, double ratio, Path folder) throws Exception {
    Options options = Subjects.options();
    options.setTablePropertiesCollectorFactory(
        List.of(TablePropertiesCollectorFactory.NewCompactOnDeletionCollectorFactory(window, trigger, ratio)));
    return workload.run(options, folder);
  }

  private interface Setting {
    void on(SstFileManager manager) throws RocksDBException;
  }

  private String managed(Setting setting, Path folder) throws Exception {
    try (SstFileManager manager = new SstFileManager(Env.getDefault())) {
      setting.on(manager);
      return workload.run(Subjects.options().setSstFileManager(manager), folder);
    }
  }

  private void texts() {
    for (String text : FAMILY_TEXTS) {
      all.add(new SweepCase("text of a family(" + text + ")", folder -> {
        try (ColumnFamilyOptions family = ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties(text))) {
          return family == null ? "not understood" : opened(new DBOptions(), family, folder);
        }
      }));
    }
    for (String text : DATABASE_TEXTS) {
      all.add(new SweepCase("text of a database(" + text + ")", folder -> {
        try (DBOptions database = DBOptions.getDBOptionsFromProps(properties(text))) {
          return database == null ? "not understood" : opened(database, new ColumnFamilyOptions(), folder);
        }
      }));
    }
  }

  private static Properties properties(String text) {
    Properties properties = new Properties();
    int depth = 0;
    int start = 0;
    for (int i = 0; i <= text.length(); i++) {
      char c = i == text.length() ? ';' : text.charAt(i);
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (c == ';' && depth == 0) {
        String[] words = text.substring(start, i).split("=", 2);
        properties.setProperty(words[0], words[1]);
        start = i + 1;
      }
    }
    return properties;
  }

  private String opened(DBOptions database, ColumnFamilyOptions family, Path folder) throws Exception {
    database.setCreateIfMissing(true);
    List<ColumnFamilyDescriptor> families = List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, family));
    return workload.run(path -> {
      List<ColumnFamilyHandle> handles = new ArrayList<>();
      return RocksDB.open(database, path, families, handles);
    }, folder);
  }

  private void changes() {
    for (String change : FAMILY_CHANGES) {
      all.add(new SweepCase("change of a family(" + change + ")", folder -> workload.run(path -> {
        RocksDB db = RocksDB.open(Subjects.options(), path);
        return changed(db, () -> db.setOptions(MutableColumnFamilyOptions.parse(change).build()));
      }, folder)));
    }
    for (String change : DATABASE_CHANGES) {
      all.add(new SweepCase("change of a database(" + change + ")", folder -> workload.run(path -> {
        RocksDB db = RocksDB.open(Subjects.options(), path);
        return changed(db, () -> db.setDBOptions(MutableDBOptions.parse(change).build()));
      }, folder)));
    }
  }

  private interface Change {
    void make() throws RocksDBException;
  }

  private static RocksDB changed(RocksDB db, Change change) throws RocksDBException {
    try {
      db.put(new WriteOptions(), "before".getBytes(UTF_8), "the change".getBytes(UTF_8));
      change.make();
      return db;
    } catch (Exception e) {
      db.close();
      throw e;
    }
  }
}
