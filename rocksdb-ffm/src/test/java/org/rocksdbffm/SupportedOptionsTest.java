/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm;

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

/** Tests that no unsupported option reaches the engine, however it is set; {@code unchecked} is the one way past. */
class SupportedOptionsTest {
  private static final Options CREATE = Options.defaults().createIfMissing(true);
  private static final String DOOR = "Options.unchecked sets it all the same, without this library's promises";

  @TempDir Path folder;

  /** Each of these ended the process, or never returned, or lost rows without a word. */
  @ParameterizedTest
  @CsvSource({
    "max_background_jobs, 1M", "max_background_jobs, 100k", "max_background_flushes, 1M", "max_file_opening_threads, 1M",
    "table_cache_numshardbits, 1k", "num_levels, -1k", "num_levels, 1M", "sample_for_compression, 4294967296",
    "sample_for_compression, 1T", "rate_limiter_bytes_per_sec, 0", "rate_limiter_bytes_per_sec, 1", "memtable_factory, vector:-1",
    "memtable_factory, vector:9223372036854775807", "table_factory, {id=PlainTable;encoding_type=kPrefix;full_scan_mode=true}",
    "table_factory, {id=CuckooTable;hash_table_ratio=0}", "table_factory, CuckooTable", "disallow_memtable_writes, true",
    "unordered_write, true", "best_efforts_recovery, true", "persist_stats_to_disk, 1", "wal_recovery_mode, kSkipAnyCorruptedRecords",
    "block_based_table_factory, {index_type=kHashSearch}", "block_based_table_factory.checksum, kNoChecksum", "compression, zstd"
  })
  void itIsRefusedByNameAtAnOpening(String name, String value) {
    Options options = CREATE.option(name, value);
    String message = assertThrows(IllegalArgumentException.class, () -> RocksDb.open(folder, options)).getMessage();
    assertTrue(message.contains("option ") && message.contains(name.replaceFirst("^.*[.]", "").replace("block_based_table_factory", "index_type")), message);
    assertTrue(message.endsWith(DOOR), message);
    try (RocksDb db = RocksDb.open(folder)) {
      assertThrows(IllegalArgumentException.class, () -> db.createFamily("other", options));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "level0_stop_writes_trigger, 0", "level0_stop_writes_trigger, 2", "max_write_buffer_number, 0", "max_write_buffer_number, -1T",
    "max_write_buffer_number, 0.5", "table_factory, BlockBasedTable x", "table_factory, {id=PlainTable}", "preclude_last_level_data_seconds, -1",
    "block_based_table_factory, {block_size=18446744073709551615}", "block_based_table_factory, {format_version=100}",
    "block_based_table_factory, {block_size=5G}", "memtable_protection_bytes_per_key, 3", "level0_file_num_compaction_trigger, 40",
    "block_based_table_factory.super_block_alignment_size, 5000", "enable_blob_direct_write, true"
  })
  void itIsRefusedByNameWhileAFamilyIsOpen(String name, String value) {
    try (RocksDb db = RocksDb.open(folder)) {
      String message = assertThrows(IllegalArgumentException.class, () -> db.setOptions(Map.of(name, value))).getMessage();
      assertTrue(message.contains("option ") && !message.contains("unchecked"), message);
      writeAndRead(db);
    }
  }

  @ParameterizedTest
  @CsvSource({"max_background_jobs, 2147483647", "max_background_jobs, -2147483648", "max_background_flushes, 1G", "max_open_files, 5", "writable_file_max_buffer_size, 1T"})
  void itIsRefusedByNameWhileADatabaseIsOpen(String name, String value) {
    try (RocksDb db = RocksDb.open(folder)) {
      String message = assertThrows(IllegalArgumentException.class, () -> db.setDatabaseOptions(Map.of(name, value))).getMessage();
      assertTrue(message.startsWith("option " + name + ": " + value), message);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{level=1};comparator=rocksdb.ReverseBytewiseComparator", "-14:1:0;num_levels=1k", "{level=1}}", "{level=1;x={}"})
  void aValueIsNoOtherOption(String value) {
    assertThrows(IllegalArgumentException.class, () -> RocksDb.open(folder, CREATE.option("compression_opts", value)));
    try (RocksDb db = RocksDb.open(folder)) {
      assertThrows(IllegalArgumentException.class, () -> db.setOptions(Map.of("compression_opts", value)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {" num_levels", "num_levels ", "num_levels=3;ttl", "num_levels\n", "{num_levels"})
  void aNameIsNoOtherOption(String name) {
    assertThrows(IllegalArgumentException.class, () -> RocksDb.open(folder, CREATE.option(name, "1")));
    assertThrows(IllegalArgumentException.class, () -> RocksDb.open(folder, CREATE.unchecked(name, "1")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1;num_levels=3", "{1};num_levels=3", "a}{b", "1\0", "\uD83D"})
  void noValuePastTheTableIsAnotherOption(String value) {
    try (RocksDb db = RocksDb.open(folder, CREATE.unchecked("db_host_id", value))) {
      assertEquals("0", db.metrics().property("rocksdb.num-files-at-level6"));
    } catch (IllegalArgumentException refused) {
      assertTrue(refused.getMessage().startsWith("option db_host_id: "), refused.getMessage());
      return;
    }
    StoredOptions stored = Options.load(folder);
    assertEquals("7", stored.columnFamilies().get("default").settings().get("num_levels"));
    assertTrue(stored.database().settings().get("db_host_id").contains("1"), "it is in one option as a whole");
  }

  @Test
  void theWayPastTheTableLeadsToTheEngine() {
    Options options = CREATE.unchecked("memtable_factory", "vector").option("allow_concurrent_memtable_write", false);
    try (RocksDb db = RocksDb.open(folder, options.table(TableOptions.defaults().unchecked("index_block_search_type", "kAuto")))) {
      writeAndRead(db);
    }
    StoredOptions stored = Options.load(folder);
    assertEquals("kAuto", stored.columnFamilies().get("default").table().settings().get("index_block_search_type"));
    assertTrue(stored.columnFamilies().get("default").settings().get("memtable_factory").contains("VectorRepFactory"));
    assertEquals("vector", options.settings().get("memtable_factory"));
    assertEquals(options, CREATE.unchecked("memtable_factory", "vector").option("allow_concurrent_memtable_write", false));
    assertNotEquals(options, CREATE.option("memtable_factory", "vector").option("allow_concurrent_memtable_write", false));
    assertThrows(IllegalArgumentException.class, () -> RocksDb.open(folder, options.option("memtable_factory", "vector")), "it is checked again");
    assertThrows(RocksDbException.class, () -> RocksDb.open(folder, CREATE.unchecked("no_such_option", 1)));
    assertEquals("8", CREATE.unchecked("block_based_table_factory.block_size", 8).table().settings().get("block_size"));
  }

  @Test
  void blobsAndMergesBesideTiersAreRefused() {
    Options blobs = CREATE.mergeOperator(MergeOperator.stringAppend(',')).enableBlobFiles(true);
    Options tiers = blobs.option("preclude_last_level_data_seconds", 2);
    assertThrows(IllegalArgumentException.class, () -> RocksDb.open(folder, tiers));
    Options inJava = tiers.mergeOperator("in Java", (key, existing, operands) -> new byte[0]);
    assertThrows(IllegalArgumentException.class, () -> RocksDb.open(folder, inJava));
    try (RocksDb db = RocksDb.open(folder, blobs)) {
      Map<String, String> change = Map.of("preclude_last_level_data_seconds", "2");
      assertThrows(IllegalArgumentException.class, () -> db.setOptions(change));
      db.setOptions(Map.of("enable_blob_files", "false"));
      db.setOptions(change);
      assertThrows(IllegalArgumentException.class, () -> db.setOptions(Map.of("enable_blob_files", "true")));
      writeAndRead(db);
    }
  }

  @Test
  void anOpenFamilyKeepsWhatMakesItsWritesReturn() {
    try (RocksDb db = RocksDb.open(folder, CREATE.maxWriteBufferNumber(6).option("min_write_buffer_number_to_merge", 4))) {
      assertThrows(IllegalArgumentException.class, () -> db.setOptions(Map.of("max_write_buffer_number", "4")));
      db.setOptions(Map.of("max_write_buffer_number", "5"));
      db.setOptions(Map.of("level0_file_num_compaction_trigger", "40", "level0_slowdown_writes_trigger", "50", "level0_stop_writes_trigger", "50"));
      assertThrows(IllegalArgumentException.class, () -> db.setOptions(Map.of("level0_stop_writes_trigger", "49")));
      db.setOptions(Map.of("num_levels", "7")); // as it is
      writeAndRead(db);
    }
  }

  @Test
  void walsThatAreTrackedAreNotReadAlone() {
    Options tracked = CREATE.option("track_and_verify_wals_in_manifest", true);
    RocksDb.open(folder, tracked).close();
    String message = assertThrows(IllegalArgumentException.class, () -> RocksDb.openReadOnly(folder, tracked)).getMessage();
    assertTrue(message.startsWith("option track_and_verify_wals_in_manifest: "), message);
    RocksDb.openReadOnly(folder).close();
  }

  @Test
  void aPartOfASecondIsRefusedWithTheUnit() {
    for (Duration age : new Duration[] {Duration.ofMillis(500), Duration.ofMillis(1500), Duration.ofNanos(1)}) {
      String message = assertThrows(IllegalArgumentException.class, () -> CREATE.ttl(age)).getMessage();
      assertEquals("age: " + age + ", but it must be a number of whole seconds, at least 0", message);
      assertThrows(IllegalArgumentException.class, () -> CREATE.periodicCompaction(age));
      assertThrows(IllegalArgumentException.class, () -> CREATE.statsDumpPeriod(age));
    }
  }

  @Test
  void typedMethodsCheckTheirArgumentsAtOnce() {
    assertThrows(IllegalArgumentException.class, () -> CREATE.maxBackgroundJobs(1 << 20));
    assertThrows(IllegalArgumentException.class, () -> CREATE.maxWriteBufferNumber(1));
    assertThrows(IllegalArgumentException.class, () -> CREATE.maxOpenFiles(0));
    assertThrows(IllegalArgumentException.class, () -> CREATE.writeBufferSize(ByteSize.gib(100)));
    assertThrows(IllegalArgumentException.class, () -> TableOptions.defaults().blockSize(ByteSize.bytes(0)));
    assertThrows(IllegalArgumentException.class, () -> TableOptions.defaults().formatVersion(100));
  }

  @ParameterizedTest
  @ValueSource(strings = {"wal_dir", "db_log_dir", "compression_per_level", "daily_offpeak_time_utc", "compression_opts.level"})
  void aNameThatNoOptionsFileHasIsKnown(String name) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> RocksDb.open(folder, CREATE.option("ttll", 1).option(name, "1"))).getMessage();
    assertEquals("unknown option 'ttll'; did you mean 'ttl'?", message);
  }

  @Test
  void whatWasLoadedOpensTheDatabaseAgain() {
    Options options = CREATE.compression(Compression.ZSTD).option("compression_opts", "{level=3}").option("db_log_dir", folder.resolve("a b;c"));
    RocksDb.open(folder.resolve("db"), options.table(TableOptions.defaults().filter(TableFilter.ribbon(9.5)))).close();
    StoredOptions stored = Options.load(folder.resolve("db"));
    try (RocksDb db = RocksDb.open(folder.resolve("db"), stored.database(), stored.columnFamilies())) {
      writeAndRead(db);
      db.setOptions(stored.columnFamilies().get("default").settings()); // as it is, all of it
    }
  }

  /** Its letters would reach the engine as question marks, and two families would be one. */
  @Test
  void aNameThatUtf8CannotExpressIsRefused() {
    try (RocksDb db = RocksDb.open(folder)) {
      assertThrows(IllegalArgumentException.class, () -> db.createFamily("\uD83D", Options.defaults()));
      assertEquals("\uD83D\uDE00", db.createFamily("\uD83D\uDE00", Options.defaults()).name());
    }
    assertThrows(IllegalArgumentException.class, () -> RocksDb.open(folder, CREATE, Map.of("\uDE00", CREATE)));
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
    Options options = Options.defaults().createIfMissing(true).options(text);
    String message = assertThrows(IllegalArgumentException.class, () -> RocksDb.open(Path.of("nowhere"), options)).getMessage();
    String name = text.substring(0, text.indexOf('='));
    assertEquals("option " + name + ": options: 'nullptr' is not of the form name=value", message);
  }
}
