/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.sweep;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactionJobInfo;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.FlushOptions;
import org.rocksdb.HashLinkedListMemTableConfig;
import org.rocksdb.HashSkipListMemTableConfig;
import org.rocksdb.HyperClockCache;
import org.rocksdb.LRUCache;
import org.rocksdb.MemTableConfig;
import org.rocksdb.Options;
import org.rocksdb.PlainTableConfig;
import org.rocksdb.Priority;
import org.rocksdb.RateLimiter;
import org.rocksdb.ReadOptions;
import org.rocksdb.RestoreOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.Snapshot;
import org.rocksdb.SstPartitionerFixedPrefixFactory;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TransactionOptions;
import org.rocksdb.VectorMemTableConfig;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Uses databases with values that the drop-in rejects, with the {@code org.rocksdb} on the class path. Arguments: the
 * working folder, the first case, and the cases, {@code scope name value other=value...}.
 */
final class RefusalProgram {
  private static final Workload WORKLOAD = new Workload(Duration.ofSeconds(5));

  private static final Map<String, Use> USES = new HashMap<>();

  private RefusalProgram() {}

  private interface Use {
    String with(long value, Path folder) throws Exception;
  }

  static {
    USES.put("db increase_parallelism", (value, folder) ->
        WORKLOAD.run(options().setIncreaseParallelism((int) value), folder));
    USES.put("cf level0_file_num_compaction_trigger", (value, folder) ->
        flushedOften(options().setLevel0FileNumCompactionTrigger((int) value), folder));
    USES.put("cf target_file_size_base", (value, folder) -> {
      try (RocksDB db = RocksDB.open(options().setTargetFileSizeBase(value), folder.toString());
          FlushOptions flushing = new FlushOptions()) {
        for (int i = 0; i < 200_000; i++) {
          db.put("row%06d".formatted(i % 100_000).getBytes(UTF_8), new byte[10]);
          if (i == 100_000) {
            db.flush(flushing);
          }
        }
        db.compactRange();
        return "compacted to " + db.getLiveFilesMetaData().size() + " files, 0 bytes";
      }
    });
    USES.put("cf optimize_level_style_compaction", (value, folder) ->
        WORKLOAD.run(options().optimizeLevelStyleCompaction(value), folder));
    USES.put("cf preclude_last_level_data_seconds", (value, folder) ->
        restless("preclude_last_level_data_seconds=" + value, folder));
    USES.put("cf preserve_internal_time_seconds", (value, folder) ->
        restless("preserve_internal_time_seconds=" + value, folder));
    USES.put("cf enable_blob_direct_write", (value, folder) -> flushedAtATime(folder));
    USES.put("table block_size", (value, folder) ->
        twice(options().setTableFormatConfig(new BlockBasedTableConfig().setBlockSize(value)), folder));
    USES.put("cf block_based_table_factory.block_size", (value, folder) -> {
      Properties text = new Properties();
      text.setProperty("block_based_table_factory", "{block_size=" + value + "}");
      return twice(
          new Options(
              new DBOptions().setCreateIfMissing(true), ColumnFamilyOptions.getColumnFamilyOptionsFromProps(text)),
              folder);
    });
    USES.put("PlainTable user_key_len", (value, folder) ->
        plain(new PlainTableConfig().setKeySize((int) value), folder));
    USES.put("PlainTable bloom_bits_per_key", (value, folder) ->
        plain(new PlainTableConfig().setBloomBitsPerKey((int) value), folder));
    USES.put("PlainTable full_scan_mode", (value, folder) ->
        plain(new PlainTableConfig().setFullScanMode(true), folder));
    USES.put("prefix_hash bucket_count", (value, folder) ->
        memtable(new HashSkipListMemTableConfig().setBucketCount(value), folder));
    USES.put("prefix_hash skiplist_height", (value, folder) ->
        memtable(new HashSkipListMemTableConfig().setHeight((int) value), folder));
    USES.put("hash_linkedlist bucket_count", (value, folder) ->
        memtable(new HashLinkedListMemTableConfig().setBucketCount(value), folder));
    USES.put("vector count", (value, folder) ->
        memtable(new VectorMemTableConfig().setReservedSize((int) value), folder));
    USES.put("SstPartitionerFixedPrefixFactory length", (value, folder) ->
        WORKLOAD.run(options().setSstPartitionerFactory(new SstPartitionerFixedPrefixFactory(value)), folder));
    USES.put("Cache made", (value, folder) -> used(new LRUCache(8 << 20, 20)));
    USES.put("HyperClockCache table", (value, folder) -> used(new HyperClockCache(-1, 0, 2, false)));
    USES.put("RateLimiter bytes_per_period", (value, folder) -> limited(new RateLimiter(1), folder));
    USES.put("RateLimiter fairness", (value, folder) ->
        limited(new RateLimiter(1 << 20, 100_000, (int) value), folder));
    USES.put("Env background_threads", (value, folder) -> WORKLOAD.run(path -> {
      RocksDB db = RocksDB.open(options(), path);
      Env.getDefault().setBackgroundThreads((int) value, Priority.LOW); // 0 for a word
      return db;
    }, folder));
    USES.put("Env flush_threads", (value, folder) -> WORKLOAD.run(path -> {
      RocksDB db = RocksDB.open(options(), path);
      try (FlushOptions waiting = new FlushOptions();
          FlushOptions scheduling = new FlushOptions().setWaitForFlush(false)) {
        for (int round = 0; round < 500; round++) {
          Env.getDefault().setBackgroundThreads(1, Priority.HIGH);
          db.put(path.getBytes(UTF_8), new byte[100]);
          db.flush(scheduling);
          Env.getDefault().setBackgroundThreads(0, Priority.HIGH); // while the thread may not have started
          db.put(path.getBytes(UTF_8), new byte[100]);
          db.flush(waiting);
        }
        db.delete(path.getBytes(UTF_8));
      }
      return db;
    }, folder));
    USES.put("WriteBatch reserved_bytes", (value, folder) -> new WriteBatch((int) value).count() + " bytes");
    USES.put("ReadOptions readahead_size", (value, folder) -> {
      try (Options options = options();
          RocksDB db = RocksDB.open(options, folder.toString());
          ReadOptions reading = new ReadOptions().setReadaheadSize(value)) {
        Subjects.fill(db, new WriteOptions());
        return Subjects.rows(db, reading);
      }
    });
    USES.put("prefix_hash branching_factor", (value, folder) ->
        memtable(new HashSkipListMemTableConfig().setBranchingFactor((int) value), folder));
    USES.put("BackupEngineOptions restore_rate_limit", (value, folder) ->
        backup(new BackupEngineOptions(folder.toString()).setRestoreRateLimit(value), folder));
    USES.put("BackupEngineOptions callback_trigger_interval_size", (value, folder) ->
        backup(new BackupEngineOptions(folder.toString()).setCallbackTriggerIntervalSize(value), folder));
    USES.put("BackupEngineOptions max_background_operations", (value, folder) ->
        backup(new BackupEngineOptions(folder.toString()).setMaxBackgroundOperations((int) value), folder));
    USES.put("BackupEngineOptions backup_rate_limit", (value, folder) ->
        backup(new BackupEngineOptions(folder.toString()).setBackupRateLimit(value), folder));
    USES.put("TransactionDB deadlock_info_buffer_size", (value, folder) -> {
      try (TransactionDB db = TransactionDB.open(options(), new TransactionDBOptions(), folder.toString())) {
        db.setDeadlockInfoBufferSize((int) value);
        return "0 bytes";
      }
    });
    USES.put("TransactionOptions deadlock_detect_depth", (value, folder) -> {
      try (TransactionDB db = TransactionDB.open(options(), new TransactionDBOptions(), folder.toString())) {
        TransactionOptions deep = new TransactionOptions().setDeadlockDetect(true).setDeadlockDetectDepth(value);
        db.beginTransaction(new WriteOptions()).put(new byte[1], new byte[1]);
        db.beginTransaction(new WriteOptions(), deep).put(new byte[1], new byte[1]);
        return "0 bytes";
      }
    });
    USES.put("TransactionDBOptions num_stripes", (value, folder) -> WORKLOAD.run(
        path -> TransactionDB.open(options(), new TransactionDBOptions().setNumStripes(value), path), folder));
  }

  public static void main(String[] arguments) throws Exception {
    List<SweepCase> cases =
        Arrays.stream(arguments)
            .skip(2)
            .map(its -> new SweepCase(its, folder -> use(its.split(" "), folder)))
            .toList();
    SweepProgram.run(cases, Path.of(arguments[0]), Integer.parseInt(arguments[1]));
  }

  private static String use(String[] words, Path folder) throws Exception {
    Use special = USES.get(words[0] + " " + words[1]);
    if (special != null) {
      return special.with(words[2].matches("-?[0-9]+") ? Long.parseLong(words[2]) : 0, folder);
    }
    Properties properties = new Properties();
    properties.setProperty(words[1], words[2]);
    for (String other : Arrays.asList(words).subList(3, words.length)) {
      properties.setProperty(other.substring(0, other.indexOf('=')), other.substring(other.indexOf('=') + 1));
    }
    boolean isFamily = words[0].equals("cf");
    ColumnFamilyOptions family =
        isFamily ? ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties) : new ColumnFamilyOptions();
    DBOptions database = isFamily ? new DBOptions() : DBOptions.getDBOptionsFromProps(properties);
    database.setCreateIfMissing(true);
    return WORKLOAD.run(
        path ->
            RocksDB.open(
                database, path, List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, family)),
                new ArrayList<>()),
        folder);
  }

  private static Options options() {
    return Subjects.options();
  }

  /** Several threads write large values, and flush. */
  private static String flushedAtATime(Path folder) throws Exception {
    Properties properties = new Properties();
    for (String setting
        : List.of("enable_blob_files=true", "enable_blob_direct_write=true", "min_blob_size=10",
            "max_write_buffer_number=8", "write_buffer_size=65536")) {
      properties.setProperty(setting.split("=")[0], setting.split("=")[1]);
    }
    Options options =
        new Options(
            new DBOptions().setCreateIfMissing(true).setAllowConcurrentMemtableWrite(false).setMaxBackgroundJobs(8),
            ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties));
    try (RocksDB db = RocksDB.open(options, folder.toString());
        FlushOptions flushing = new FlushOptions().setWaitForFlush(false)) {
      Workload.inThreads(3, thread -> {
        for (int i = 0; i < 4000; i++) {
          db.put(("thread" + thread + " " + i % 500).getBytes(UTF_8), new byte[200]);
          if (i % 97 == 0) {
            db.flush(flushing);
          }
        }
      });
    }
    try (RocksDB db = RocksDB.open(options, folder.toString())) {
      return db.get("thread0 0".getBytes(UTF_8)).length + " bytes";
    }
  }

  /** Waits until an idle database compacts no more. */
  private static String restless(String text, Path folder) throws Exception {
    Properties properties = new Properties();
    properties.setProperty(text.split("=")[0], text.split("=")[1]);
    CountDownLatch compactions = new CountDownLatch(20);
    AbstractEventListener listener =
        new AbstractEventListener(AbstractEventListener.EnabledEventCallback.ON_COMPACTION_COMPLETED) {
      @Override
      public void onCompactionCompleted(RocksDB db, CompactionJobInfo info) {
        compactions.countDown();
      }
    };
    Options options =
        new Options(
            new DBOptions().setCreateIfMissing(true).setListeners(List.of(listener)),
            ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties));
    try (RocksDB db = RocksDB.open(options, folder.toString());
        FlushOptions flushing = new FlushOptions()) {
      db.put("k".getBytes(UTF_8), "first".getBytes(UTF_8));
      Snapshot first = db.getSnapshot();
      db.put("k".getBytes(UTF_8), "second".getBytes(UTF_8));
      db.flush(flushing);
      db.compactRange();
      db.put("later".getBytes(UTF_8), "row".getBytes(UTF_8));
      db.getSnapshot();
      db.releaseSnapshot(first);
      long left;
      do {
        left = compactions.getCount();
        compactions.await(5, TimeUnit.SECONDS);
      } while (left > compactions.getCount() && compactions.getCount() > 0);
      return compactions.getCount() == 0 ? "compacts again and again" : "0 bytes";
    }
  }

  private static String twice(Options options, Path folder) throws Exception {
    WORKLOAD.run(options, folder.resolve("one"));
    return WORKLOAD.run(options, folder.resolve("two"));
  }

  /** Flushes until the number of files stops writes. */
  private static String flushedOften(Options options, Path folder) throws Exception {
    try (options;
        RocksDB db = RocksDB.open(options, folder.toString());
        FlushOptions flushing = new FlushOptions()) {
      for (int i = 0; i <= options.level0StopWritesTrigger() + 2; i++) {
        db.put("k".getBytes(UTF_8), "v".getBytes(UTF_8));
        db.flush(flushing);
      }
      return WORKLOAD.run(options, folder.resolve("another"));
    }
  }

  private static String plain(PlainTableConfig table, Path folder) throws Exception {
    return WORKLOAD.run(
        options().useFixedLengthPrefixExtractor(3).setAllowMmapReads(true).setTableFormatConfig(table), folder);
  }

  private static String memtable(MemTableConfig memtable, Path folder) throws Exception {
    return WORKLOAD.run(
        options().useFixedLengthPrefixExtractor(8).setAllowConcurrentMemtableWrite(false)
            .setMemTableConfig(memtable), folder);
  }

  private static String limited(RateLimiter limiter, Path folder) throws Exception {
    return WORKLOAD.run(options().setRateLimiter(limiter), folder);
  }

  private static String used(Cache cache) {
    return cache.getUsage() + " bytes";
  }

  private static String backup(BackupEngineOptions backups, Path folder) throws Exception {
    try (Options options = options();
        RocksDB db = RocksDB.open(options, folder.resolve("db").toString());
        BackupEngine engine = BackupEngine.open(Env.getDefault(), backups)) {
      db.put("k".getBytes(UTF_8), "v".getBytes(UTF_8));
      engine.createNewBackup(db, true);
      String restored = folder.resolve("restored").toString();
      engine.restoreDbFromLatestBackup(restored, restored, new RestoreOptions(false));
      return engine.getBackupInfo().size() + " backup";
    }
  }
}
