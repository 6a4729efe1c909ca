/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.options;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.Compression;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.StoredOptions;
import org.rocksdbffm.TableFilter;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.UniversalCompaction;
import org.rocksdbffm.internal.options.AnyOptions;

/** Tests that no unsupported option reaches the engine, however it is set, except with {@code unchecked}. */
class SupportedOptionsTest {
  private static final String DOOR = "Options.unchecked sets it all the same, without this library's promises";

  @TempDir Path folder;

  /** With each of these values, the engine ended the process, never returned, or silently lost rows. */
  @ParameterizedTest
  @CsvSource({
    "max_background_jobs, 1M", "max_background_jobs, 100k", "max_background_flushes, 1M",
    "max_file_opening_threads, 1M",
    "table_cache_numshardbits, 1k", "num_levels, -1k", "num_levels, 1M", "sample_for_compression, 4294967296",
    "sample_for_compression, 1T", "rate_limiter_bytes_per_sec, 0", "rate_limiter_bytes_per_sec, 1",
    "memtable_factory, vector:-1",
    "memtable_factory, vector:9223372036854775807",
    "table_factory, {id=PlainTable;encoding_type=kPrefix;full_scan_mode=true}",
    "table_factory, {id=CuckooTable;hash_table_ratio=0}", "table_factory, CuckooTable",
    "disallow_memtable_writes, true",
    "unordered_write, true", "best_efforts_recovery, true", "persist_stats_to_disk, 1",
    "wal_recovery_mode, kSkipAnyCorruptedRecords",
    "block_based_table_factory, {index_type=kHashSearch}", "block_based_table_factory.checksum, kNoChecksum",
    "compression, zstd",
    "min_tombstones_for_range_conversion, 4", "open_files_async, true"
  })
  void itIsRefusedByNameAtAnOpening(String name, String value) {
    AnyOptions options = AnyOptions.NONE.with(name, value);
    String message = assertThrows(IllegalArgumentException.class, () -> options.at(folder).open()).getMessage();
    assertTrue(message.contains("option ")
        && message.contains(name.replaceFirst("^.*[.]", "").replace("block_based_table_factory", "index_type")),
        message);
    assertTrue(message.endsWith(DOOR), message);
    if (options.database().equals(DatabaseOptions.defaults())) {
      try (RocksDb db = RocksDb.open(folder)) {
        assertThrows(IllegalArgumentException.class, () -> db.createFamily("other", options.families()));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "level0_stop_writes_trigger, 0", "level0_stop_writes_trigger, 2", "max_write_buffer_number, 0",
    "max_write_buffer_number, -1T",
    "max_write_buffer_number, 0.5", "table_factory, BlockBasedTable x", "table_factory, {id=PlainTable}",
    "preclude_last_level_data_seconds, -1",
    "block_based_table_factory, {block_size=18446744073709551615}", "block_based_table_factory, {format_version=100}",
    "block_based_table_factory, {block_size=5G}", "memtable_protection_bytes_per_key, 3",
    "level0_file_num_compaction_trigger, 40",
    "block_based_table_factory.super_block_alignment_size, 5000", "enable_blob_direct_write, true",
    "min_tombstones_for_range_conversion, 1"
  })
  void itIsRefusedByNameWhileAFamilyIsOpen(String name, String value) {
    try (RocksDb db = RocksDb.open(folder)) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> db.setOptions(Map.of(name, value))).getMessage();
      assertTrue(message.contains("option ") && !message.contains("unchecked"), message);
      writeAndRead(db);
    }
  }

  @ParameterizedTest
  @CsvSource(
      {"max_background_jobs, 2147483647", "max_background_jobs, -2147483648", "max_background_flushes, 1G",
          "max_open_files, 5", "writable_file_max_buffer_size, 1T"})
  void itIsRefusedByNameWhileADatabaseIsOpen(String name, String value) {
    try (RocksDb db = RocksDb.open(folder)) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> db.setDatabaseOptions(Map.of(name, value))).getMessage();
      assertTrue(message.startsWith("option " + name + ": " + value), message);
    }
  }

  @ParameterizedTest
  @ValueSource(strings =
      {"{level=1};comparator=rocksdb.ReverseBytewiseComparator", "-14:1:0;num_levels=1k", "{level=1}}",
          "{level=1;x={}"})
  void aValueIsNoOtherOption(String value) {
    assertThrows(IllegalArgumentException.class,
        () -> RocksDb.at(folder).defaults(FamilyOptions.defaults().option("compression_opts", value)).open());
    try (RocksDb db = RocksDb.open(folder)) {
      assertThrows(IllegalArgumentException.class, () -> db.setOptions(Map.of("compression_opts", value)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {" num_levels", "num_levels ", "num_levels=3;ttl", "num_levels\n", "{num_levels"})
  void aNameIsNoOtherOption(String name) {
    assertThrows(IllegalArgumentException.class,
        () -> RocksDb.at(folder).defaults(FamilyOptions.defaults().option(name, "1")).open());
    assertThrows(IllegalArgumentException.class,
        () -> RocksDb.at(folder).defaults(FamilyOptions.defaults().unchecked(name, "1")).open());
  }

  @ParameterizedTest
  @ValueSource(strings = {"1;num_levels=3", "{1};num_levels=3", "a}{b", "1\0", "\uD83D"})
  void noValuePastTheTableIsAnotherOption(String value) {
    try (RocksDb db = RocksDb.at(folder).options(DatabaseOptions.defaults().unchecked("db_host_id", value)).open()) {
      assertEquals("0", db.metrics().property("rocksdb.num-files-at-level6"));
    } catch (IllegalArgumentException refused) {
      assertTrue(refused.getMessage().startsWith("option db_host_id: "), refused.getMessage());
      return;
    }
    StoredOptions stored = StoredOptions.load(folder);
    assertEquals("7", stored.families().get("default").settings().get("num_levels"));
    assertTrue(stored.database().settings().get("db_host_id").contains("1"), "it is in one option as a whole");
  }

  @Test
  void theWayPastTheTableLeadsToTheEngine() {
    DatabaseOptions single = DatabaseOptions.defaults().option("allow_concurrent_memtable_write", false);
    FamilyOptions options = FamilyOptions.defaults().unchecked("memtable_factory", "vector");
    try (RocksDb db = RocksDb.at(folder).options(single)
        .defaults(options.table(TableOptions.defaults().unchecked("index_block_search_type", "kAuto"))).open()) {
      writeAndRead(db);
    }
    StoredOptions stored = StoredOptions.load(folder);
    assertEquals("kAuto", stored.families().get("default").table().settings().get("index_block_search_type"));
    assertTrue(stored.families().get("default").settings().get("memtable_factory").contains("VectorRepFactory"));
    assertEquals("vector", options.settings().get("memtable_factory"));
    assertEquals(options, FamilyOptions.defaults().unchecked("memtable_factory", "vector"));
    assertNotEquals(options, FamilyOptions.defaults().option("memtable_factory", "vector"));
    assertThrows(IllegalArgumentException.class,
        () -> RocksDb.at(folder).defaults(options.option("memtable_factory", "vector")).open(), "it is checked again");
    assertThrows(RocksDbException.class,
        () -> RocksDb.at(folder).defaults(FamilyOptions.defaults().unchecked("no_such_option", 1)).open());
    assertEquals("8",
        FamilyOptions.defaults().unchecked("block_based_table_factory.block_size", 8).table().settings()
            .get("block_size"));
  }

  @Test
  void blobsAndMergesBesideTiersAreRefused() {
    FamilyOptions universal = FamilyOptions.defaults().universal(UniversalCompaction.defaults());
    FamilyOptions blobs = universal.mergeOperator(MergeOperator.stringAppend(',')).enableBlobFiles(true);
    FamilyOptions tiers = blobs.option("preclude_last_level_data_seconds", 2);
    assertThrows(IllegalArgumentException.class, () -> RocksDb.at(folder).defaults(tiers).open());
    FamilyOptions inJava = tiers.mergeOperator("in Java", (key, existing, operands) -> new byte[0]);
    assertThrows(IllegalArgumentException.class, () -> RocksDb.at(folder).defaults(inJava).open());
    try (RocksDb db = RocksDb.at(folder).defaults(blobs).open()) {
      Map<String, String> change = Map.of("preclude_last_level_data_seconds", "2");
      assertThrows(IllegalArgumentException.class, () -> db.setOptions(change));
      db.setOptions(Map.of("enable_blob_files", "false"));
      db.setOptions(change);
      assertThrows(IllegalArgumentException.class, () -> db.setOptions(Map.of("enable_blob_files", "true")));
      writeAndRead(db);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"preclude_last_level_data_seconds", "preserve_internal_time_seconds"})
  void timesOfRowsAreRefusedInLevelsWhereCompactionsOfThemNeverEnd(String name) {
    FamilyOptions levels = FamilyOptions.defaults().option(name, 1000);
    String message =
        assertThrows(IllegalArgumentException.class, () -> RocksDb.at(folder).defaults(levels).open()).getMessage();
    assertTrue(message.startsWith("option " + name + ": in leveled compaction, tables are compacted again and again"),
        message);
    try (RocksDb db = RocksDb.open(folder)) {
      assertThrows(IllegalArgumentException.class, () -> db.setOptions(Map.of(name, "1000")));
      db.setOptions(Map.of(name, "0"));
      FamilyOptions universal = levels.universal(UniversalCompaction.defaults());
      db.createFamily("universal", universal);
      db.createFamily("unchecked", FamilyOptions.defaults().unchecked(name, 1000));
    }
  }

  @Test
  void anOpenFamilyKeepsWhatMakesItsWritesReturn() {
    try (RocksDb db = RocksDb.at(folder)
        .defaults(FamilyOptions.defaults().maxWriteBufferNumber(6).option("min_write_buffer_number_to_merge", 4))
        .open()) {
      assertThrows(IllegalArgumentException.class, () -> db.setOptions(Map.of("max_write_buffer_number", "4")));
      db.setOptions(Map.of("max_write_buffer_number", "5"));
      db.setOptions(
          Map.of("level0_file_num_compaction_trigger", "40", "level0_slowdown_writes_trigger", "50",
              "level0_stop_writes_trigger", "50"));
      assertThrows(IllegalArgumentException.class, () -> db.setOptions(Map.of("level0_stop_writes_trigger", "49")));
      db.setOptions(Map.of("num_levels", "7")); // the current value
      writeAndRead(db);
    }
  }

  @Test
  void walsThatAreTrackedAreNotReadAlone() {
    DatabaseOptions tracked = DatabaseOptions.defaults().option("track_and_verify_wals_in_manifest", true);
    RocksDb.at(folder).options(tracked).open().close();
    String message =
        assertThrows(IllegalArgumentException.class, () -> RocksDb.at(folder).options(tracked).openReadOnly())
            .getMessage();
    assertTrue(message.startsWith("option track_and_verify_wals_in_manifest: "), message);
    RocksDb.at(folder).openReadOnly().close();
  }

  @Test
  void aPartOfASecondIsRefusedWithTheUnit() {
    for (Duration age : new Duration[] {Duration.ofMillis(500), Duration.ofMillis(1500), Duration.ofNanos(1)}) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> FamilyOptions.defaults().ttl(age)).getMessage();
      assertEquals("age: " + age + ", but it must be a number of whole seconds, at least 0", message);
      assertThrows(IllegalArgumentException.class, () -> FamilyOptions.defaults().periodicCompaction(age));
      assertThrows(IllegalArgumentException.class, () -> DatabaseOptions.defaults().statsDumpPeriod(age));
    }
  }

  @Test
  void typedMethodsCheckTheirArgumentsAtOnce() {
    assertThrows(IllegalArgumentException.class, () -> DatabaseOptions.defaults().maxBackgroundJobs(1 << 20));
    assertThrows(IllegalArgumentException.class, () -> FamilyOptions.defaults().maxWriteBufferNumber(1));
    assertThrows(IllegalArgumentException.class, () -> DatabaseOptions.defaults().maxOpenFiles(0));
    assertThrows(IllegalArgumentException.class, () -> FamilyOptions.defaults().writeBufferSize(ByteSize.gib(100)));
    assertThrows(IllegalArgumentException.class, () -> TableOptions.defaults().blockSize(ByteSize.bytes(0)));
    assertThrows(IllegalArgumentException.class, () -> TableOptions.defaults().formatVersion(100));
  }

  @ParameterizedTest
  @ValueSource(strings =
      {"wal_dir", "db_log_dir", "compression_per_level", "daily_offpeak_time_utc", "compression_opts.level"})
  void aNameThatNoOptionsFileHasIsKnown(String name) {
    String message =
        assertThrows(IllegalArgumentException.class,
            () -> AnyOptions.NONE.with("ttll", 1).with(name, "1").at(folder).open()).getMessage();
    assertEquals("unknown option 'ttll'; did you mean 'ttl'?", message);
  }

  @Test
  void whatWasLoadedOpensTheDatabaseAgain() {
    DatabaseOptions database = DatabaseOptions.defaults().option("db_log_dir", folder.resolve("a b;c"));
    FamilyOptions families =
        FamilyOptions.defaults()
            .compression(Compression.ZSTD)
            .option("compression_opts", "{level=3}")
            .table(TableOptions.defaults().filter(TableFilter.ribbon(9.5)));
    RocksDb.at(folder.resolve("db")).options(database).defaults(families).open().close();
    StoredOptions stored = StoredOptions.load(folder.resolve("db"));
    try (RocksDb db = RocksDb.at(folder.resolve("db")).options(stored.database()).families(stored.families()).open()) {
      writeAndRead(db);
      db.setOptions(stored.families().get("default").settings()); // all options, with their current values
    }
  }

  /** Such characters would reach the engine as question marks, so that two names would be equal. */
  @Test
  void aNameThatUtf8CannotExpressIsRefused() {
    try (RocksDb db = RocksDb.open(folder)) {
      assertThrows(IllegalArgumentException.class, () -> db.createFamily("\uD83D", FamilyOptions.defaults()));
      assertEquals("\uD83D\uDE00", db.createFamily("\uD83D\uDE00", FamilyOptions.defaults()).name());
    }
    assertThrows(IllegalArgumentException.class,
        () -> RocksDb.at(folder).family("\uDE00", FamilyOptions.defaults()).open());
  }

  private static void writeAndRead(RocksDb db) {
    for (int i = 0; i < 100; i++) {
      db.put(bytes("key" + i), new byte[300]);
    }
    db.flush();
    assertArrayEquals(new byte[300], db.get(bytes("key7")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"compression_manager={id=x;nullptr}", "compaction_options_universal={nullptr}"})
  void aPartThatIsNoneIsRefusedWithTheNameOfItsOption(String text) {
    FamilyOptions options = FamilyOptions.defaults().options(text);
    String message =
        assertThrows(IllegalArgumentException.class, () -> RocksDb.at(Path.of("nowhere")).defaults(options).open())
            .getMessage();
    String name = text.substring(0, text.indexOf('='));
    assertEquals("option " + name + ": options: 'nullptr' is not of the form name=value", message);
  }
}
