/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.ConfigOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.MemoryUtil;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.Options;
import org.rocksdb.OptionsUtil;
import org.rocksdb.Priority;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** A value with which rocksdbjni fails is rejected at the use of its options, however it was set. */
class JudgedOptionsTest {
  @TempDir Path folder;
  private String path;

  @BeforeEach
  void load() {
    RocksDB.loadLibrary();
    path = folder.resolve("db").toString();
  }

  private static Options options() {
    return new Options().setCreateIfMissing(true);
  }

  private void opens(Options options) throws RocksDBException {
    RocksDB.open(options, path).close();
  }

  private void rejected(String option, Options options) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> opens(options));
    assertTrue(e.getMessage().startsWith(option + ": "), e.getMessage());
  }

  @Test
  void copiesHaveTheValueAndALaterOneHealsIt() throws Exception {
    try (Options broken = options().setNumLevels(-1);
        Options copy = new Options(broken);
        ColumnFamilyOptions family = new ColumnFamilyOptions(broken);
        ColumnFamilyOptions again = new ColumnFamilyOptions(family);
        DBOptions database = new DBOptions().setCreateIfMissing(true);
        Options together = new Options(database, again)) {
      rejected("num_levels", broken);
      rejected("num_levels", copy);
      rejected("num_levels", together);
      opens(copy.setNumLevels(7));
      rejected("num_levels", broken);
    }
  }

  @Test
  void aValueIsJudgedBesideTheOthersInWhateverOrderTheyAreSet() throws Exception {
    try (Options first = options().setDisableAutoCompactions(true).setLevel0FileNumCompactionTrigger(-1);
        Options last = options().setLevel0FileNumCompactionTrigger(-1).setDisableAutoCompactions(true);
        Options unlimited =
            options().setLevelZeroFileNumCompactionTrigger(-1).setLevel0StopWritesTrigger(Integer.MAX_VALUE);
        Options alone = options().setLevel0FileNumCompactionTrigger(-1)) {
      opens(first);
      opens(last);
      opens(unlimited);
      rejected("level0_file_num_compaction_trigger", alone);
      rejected("level0_file_num_compaction_trigger", first.setDisableAutoCompactions(false));
    }
  }

  @Test
  void noParallelismLeavesCompactionsOfOpenDatabasesAThread() throws Exception {
    try (RocksDB db = RocksDB.open(path)) {
      db.put(new byte[1], new byte[1]);
      for (int none : List.of(0, -1)) {
        try (Options options = options().setIncreaseParallelism(none);
            DBOptions database = new DBOptions().setIncreaseParallelism(none)) {
          assertEquals(List.of(none, none), List.of(options.maxBackgroundJobs(), database.maxBackgroundJobs()));
          assertEquals(1, Env.getDefault().getBackgroundThreads(Priority.LOW));
          db.compactRange(); // would wait forever without the check
        }
      }
    }
  }

  @Test
  void windowBitsAreRejectedForZlibAlone() throws Exception {
    try (CompressionOptions wide = new CompressionOptions().setWindowBits(15);
        CompressionOptions usual = new CompressionOptions()) {
      opens(options().setCompressionOptions(wide));
      opens(options().setCompressionType(CompressionType.ZSTD_COMPRESSION).setCompressionOptions(wide));
      Options zlib = options().setCompressionOptions(wide).setCompressionType(CompressionType.ZLIB_COMPRESSION);
      rejected("compression_opts.window_bits", zlib);
      List<CompressionType> levels = List.of(CompressionType.NO_COMPRESSION, CompressionType.ZLIB_COMPRESSION);
      rejected("compression_opts.window_bits", options().setCompressionPerLevel(levels).setCompressionOptions(wide));
      opens(zlib.setCompressionOptions(usual));
    }
  }

  @Test
  void aTextIsJudgedDownToItsParts() throws Exception {
    for (String text : List.of("num_levels=-1", "block_based_table_factory={block_size=2147483648}")) {
      Properties properties = new Properties();
      properties.setProperty(text.substring(0, text.indexOf('=')), text.substring(text.indexOf('=') + 1));
      try (DBOptions database = new DBOptions().setCreateIfMissing(true);
          ColumnFamilyOptions family = ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties);
          Options options = new Options(database, family)) {
        assertThrows(IllegalArgumentException.class, () -> opens(options), text);
      }
    }
  }

  @Test
  void aScanThatDeletesRowsIsRejectedWhicheverWayItsOptionComes() throws Exception {
    String name = "min_tombstones_for_range_conversion";
    Properties properties = new Properties();
    properties.setProperty(name, "4");
    try (DBOptions database = new DBOptions().setCreateIfMissing(true);
        ColumnFamilyOptions family = ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties);
        Options ofText = new Options(database, family);
        Options ofSetter = options();
        Options none = options()) {
      ofSetter.setMinTombstonesForRangeConversion(4);
      rejected(name, ofSetter);
      rejected(name, ofText);
      none.setMinTombstonesForRangeConversion(0);
      try (RocksDB db = RocksDB.open(none, path)) {
        MutableColumnFamilyOptions change = MutableColumnFamilyOptions.parse(name + "=4").build();
        assertThrows(IllegalArgumentException.class, () -> db.setOptions(change));
        assertThrows(IllegalArgumentException.class, () ->
            db.createColumnFamily(new ColumnFamilyDescriptor("f".getBytes(UTF_8), family)));
      }
    }
    Path file = Path.of(path, OptionsUtil.getLatestOptionsFileName(path, Env.getDefault()));
    Files.writeString(file, Files.readString(file).replace(name + "=0", name + "=4"));
    List<ColumnFamilyDescriptor> families = new ArrayList<>();
    try (ConfigOptions config = new ConfigOptions();
        DBOptions database = new DBOptions()) {
      OptionsUtil.loadLatestOptions(config, path, database, families);
      List<ColumnFamilyHandle> handles = new ArrayList<>();
      assertThrows(IllegalArgumentException.class, () -> RocksDB.open(database, path, families, handles));
    }
  }

  @Test
  void timesOfRowsAreRejectedInLevelsAlone() throws Exception {
    String name = "preserve_internal_time_seconds";
    Properties properties = new Properties();
    properties.setProperty(name, "1000");
    try (DBOptions database = new DBOptions().setCreateIfMissing(true);
        ColumnFamilyOptions family = ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties);
        Options levels = new Options(database, family)) {
      rejected(name, levels);
      opens(levels.setCompactionStyle(CompactionStyle.UNIVERSAL));
      rejected(name, levels.setCompactionStyle(CompactionStyle.LEVEL));
    }
  }

  @Test
  void aFileOfOptionsIsJudged() throws Exception {
    opens(options());
    Path file = Path.of(path, OptionsUtil.getLatestOptionsFileName(path, Env.getDefault()));
    Files.writeString(file, Files.readString(file)
        .replace("table_cache_numshardbits=6", "table_cache_numshardbits=25"));
    try (ConfigOptions config = new ConfigOptions();
        DBOptions database = new DBOptions()) {
      List<ColumnFamilyDescriptor> families = new ArrayList<>();
      OptionsUtil.loadLatestOptions(config, path, database, families);
      assertEquals(25, database.tableCacheNumshardbits());
      List<ColumnFamilyHandle> handles = new ArrayList<>();
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> RocksDB.open(database, path, families, handles));
      assertTrue(e.getMessage().startsWith("table_cache_numshardbits: 25 is rejected"), e.getMessage());
    }
  }

  @Test
  void changesOfAnOpenDatabaseAreJudgedAndComeInAnyOrder() throws Exception {
    try (Options options = options();
        RocksDB db = RocksDB.open(options, path)) {
      for (String change : List.of(
          "level0_file_num_compaction_trigger=2147483647", "level0_slowdown_writes_trigger=2147483647",
          "level0_stop_writes_trigger=2147483647", "max_write_buffer_number=1",
          "level0_file_num_compaction_trigger=-1")) {
        db.setOptions(MutableColumnFamilyOptions.parse(change).build());
      }
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class,
              () -> db.setOptions(MutableColumnFamilyOptions.parse("level0_stop_writes_trigger=36").build()));
      assertTrue(e.getMessage().startsWith("level0_file_num_compaction_trigger: -1 is rejected"), e.getMessage());
    }
  }

  @Test
  void aCacheThatTheEngineDidNotMakeIsTakenAndNotAsked() throws Exception {
    for (LRUCache none : List.of(new LRUCache(8 << 20, 64, false), new LRUCache(8 << 20, 16, true, 5))) {
      try (none;
          Options options = options().setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(none));
          RocksDB db = RocksDB.open(options, path)) {
        db.put("k".getBytes(UTF_8), "v".getBytes(UTF_8));
        db.flush(new FlushOptions());
        assertEquals("v", new String(db.get("k".getBytes(UTF_8)), UTF_8));
        assertThrows(IllegalArgumentException.class, none::getUsage);
        assertThrows(IllegalArgumentException.class, none::getPinnedUsage);
        assertThrows(
            IllegalArgumentException.class,
            () -> MemoryUtil.getApproximateMemoryUsageByType(List.of(db), Set.of(none)));
      }
    }
  }

  @Test
  void aCompactionThatFailsThrows() throws Exception {
    try (Options options = options();
        RocksDB db = RocksDB.open(options, path);
        CompactRangeOptions elsewhere = new CompactRangeOptions().setTargetPathId(3)) {
      db.put("k".getBytes(UTF_8), "v".getBytes(UTF_8));
      RocksDBException e =
          assertThrows(
              RocksDBException.class, () -> db.compactRange(db.getDefaultColumnFamily(), null, null, elsewhere));
      assertEquals("Invalid target path ID", e.getMessage());
    }
  }
}
