/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.options;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.text;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.CompactionStyle;
import org.rocksdbffm.Compression;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.Opening;
import org.rocksdbffm.PrefixExtractor;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.StoredOptions;
import org.rocksdbffm.TableFilter;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.options.AnyOptions;

class OptionsTest {
  @TempDir Path temporary;

  private StoredOptions storedAfterOpening(FamilyOptions options) {
    return storedAfterOpening(DatabaseOptions.defaults(), options);
  }

  private StoredOptions storedAfterOpening(DatabaseOptions database, FamilyOptions families) {
    Path folder = temporary.resolve("of " + Integer.toHexString(31 * database.hashCode() + families.hashCode()));
    RocksDb.at(folder).options(database).defaults(families).open().close();
    return StoredOptions.load(folder);
  }

  private Map<String, String> storedOf(FamilyOptions options) {
    return storedOf(DatabaseOptions.defaults(), options);
  }

  private Map<String, String> storedOf(DatabaseOptions database, FamilyOptions families) {
    StoredOptions stored = storedAfterOpening(database, families);
    Map<String, String> all = new LinkedHashMap<>(stored.database().settings());
    all.putAll(stored.families().get("default").settings());
    return all;
  }

  @Test
  void everyTypedMethodReachesTheEngine() {
    DatabaseOptions database =
        DatabaseOptions.defaults()
            .paranoidChecks(false)
            .maxOpenFiles(123)
            .maxBackgroundJobs(5)
            .maxTotalWalSize(ByteSize.mib(50))
            .dbWriteBufferSize(ByteSize.gib(5))
            .allowMmapReads(true)
            .bytesPerSync(ByteSize.mib(1))
            .statsDumpPeriod(Duration.ofMinutes(7));
    FamilyOptions families =
        FamilyOptions.defaults()
            .writeBufferSize(ByteSize.mib(3))
            .maxWriteBufferNumber(4)
            .targetFileSizeBase(ByteSize.mib(7))
            .maxBytesForLevelBase(ByteSize.mib(77))
            .level0FileNumCompactionTrigger(6)
            .disableAutoCompactions(true)
            .optimizeFiltersForHits(true)
            .enableBlobFiles(true)
            .minBlobSize(ByteSize.kib(9))
            .ttl(Duration.ofDays(3))
            .periodicCompaction(Duration.ofDays(2))
            .compression(Compression.SNAPPY)
            .bottommostCompression(Compression.ZSTD)
            .compactionStyle(CompactionStyle.LEVEL)
            .mergeOperator(MergeOperator.max())
            .keyOrder(KeyOrder.REVERSE_BYTEWISE)
            .prefixExtractor(PrefixExtractor.fixed(4));
    Map<String, String> expected = new LinkedHashMap<>(database.settings());
    expected.putAll(families.settings());
    expected.put("merge_operator", "MaxOperator");
    Map<String, String> stored = storedOf(database, families);
    expected.forEach((name, value) -> assertEquals(value, stored.get(name), name));
    assertEquals(25, expected.size(), "each method sets an option of its own");
    assertEquals("true",
        storedOf(DatabaseOptions.defaults().useDirectReads(true), FamilyOptions.defaults()).get("use_direct_reads"));
  }

  @Test
  void everyTypedTableMethodReachesTheEngine() {
    TableOptions table =
        TableOptions.defaults()
            .blockSize(ByteSize.kib(32))
            .cacheIndexAndFilterBlocks(true)
            .pinL0FilterAndIndexBlocksInCache(true)
            .wholeKeyFiltering(false)
            .formatVersion(5)
            .option("index_type", "kTwoLevelIndexSearch")
            .partitionFilters(true);
    Map<String, String> stored =
        storedAfterOpening(FamilyOptions.defaults().table(table.filter(TableFilter.bloom(12.5)))).families()
            .get("default").table()
            .settings();
    table.settings().forEach((name, value) -> assertEquals(value, stored.get(name), name));
    assertEquals(7, table.settings().size());
    FamilyOptions uncached = FamilyOptions.defaults().table(TableOptions.defaults().noBlockCache(true));
    assertEquals(
        "true", storedAfterOpening(uncached).families().get("default").table().settings().get("no_block_cache"));
    FamilyOptions byName = FamilyOptions.defaults().option("block_based_table_factory", "{block_size=8192}");
    assertEquals(TableOptions.defaults().option("block_size", 8192), byName.table());
    assertTrue(stored.get("filter_policy").contains("bloomfilter:12.5:"), stored.get("filter_policy"));
    Map<String, String> ribbon =
        storedAfterOpening(FamilyOptions.defaults().table(TableOptions.defaults().filter(TableFilter.ribbon(9.5))))
            .families()
            .get("default").table().settings();
    assertTrue(ribbon.get("filter_policy").contains("ribbonfilter:9.5:"), ribbon.get("filter_policy"));
  }

  @Test
  void withoutABlockCacheNothingThatWasReadIsKept() {
    assertTrue(isKeptAfterReading(FamilyOptions.defaults()));
    TableOptions uncached = TableOptions.defaults().noBlockCache(true).blockSize(ByteSize.kib(8));
    assertFalse(isKeptAfterReading(FamilyOptions.defaults().table(uncached)));
    assertFalse(isKeptAfterReading(FamilyOptions.defaults().option("block_based_table_factory", "{no_block_cache=1}")));
    try (BlockCache cache = BlockCache.lru(ByteSize.mib(8))) {
      assertTrue(isKeptAfterReading(FamilyOptions.defaults().table(TableOptions.defaults().blockCache(cache))));
      assertFalse(isKeptAfterReading(FamilyOptions.defaults().table(uncached.blockCache(cache))));
    }
  }

  /** Returns whether a value that was read from a file can be read again without file access. */
  private boolean isKeptAfterReading(FamilyOptions options) {
    try (RocksDb db = RocksDb.at(temporary).defaults(options).open()) {
      db.put(bytes("k"), bytes("v"));
      db.flush();
      assertArrayEquals(bytes("v"), db.get(bytes("k")));
      return db.with(ReadOptions.defaults().tier(ReadOptions.Tier.BLOCK_CACHE)).get(bytes("k")) != null;
    } catch (RocksDbException e) {
      assertEquals(Code.INCOMPLETE, e.code());
      return false;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "block_based_table_factory.block_size, 8192",
    "block_based_table_factory, {block_size=8192}",
    "table_factory, {id=BlockBasedTable;block_size=8192}"
  })
  void aTableOptionByAnyOfItsNamesIsInTheTableThatHasACache(String name, String value) {
    try (BlockCache cache = BlockCache.lru(ByteSize.mib(8))) {
      FamilyOptions named =
          FamilyOptions.defaults().table(TableOptions.defaults().blockCache(cache)).option(name, value);
      FamilyOptions inText =
          FamilyOptions.defaults().table(TableOptions.defaults().blockCache(cache)).options(name + "=" + value);
      for (FamilyOptions options : List.of(named, inText)) {
        assertTrue(isKeptAfterReading(options));
        assertEquals(
            "8192", StoredOptions.load(temporary).families().get("default").table().settings().get("block_size"));
        assertEquals("8192", options.table().settings().get("block_size"));
      }
    }
  }

  @Test
  void anotherKindOfTableIsRefusedBesideABlockCache() {
    try (BlockCache cache = BlockCache.lru(ByteSize.mib(8))) {
      TableOptions cached = TableOptions.defaults().blockCache(cache);
      String message =
          "option table_factory: PlainTable is no table for the block cache of TableOptions; leave one out";
      assertEquals(message, refusalOf(FamilyOptions.defaults().unchecked("table_factory", "PlainTable").table(cached)));
      TableOptions uncached = TableOptions.defaults().noBlockCache(true);
      assertEquals(message,
          refusalOf(FamilyOptions.defaults().unchecked("table_factory", "{id=PlainTable}").table(uncached)));
      FamilyOptions again =
          FamilyOptions.defaults().option("table_factory", "PlainTable").option("table_factory", "BlockBasedTable");
      assertTrue(isKeptAfterReading(again.table(cached)));
    }
  }

  @Test
  void tableOptionsThatDoNotFitTogetherAreRefused() {
    TableOptions parts = TableOptions.defaults().filter(TableFilter.bloom(10)).partitionFilters(true);
    assertEquals(
        "table option partition_filters needs index_type=kTwoLevelIndexSearch beside it",
        refusalOf(FamilyOptions.defaults().table(parts)));
    assertEquals(
        "table option partition_filters needs index_type=kTwoLevelIndexSearch beside it",
        refusalOf(FamilyOptions.defaults().option("table_factory", "{id=BlockBasedTable;partition_filters=1}")));
    assertEquals(
        "table option partition_filters needs index_type=kTwoLevelIndexSearch beside it",
        refusalOf(FamilyOptions.defaults().option("table_factory.partition_filters", "1")));
    assertEquals(
        "table option block_align needs a block_size that is a power of 2, which 5000 is not",
        refusalOf(FamilyOptions.defaults().compression(Compression.NONE)
            .table(TableOptions.defaults().options("block_align=1;block_size=5000"))));
    String empty =
        "table option block_cache: strict_capacity_limit without a capacity holds no block, so that no table can be "
        + "read; add capacity=";
    assertEquals(empty,
        refusalOf(FamilyOptions.defaults().option("table_factory.block_cache", "{strict_capacity_limit=true}")));
    assertEquals(empty,
        refusalOf(FamilyOptions.defaults()
            .option("block_based_table_factory", "{block_cache={capacity=0;strict_capacity_limit=1}}")));
    assertFalse(isKeptAfterReading(FamilyOptions.defaults().option("table_factory.no_block_cache", "true")));
    assertFalse(
        isKeptAfterReading(FamilyOptions.defaults()
            .option("table_factory", "{id=BlockBasedTable;no_block_cache=true}")));
    assertTrue(
        isKeptAfterReading(FamilyOptions.defaults()
            .option("table_factory", "{id=BlockBasedTable;no_block_cache=false}")));
  }

  private String refusalOf(FamilyOptions options) {
    return assertThrows(IllegalArgumentException.class, () -> RocksDb.at(temporary).defaults(options).open())
        .getMessage();
  }

  @Test
  void whatATableIsMadeOfIsNotChangedWhileItIsOpen() {
    try (RocksDb db = RocksDb.at(temporary)
        .defaults(FamilyOptions.defaults().table(TableOptions.defaults().filter(TableFilter.bloom(10)))).open()) {
      for (String name : new String[] {"block_based_table_factory", "table_factory"}) {
        Map<String, String> parts = Map.of(name, "{id=BlockBasedTable;partition_filters=true}");
        Map<String, String> dotted = Map.of(name + ".partition_filters", "true");
        Map<String, String> index = Map.of(name, "{id=BlockBasedTable;index_type=kTwoLevelIndexSearch}");
        for (Map<String, String> change : List.of(parts, dotted, index)) {
          String message = assertThrows(IllegalArgumentException.class, () -> db.setOptions(change)).getMessage();
          assertTrue(message.endsWith("it cannot be changed while the database is open; set it for the opening"),
              message);
        }
      }
      db.setOptions(Map.of("block_based_table_factory", "{block_size=8192;partition_filters=false}"));
      db.put(bytes("k"), bytes("v"));
      db.flush();
      assertArrayEquals(bytes("v"), db.get(bytes("k")));
    }
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void everyCompressionIsInTheEngine(Compression compression) {
    try (RocksDb db = RocksDb.at(temporary).defaults(FamilyOptions.defaults().compression(compression)).open()) {
      db.put(bytes("k"), new byte[100_000]);
      db.flush();
      assertEquals(100_000, db.get(bytes("k")).length);
    }
    assertEquals(
        compression.id(), StoredOptions.load(temporary).families().get("default").settings().get("compression"));
  }

  @ParameterizedTest
  @EnumSource(CompactionStyle.class)
  void everyCompactionStyleIsInTheEngine(CompactionStyle style) {
    FamilyOptions options = FamilyOptions.defaults().compactionStyle(style);
    assertEquals(style.id(), storedOf(DatabaseOptions.defaults().maxOpenFiles(-1), options).get("compaction_style"));
  }

  /** The engine's memtables would read the extractor that was freed. */
  @Test
  void aPrefixExtractorIsNotChangedWhileTheDatabaseIsOpen() {
    try (RocksDb db =
        RocksDb.at(temporary).defaults(FamilyOptions.defaults().prefixExtractor(PrefixExtractor.fixed(2))).open()) {
      Map<String, String> other = Map.of("prefix_extractor", "fixed:3");
      var e = assertThrows(IllegalArgumentException.class, () -> db.setOptions(other));
      assertTrue(e.getMessage().contains("prefix_extractor"), e.getMessage());
      assertTrue(e.getMessage().endsWith("cannot be changed while the database is open; set it for the opening"),
          e.getMessage());
    }
  }

  @Test
  void everyPrefixExtractorIsInTheEngine() {
    for (PrefixExtractor extractor :
        new PrefixExtractor[] {PrefixExtractor.fixed(3), PrefixExtractor.capped(3), PrefixExtractor.none()}) {
      FamilyOptions options = FamilyOptions.defaults().prefixExtractor(extractor);
      assertEquals(extractor.id(), storedOf(options).get("prefix_extractor"));
    }
    assertThrows(IllegalArgumentException.class, () -> PrefixExtractor.fixed(0));
    assertThrows(IllegalArgumentException.class, () -> PrefixExtractor.capped(-1));
  }

  @Test
  void theirTextIsReadBack() {
    FamilyOptions options =
        FamilyOptions.defaults()
            .writeBufferSize(ByteSize.mib(8))
            .mergeOperator(MergeOperator.stringAppend('='))
            .option("compression_opts", "{level=4;window_bits=-14}")
            .table(TableOptions.defaults().blockSize(ByteSize.kib(8)).filter(TableFilter.bloom(10)));
    assertEquals(options, FamilyOptions.parse(options.toString()));
    assertEquals(options.hashCode(), FamilyOptions.parse(options.toString()).hashCode());
    assertNotEquals(options, options.writeBufferSize(ByteSize.mib(9)));
    Map<String, String> stored = storedOf(FamilyOptions.parse(options.toString()));
    assertEquals("{id=StringAppendOperator;delimiter==;}", stored.get("merge_operator"));
    assertTrue(stored.get("compression_opts").contains("level=4;"), stored.get("compression_opts"));
  }

  @Test
  void theEnginesOwnNotationIsTaken() {
    Map<String, String> stored =
        storedOf(FamilyOptions.parse("write_buffer_size=8M ;compression=kZSTD;"));
    assertEquals("8388608", stored.get("write_buffer_size"));
    assertEquals("kZSTD", stored.get("compression"));
    assertThrows(IllegalArgumentException.class, () -> FamilyOptions.parse("write_buffer_size"));
    assertThrows(IllegalArgumentException.class, () -> FamilyOptions.parse("a={b=1"));
    assertThrows(IllegalArgumentException.class, () -> FamilyOptions.parse("a={}}"));
  }

  @Test
  void loadedOptionsOpenTheDatabaseAsItWas() {
    Path folder = temporary.resolve("db");
    String odd = "a \"name\" #1: \\ [x]\n=;{}";
    FamilyOptions family =
        FamilyOptions.defaults()
            .mergeOperator(MergeOperator.stringAppend('#'))
            .prefixExtractor(PrefixExtractor.fixed(2))
            .table(TableOptions.defaults().blockSize(ByteSize.kib(16)).filter(TableFilter.ribbon(10)));
    try (RocksDb db = RocksDb.at(folder).options(DatabaseOptions.defaults().maxBackgroundJobs(3)).open()) {
      ColumnFamily created = db.createFamily(odd, family);
      created.merge(bytes("key"), bytes("1"));
    }
    StoredOptions first = StoredOptions.load(folder);
    try (RocksDb db = RocksDb.at(folder).options(first.database()).families(first.families()).open()) {
      db.family(odd).merge(bytes("key"), bytes("2"));
      assertEquals("1#2", text(db.family(odd).get(bytes("key"))));
    }
    StoredOptions second = StoredOptions.load(folder);
    assertEquals(first.database().settings(), second.database().settings());
    assertEquals(first.families().keySet(), second.families().keySet());
    first.families().forEach((name, options) -> {
      assertEquals(options.settings(), second.families().get(name).settings());
      assertEquals(options.table().settings(), second.families().get(name).table().settings());
    });
  }

  private static void make(Path folder) {
    FamilyOptions backward =
        FamilyOptions.defaults().keyOrder(KeyOrder.REVERSE_BYTEWISE).writeBufferSize(ByteSize.mib(3));
    FamilyOptions joined = FamilyOptions.defaults().mergeOperator(MergeOperator.stringAppend('#'));
    try (RocksDb db = RocksDb.open(folder)) {
      ColumnFamily made = db.createFamily("backward", backward);
      made.put(bytes("a"), bytes("1"));
      made.put(bytes("b"), bytes("2"));
      db.createFamily("joined", joined).merge(bytes("key"), bytes("1"));
    }
  }

  @Test
  void storedOptionsOpenADatabaseWithChangesForSome() {
    Path folder = temporary.resolve("db");
    make(folder);
    StoredOptions stored = StoredOptions.load(folder);
    Map<String, FamilyOptions> families = new HashMap<>(stored.families());
    families.replaceAll((name, options) -> options.compression(Compression.ZSTD));
    Opening opening = RocksDb.at(folder).options(stored.database().maxBackgroundJobs(4)).families(families);
    try (RocksDb db = opening.family("joined", families.get("joined").maxWriteBufferNumber(5)).open()) {
      db.family("joined").merge(bytes("key"), bytes("2"));
      assertEquals("1#2", text(db.family("joined").get(bytes("key"))));
      assertEquals(List.of("b", "a"),
          db.family("backward").stream(KeyRange.all(), row -> text(row.keyBytes())).toList());
    }
    StoredOptions again = StoredOptions.load(folder);
    assertEquals("kZSTD", again.families().get("backward").settings().get("compression"));
    assertEquals("3145728", again.families().get("backward").settings().get("write_buffer_size"));
    assertEquals("5", again.families().get("joined").settings().get("max_write_buffer_number"));
    assertEquals("4", again.database().settings().get("max_background_jobs"));
    try (RocksDb db = RocksDb.at(folder).options(again.database()).families(again.families()).openReadOnly()) {
      assertEquals("1#2", text(db.family("joined").get(bytes("key"))));
    }
  }

  @Test
  void familiesThatAreNotNamedHaveTheSameOptions() {
    Path folder = temporary.resolve("db");
    make(folder);
    FamilyOptions common = FamilyOptions.defaults().writeBufferSize(ByteSize.mib(7));
    Opening opening =
        RocksDb.at(folder).defaults(common).family("joined", common.maxWriteBufferNumber(6)).family("new", common);
    try (RocksDb db = opening.open()) {
      assertEquals("1", text(db.family("joined").get(bytes("key"))), "its operator is stored");
      assertEquals(List.of("b", "a"),
          db.family("backward").stream(KeyRange.all(), row -> text(row.keyBytes())).toList());
      assertNull(db.family("new").get(bytes("key")));
    }
    StoredOptions stored = StoredOptions.load(folder);
    assertEquals(Set.of("default", "backward", "joined", "new"), stored.families().keySet());
    stored.families()
        .forEach((name, options) -> assertEquals("7340032", options.settings().get("write_buffer_size"), name));
    assertEquals("6", stored.families().get("joined").settings().get("max_write_buffer_number"));
  }

  @Test
  void aFolderWithoutOptionsIsNoDatabase() {
    var e = assertThrows(IllegalArgumentException.class, () -> StoredOptions.load(temporary));
    assertEquals("folder: " + temporary
        + " has no options file: it is no database, or its program has to open it first", e.getMessage());
  }

  @Test
  void aDamagedOptionsFileIsNamedWithWhatToDo() throws Exception {
    RocksDb.open(temporary).close();
    Path file;
    try (Stream<Path> files = Files.list(temporary)) {
      file = files.filter(each -> each.getFileName().toString().startsWith("OPTIONS-")).sorted().toList().getLast();
    }
    String whole = Files.readString(file);
    Map<String, String> damaged = Map.of(
        "has a line that is not of the form name=value: 'nonsense'",
        whole + "nonsense\n",
        "has no options of the default column family",
        "",
        "ends in the middle",
        whole.substring(0, whole.indexOf("write_buffer_size=67") + 20));
    for (var each : damaged.entrySet()) {
      Files.writeString(file, each.getValue());
      var e = assertThrows(IllegalArgumentException.class, () -> StoredOptions.load(temporary));
      assertEquals(
          file + " " + each.getKey() + ": open the database by its program, which writes a new one", e.getMessage());
    }
    RocksDb.open(temporary).close();
  }

  private IllegalArgumentException refused(FamilyOptions options) {
    return assertThrows(IllegalArgumentException.class, () -> RocksDb.at(temporary).defaults(options).open());
  }

  private IllegalArgumentException refused(String option, Object value) {
    return assertThrows(IllegalArgumentException.class, () -> AnyOptions.NONE.with(option, value).at(temporary).open());
  }

  @ParameterizedTest
  @CsvSource({
    "writebuffersize, write_buffer_size",
    "max_open_file, max_open_files",
    "compresion, compression",
    "max-background-jobs, max_background_jobs"
  })
  void anUnknownOptionIsToldWithTheNearest(String wrong, String right) {
    IllegalArgumentException e = refused(wrong, 1);
    assertEquals("unknown option '" + wrong + "'; did you mean '" + right + "'?", e.getMessage());
  }

  @Test
  void anUnknownTableOptionIsToldWithTheNearest() {
    IllegalArgumentException e =
        refused(FamilyOptions.defaults().table(TableOptions.defaults().option("blocksize", 1)));
    assertEquals("unknown table option 'blocksize'; did you mean 'block_size'?", e.getMessage());
    assertEquals("unknown option 'qqqqqqq'", refused(FamilyOptions.defaults().option("qqqqqqq", 1)).getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "merge_operator, uint64ad",
    "comparator, bytewise",
    "prefix_extractor, rocksdb.FixedPrefx.3",
    "prefix_extractor, rocksdb.FixedPrefix.x",
    "memtable_factory, SkipLists",
    "table_factory, BlockTable",
    "compaction_filter, Mine",
    "compaction_filter_factory, Mine",
    "sst_partitioner_factory, Mine",
    "file_checksum_gen_factory, Mine",
    "compression_manager, Mine",
  })
  void anObjectThatTheEngineHasNotIsRefused(String option, String id) {
    for (String value : new String[] {id, "{id=" + id + ";x=1}"}) {
      String message = refused(option, value).getMessage();
      assertTrue(message.startsWith("option " + option + ": ") && message.contains(id), message);
      assertTrue(message.contains(", but it must be one of ") || message.contains(" is not supported: "), message);
    }
  }

  @Test
  void aFilterThatTheEngineHasNotIsRefused() {
    for (String policy : new String[] {"blom:10", "bloomfilter:x:false"}) {
      String message =
          refused(FamilyOptions.defaults().table(TableOptions.defaults().option("filter_policy", policy))).getMessage();
      assertTrue(message.startsWith("table option filter_policy: " + policy + ", but it must be one of nullptr, "),
          message);
    }
    for (double bits : new double[] {0, -1, Double.NaN, 101}) {
      assertThrows(IllegalArgumentException.class, () -> TableFilter.bloom(bits));
      assertThrows(IllegalArgumentException.class, () -> TableFilter.ribbon(bits));
    }
  }

  @ParameterizedTest
  @CsvSource({"env, nullptr", "env, Default", "rate_limiter, x", "statistics, x", "listeners, {x}", "wal_filter, x"})
  void anObjectThatIsNotMadeFromANameIsRefused(String option, String value) {
    String message = refused(option, value).getMessage();
    String reason =
        "option " + option + ": " + value + " is not supported: the engine makes no such object from a name; ";
    assertTrue(message.startsWith(reason), message);
  }

  @ParameterizedTest
  @CsvSource({"num_levels, -1", "num_levels, 0", "num_levels, 99999999999999999999", "max_background_jobs, 2147483647"})
  void aNumberThatTheEngineDoesNotSurviveIsRefused(String option, String value) {
    String message = refused(option, value).getMessage();
    assertTrue(message.startsWith("option " + option + ": " + value + ", but it must be from "), message);
  }

  @Test
  void anOrderByTimestampsIsRefused() {
    String message =
        refused(FamilyOptions.defaults().option("comparator", "leveldb.BytewiseComparator.u64ts")).getMessage();
    assertTrue(message.startsWith("option comparator: leveldb.BytewiseComparator.u64ts, but it must be one of "),
        message);
  }

  @ParameterizedTest
  @CsvSource({"write_buffer_size, many", "compression, kGzip", "compression, }", "paranoid_checks, perhaps"})
  void aBadValueIsToldWithItsOption(String option, String value) {
    String message = refused(option, value).getMessage();
    assertTrue(message.startsWith("option " + option + ": ") && message.contains(value), message);
  }

  @Test
  void aValueWithNulIsRefused() {
    assertTrue(refused("db_log_dir", "/a\0b").getMessage().contains("NUL"));
  }

  @Test
  void aNegativeDurationIsRefused() {
    var e = assertThrows(IllegalArgumentException.class, () -> FamilyOptions.defaults().ttl(Duration.ofSeconds(-1)));
    assertEquals("age: PT-1S, but it must be a number of whole seconds, at least 0", e.getMessage());
    assertThrows(IllegalArgumentException.class,
        () -> FamilyOptions.defaults().periodicCompaction(Duration.ofSeconds(-1)));
    assertThrows(IllegalArgumentException.class,
        () -> DatabaseOptions.defaults().statsDumpPeriod(Duration.ofSeconds(-1)));
    assertThrows(IllegalArgumentException.class, () -> ReadOptions.defaults().ioTimeout(Duration.ofNanos(-1)));
    ReadOptions.defaults().ioTimeout(Duration.ofSeconds(Long.MAX_VALUE));
  }

  @Test
  void optionsStayAsTheyAreWhenOthersAreMadeOfThem() {
    FamilyOptions base = FamilyOptions.defaults();
    base.writeBufferSize(ByteSize.mib(1));
    assertEquals(Map.of(), base.settings());
    assertThrows(UnsupportedOperationException.class, () -> FamilyOptions.defaults().settings().clear());
    assertEquals(ReadOptions.defaults().pinData(true), ReadOptions.defaults().pinData(true));
    assertNotEquals(ReadOptions.defaults().pinData(true), ReadOptions.defaults());
    assertEquals(WriteOptions.defaults().sync(true).hashCode(), WriteOptions.defaults().sync(true).hashCode());
    assertNotEquals(WriteOptions.defaults().sync(true), WriteOptions.defaults());
  }

  @Test
  void sizesAreBytesWithUnits() {
    assertEquals(1 << 20, ByteSize.mib(1).bytes());
    assertEquals("1 MiB", ByteSize.kib(1024).toString());
    assertEquals("1025 B", ByteSize.bytes(1025).toString());
    assertEquals("0 B", ByteSize.gib(0).toString());
    assertTrue(ByteSize.gib(1).compareTo(ByteSize.mib(1)) > 0);
    var e = assertThrows(IllegalArgumentException.class, () -> ByteSize.bytes(-1));
    assertEquals("bytes: -1 is negative", e.getMessage());
    IllegalArgumentException tooLarge =
        assertThrows(IllegalArgumentException.class, () -> ByteSize.gib(Long.MAX_VALUE));
    assertEquals("count: 9223372036854775807, but it is from 0 to 8589934591", tooLarge.getMessage());
  }

  @Test
  void optionsThatAreGivenAgainAreNotMadeAgain() {
    try (RocksDb db = RocksDb.open(temporary)) {
      WriteOptions synced = WriteOptions.defaults().sync(true);
      ReadOptions passing = ReadOptions.defaults().fillCache(false);
      List<Object> held = new ArrayList<>(List.of(db.with(synced), db.with(passing)));
      long writing = LiveObjects.WRITE_OPTIONS.count();
      long reading = LiveObjects.READ_OPTIONS.count();
      for (int i = 0; i < 1000; i++) {
        held.add(db.with(synced));
        held.add(db.with(passing));
        held.add(db.with(WriteOptions.defaults()));
        held.add(db.with(ReadOptions.defaults()));
      }
      assertTrue(LiveObjects.WRITE_OPTIONS.count() <= writing, "write options of " + held.size());
      assertTrue(LiveObjects.READ_OPTIONS.count() <= reading, "read options of " + held.size());
    }
  }
}
