/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ConcurrentTaskLimiter;
import org.rocksdb.ConcurrentTaskLimiterImpl;
import org.rocksdb.ConfigOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.FlushOptions;
import org.rocksdb.OperationType;
import org.rocksdb.Options;
import org.rocksdb.OptionsUtil;
import org.rocksdb.Priority;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileManager;
import org.rocksdb.StateType;
import org.rocksdb.ThreadStatus;
import org.rocksdb.ThreadType;

/** Threads, files and options of an Env. */
@Tag("oracle")
class EnvironmentTest {
  @TempDir Path folder;

  @BeforeAll
  static void load() {
    RocksDB.loadLibrary();
  }

  @Test
  void theEnginesThreadsAreListedWithTheirNames() throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, folder.toString())) {
      db.getEnv().setBackgroundThreads(2);
      List<ThreadStatus> threads = db.getEnv().getThreadList();
      assertFalse(threads.isEmpty());
      assertTrue(threads.stream().anyMatch(its -> its.getThreadType() == ThreadType.LOW_PRIORITY));
    }
    assertTrue(Env.getDefault().getBackgroundThreads(Priority.LOW) > 0, "it outlives every database");
    assertEquals("Low Pri", ThreadStatus.getThreadTypeName(ThreadType.LOW_PRIORITY));
    assertEquals("Compaction", ThreadStatus.getOperationName(OperationType.OP_COMPACTION));
    assertEquals("Mutex Wait", ThreadStatus.getStateName(StateType.STATE_MUTEX_WAIT));
    assertEquals("1500 us", ThreadStatus.microsToString(1_500));
    assertEquals("JobID", ThreadStatus.getOperationPropertyName(OperationType.OP_COMPACTION, 0));
    Map<String, Long> properties =
        ThreadStatus.interpretOperationProperties(OperationType.OP_FLUSH, new long[] {7, 8, 9});
    assertEquals(7L, properties.get("JobID"));
  }

  @Test
  void theFilesThatAManagerTracksAreTold() throws RocksDBException {
    try (SstFileManager manager = new SstFileManager(Env.getDefault());
        Options options = new Options().setCreateIfMissing(true).setSstFileManager(manager);
        RocksDB db = RocksDB.open(options, folder.toString());
        FlushOptions flush = new FlushOptions()) {
      db.put(new byte[1], new byte[1000]);
      db.flush(flush);
      Map<String, Long> files = manager.getTrackedFiles();
      assertEquals(1, files.size());
      assertTrue(files.keySet().iterator().next().endsWith(".sst"));
      assertEquals(manager.getTotalSize(), files.values().iterator().next());
    }
  }

  @Test
  void aLimiterOfTasksHasItsName() throws RocksDBException {
    try (ConcurrentTaskLimiter limiter = new ConcurrentTaskLimiterImpl("limits \u20ac", 3);
        Options options = new Options().setCreateIfMissing(true).setCompactionThreadLimiter(limiter);
        RocksDB db = RocksDB.open(options, folder.toString())) {
      assertEquals("limits \u20ac", limiter.name());
      assertEquals(0, limiter.outstandingTask());
      limiter.setMaxOutstandingTask(1).resetMaxOutstandingTask();
      db.put(new byte[1], new byte[1]);
      db.compactRange();
    }
  }

  @Test
  void optionsAreLoadedFromTheFileThatADatabaseWroteOfThem() throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true).setMaxOpenFiles(77).setWriteBufferSize(123_456)) {
      options.setTableFormatConfig(new BlockBasedTableConfig().setBlockSize(8192));
      try (RocksDB db = RocksDB.open(options, folder.toString())) {
        db.createColumnFamily(new ColumnFamilyDescriptor("f".getBytes(UTF_8)));
      }
    }
    String latest = OptionsUtil.getLatestOptionsFileName(folder.toString(), Env.getDefault());
    assertTrue(Files.exists(folder.resolve(latest)), latest);
    for (boolean fromFile : new boolean[] {true, false}) {
      List<ColumnFamilyDescriptor> families = new ArrayList<>();
      try (ConfigOptions config = new ConfigOptions();
          DBOptions loaded = new DBOptions()) {
        if (fromFile) {
          OptionsUtil.loadOptionsFromFile(config, folder.resolve(latest).toString(), loaded, families);
        } else {
          OptionsUtil.loadLatestOptions(config, folder.toString(), loaded, families);
        }
        assertEquals(77, loaded.maxOpenFiles());
        assertEquals(
            List.of("default", "f"), families.stream().map(its -> new String(its.getName(), UTF_8)).toList());
        assertEquals(123_456, families.getFirst().getOptions().writeBufferSize());
        BlockBasedTableConfig table = (BlockBasedTableConfig) families.getFirst().getOptions().tableFormatConfig();
        assertEquals(8192, table.blockSize());
        try (RocksDB db = RocksDB.open(loaded, folder.toString(), families, new ArrayList<>())) {
          db.put(new byte[1], new byte[1]);
        }
        families.forEach(its -> its.getOptions().close());
      }
    }
    try (ConfigOptions config = new ConfigOptions();
        DBOptions none = new DBOptions()) {
      assertThrows(
          RocksDBException.class,
          () -> OptionsUtil.loadLatestOptions(config, folder.resolve("none").toString(), none, new ArrayList<>()));
    }
  }
}
