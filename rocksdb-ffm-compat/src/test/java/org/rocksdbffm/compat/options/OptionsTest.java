/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.DbPath;
import org.rocksdb.EnvOptions;
import org.rocksdb.HistogramType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.PlainTableConfig;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.TickerType;
import org.rocksdb.VectorMemTableConfig;

/** Options return the values set, however they were created. Passes with rocksdbjni too. */
@Tag("oracle")
class OptionsTest {
  @TempDir Path folder;

  @BeforeAll
  static void load() {
    RocksDB.loadLibrary();
  }

  @Test
  void optionsTellWhatWasSet() {
    try (Options options = new Options()) {
      options.setMaxOpenFiles(77).setWriteBufferSize(1L << 33).setParanoidChecks(false).setMaxBackgroundJobs(5);
      assertEquals(77, options.maxOpenFiles());
      assertEquals(1L << 33, options.writeBufferSize());
      assertEquals(false, options.paranoidChecks());
      assertEquals(5, options.maxBackgroundJobs());
      options.setBottommostCompressionType(CompressionType.DISABLE_COMPRESSION_OPTION);
      assertEquals(CompressionType.DISABLE_COMPRESSION_OPTION, options.bottommostCompressionType());
      options.setWalDir("/some/folder");
      assertEquals("/some/folder", options.walDir());
    }
  }

  @Test
  void eachLevelHasItsOwn() {
    List<CompressionType> compressions =
        List.of(CompressionType.NO_COMPRESSION, CompressionType.SNAPPY_COMPRESSION, CompressionType.ZSTD_COMPRESSION);
    try (Options options = new Options();
        ColumnFamilyOptions family = new ColumnFamilyOptions()) {
      assertEquals(List.of(), options.compressionPerLevel());
      options.setCompressionPerLevel(compressions);
      family.setCompressionPerLevel(compressions);
      assertEquals(compressions, options.compressionPerLevel());
      assertEquals(compressions, family.compressionPerLevel());
      family.setMaxBytesForLevelMultiplierAdditional(new int[] {3, 5, 7});
      assertArrayEquals(new int[] {3, 5, 7}, family.maxBytesForLevelMultiplierAdditional());
    }
  }

  @Test
  void whatIsRememberedIsCopiedAlong() {
    try (Options options = new Options()) {
      options.setDbPaths(List.of(new DbPath(Path.of("/a"), 10), new DbPath(Path.of("/b"), 20)));
      options.setTableFormatConfig(new PlainTableConfig());
      options.setMemTableConfig(new VectorMemTableConfig());
      try (Options copy = new Options(options);
          ColumnFamilyOptions family = new ColumnFamilyOptions(options);
          DBOptions database = new DBOptions(options)) {
        assertEquals("PlainTable", copy.tableFactoryName());
        assertEquals("PlainTable", family.tableFactoryName());
        assertEquals("VectorRepFactory", family.memTableFactoryName());
        assertEquals(options.dbPaths(), database.dbPaths());
        assertEquals(2, database.dbPaths().size());
      }
    }
  }

  @Test
  void propertiesBecomeOptionsOrNothing() {
    Properties properties = new Properties();
    properties.setProperty("write_buffer_size", "112233");
    try (ColumnFamilyOptions family = ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties)) {
      assertEquals(112233, family.writeBufferSize());
    }
    properties.setProperty("no_such_option", "1");
    assertNull(ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties));
    Properties none = new Properties();
    assertThrows(IllegalArgumentException.class, () -> ColumnFamilyOptions.getColumnFamilyOptionsFromProps(none));
  }

  @Test
  void aMergeOperatorCanHaveALongDelimiter() throws RocksDBException {
    for (String delimiter : List.of("", ",", " ", ";", "and", "a b", "->")) {
      try (StringAppendOperator operator = new StringAppendOperator(delimiter);
          Options options = new Options().setCreateIfMissing(true).setMergeOperator(operator);
          RocksDB db = RocksDB.open(options, folder.resolve("d" + delimiter.hashCode()).toString())) {
        db.merge("k".getBytes(UTF_8), "one".getBytes(UTF_8));
        db.merge("k".getBytes(UTF_8), "two".getBytes(UTF_8));
        assertEquals("one" + delimiter + "two", new String(db.get("k".getBytes(UTF_8)), UTF_8));
      }
    }
  }

  @Test
  void aMergeOperatorIsSetByItsName() throws RocksDBException {
    try (ColumnFamilyOptions family = new ColumnFamilyOptions().setMergeOperatorName("stringappend");
        DBOptions database = new DBOptions().setCreateIfMissing(true);
        Options options = new Options(database, family);
        RocksDB db = RocksDB.open(options, folder.toString())) {
      db.merge("k".getBytes(UTF_8), "one".getBytes(UTF_8));
      db.merge("k".getBytes(UTF_8), "two".getBytes(UTF_8));
      assertEquals("one,two", new String(db.get("k".getBytes(UTF_8)), UTF_8));
    }
  }

  @Test
  void statisticsCountWhatADatabaseDoes() throws RocksDBException {
    try (Statistics statistics = new Statistics();
        Statistics outer = new Statistics(EnumSet.of(HistogramType.BYTES_PER_READ), statistics);
        Options options = new Options().setCreateIfMissing(true).setStatistics(outer);
        RocksDB db = RocksDB.open(options, folder.toString())) {
      db.put(new byte[10], new byte[90]);
      db.get(new byte[10]);
      assertEquals(90, outer.getTickerCount(TickerType.BYTES_READ));
      assertEquals(1, outer.getHistogramData(HistogramType.BYTES_PER_WRITE).getCount());
      assertTrue(outer.toString().contains("rocksdb.bytes.read COUNT : 90"));
      assertEquals(90, outer.getAndResetTickerCount(TickerType.BYTES_READ));
      outer.reset();
      assertEquals(0, outer.getHistogramData(HistogramType.BYTES_PER_WRITE).getCount());
    }
  }

  @Test
  void optionsOfAnEnvironmentAreMadeOfThoseOfADatabase() {
    try (DBOptions database = new DBOptions().setUseDirectReads(true);
        EnvOptions env = new EnvOptions(database)) {
      assertTrue(env.useDirectReads());
    }
  }

  @Test
  void aCacheTellsItsUse() {
    try (LRUCache cache = new LRUCache(1 << 20, 2, true, 0.3)) {
      assertEquals(0, cache.getUsage());
      assertEquals(0, cache.getPinnedUsage());
    }
  }
}
