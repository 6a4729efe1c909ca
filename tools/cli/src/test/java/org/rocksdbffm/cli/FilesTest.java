/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.TtlDB;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;

/** Table files, WAL files and info logs are read without opening the database. */
class FilesTest {
  @TempDir private Path folder;

  private Path table() throws IOException {
    return file(".*\\.sst");
  }

  private Path file(String pattern) throws IOException {
    try (var files = Files.list(folder)) {
      return files.filter(file -> file.getFileName().toString().matches(pattern)).sorted().findFirst().orElseThrow();
    }
  }

  @ParameterizedTest
  @CsvSource({"CORE, kNoCompression", "CORE, kZSTD", "ROCKSDBJNI, kNoCompression", "ROCKSDBJNI, kZSTD"})
  void walPrintsWhatIsInNoTable(SampleWriter writer, String walCompression) throws RocksDBException {
    writer.write(folder, walCompression);
    List<String> rows = CommandRun.lines(0, "wal", folder, "-v", "hex", "--since", "900");
    assertEquals("901\tput\tdefault\tzäh\\x09\\\\\tff00", rows.getLast());
    assertEquals("900\tmerge\tsums\tn\t0100000000000000", rows.getFirst());
    assertEquals(1, CommandRun.lines(0, "wal", folder, "-n", "1").size());
    List<String> files = CommandRun.lines(0, "wal", folder, "--files", "--json");
    assertTrue(files.getLast().endsWith("\"last\":901}"), files.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"kNoCompression", "kZSTD"})
  void batchesThatAreLongerThanTheBlocksOfALogAreRead(String walCompression) {
    byte[] large = new byte[3 << 20];
    new Random(1).nextBytes(large);
    DatabaseOptions options = DatabaseOptions.defaults().option("wal_compression", walCompression);
    try (RocksDb db = RocksDb.at(folder).options(options).open()) {
      for (int i = 0; i < 3; i++) {
        db.put("small".getBytes(UTF_8), "v".getBytes(UTF_8));
        db.put("large".getBytes(UTF_8), large);
      }
    }
    List<String> rows = CommandRun.lines(0, "wal", folder, "-v", "base64");
    assertEquals(6, rows.size());
    assertEquals("6\tput\tdefault\tlarge\t" + Base64.getEncoder().encodeToString(large), rows.getLast());
    assertTrue(CommandRun.lines(0, "stats", folder, "--json").getFirst().contains("\"writes\":6,"));
  }

  @Test
  void walNamesRanges() {
    try (RocksDb db = RocksDb.open(folder)) {
      db.deleteRange("a".getBytes(UTF_8), "b".getBytes(UTF_8));
    }
    assertEquals(List.of("1\tdelete_range\tdefault\ta\tb"), CommandRun.lines(0, "wal", folder));
  }

  @Test
  void walNamesTransactions() {
    try (TransactionDb db = RocksDb.at(folder).openTransactional();
        Transaction transaction = db.begin()) {
      transaction.put("k".getBytes(UTF_8), "v".getBytes(UTF_8));
      transaction.prepare("pay");
      transaction.commit();
    }
    List<String> rows = CommandRun.lines(0, "wal", folder);
    assertTrue(rows.stream().anyMatch(row -> row.endsWith("\tend_prepare\t-\tpay\t-")), rows.toString());
    assertTrue(rows.getLast().endsWith("\tcommit\t-\tpay\t-"), rows.toString());
  }

  @Test
  void walNamesTheLogThatIsDamaged() throws Exception {
    SampleWriter.CORE.write(folder);
    Path log = file("\\d+\\.log");
    byte[] bytes = Files.readAllBytes(log);
    bytes[10] ^= 1;
    Files.write(log, bytes);
    for (String[] options : new String[][] {{}, {"--files"}}) {
      List<Object> line = new ArrayList<>(List.of("wal", folder));
      line.addAll(List.of(options));
      CommandRun run = CommandRun.of(line.toArray());
      assertEquals(1, run.code());
      assertTrue(run.err().startsWith("rocksdb-ffm: " + log.getFileName() + " ends at 0: a checksum is wrong; "),
          run.err());
    }
  }

  @ParameterizedTest
  @EnumSource
  void sstPrintsThePropertiesAndTheRowsOfATable(SampleWriter writer) throws Exception {
    writer.write(folder);
    List<String> properties = CommandRun.lines(0, "sst", table(), "--json");
    assertTrue(properties.contains("{\"property\":\"rocksdb.num.entries\",\"value\":300}"), properties.toString());
    assertTrue(
        properties.contains("{\"property\":\"rocksdb.comparator\",\"value\":\"leveldb.BytewiseComparator\"}"),
        properties.toString());
    assertEquals(List.of("order:298\tv298", "order:299\tv299"),
        CommandRun.lines(0, "sst", table(), "--rows", "--from", "order:298"));
    assertEquals(1, CommandRun.lines(0, "sst", table(), "--rows", "-n", "1").size());
    CommandRun.lines(0, "compact", folder, "-f", "back");
    CommandRun.lines(0, "compact", folder);
    List<String> each = CommandRun.lines(0, "sst", folder);
    assertTrue(each.getFirst().startsWith("file "), each.toString());
    assertTrue(each.stream().anyMatch(line ->
        line.matches(".*\\.sst +back .* 256 +0 +rocksdb.ReverseBytewiseComparator +-")), each.toString());
    assertTrue(each.stream()
        .anyMatch(line -> line.matches(".*\\.sst +default .* 300 +0 +leveldb.BytewiseComparator +-")), each.toString());
    Path foreign = Files.writeString(folder.resolve("foreign"), "x".repeat(1000));
    List<String> both = CommandRun.lines(1, "sst", table(), foreign, "--json");
    assertTrue(both.getLast().endsWith("\"damage\":\"" + foreign
        + " cannot be read as a table file: another form of table\"}"), both.toString());
    assertEquals(List.of("v299"), CommandRun.lines(0, "get", folder, "order:299"), "the database is left as it was");
  }

  @Test
  void sstReadsTablesInReverseOrderAndWithMerges() throws Exception {
    Map<String, FamilyOptions> families = Map.of(
        "merged",
        FamilyOptions.defaults().mergeOperator("com.example.Join", (key, value, operands) -> new byte[] {7}));
    try (RocksDb db = RocksDb.at(folder).families(families).open()) {
      db.family("merged").put("a".getBytes(UTF_8), "v".getBytes(UTF_8));
      db.family("merged").merge("m".getBytes(UTF_8), "operand".getBytes(UTF_8));
      db.flushAll();
    }
    assertEquals(List.of("a\tv"), CommandRun.lines(0, "sst", table(), "--rows", "--until", "b"));
    assertEquals(
        "{\"key\":\"m\",\"value\":{\"merge\":\"com.example.Join\",\"value\":null,\"operands\":[\"operand\"]}}",
        CommandRun.lines(0, "sst", table(), "--rows", "--json").getLast());
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void sstPrintsAllEntriesOfATableWithTheDeletionsFirst() throws Exception {
    try (RocksDb db = RocksDb.open(folder)) {
      db.put("a".getBytes(UTF_8), "1".getBytes(UTF_8));
      db.put("b".getBytes(UTF_8), "2".getBytes(UTF_8));
      try (Snapshot before = db.snapshot()) {
        db.delete("a".getBytes(UTF_8));
        db.deleteRange("x".getBytes(UTF_8), "z".getBytes(UTF_8));
        db.flush();
        assertEquals(1, before.get("a".getBytes(UTF_8)).length);
      }
    }
    List<String> entries = CommandRun.lines(0, "sst", table(), "--entries");
    assertEquals(
        List.of("range deletion\tx\tz", "deletion\ta\t", "value\ta\t1", "value\tb\t2"),
        entries.stream().map(line -> line.substring(line.indexOf('\t') + 1)).toList());
    assertEquals(entries.subList(0, 2), CommandRun.lines(0, "sst", table(), "--entries", "-n", "2"));
    assertEquals(List.of(), CommandRun.lines(0, "sst", table(), "--entries", "-n", "0"));
    assertTrue(
        CommandRun.failure("sst", table(), "--entries", "--from", "a").contains("--entries prints whole tables"));
    assertTrue(CommandRun.failure("sst", table(), "--entries", "--rows").contains("--entries prints whole tables"));
    CommandRun.failure("sst", file("MANIFEST.*"), "--entries");
  }

  @Test
  void sstPrintsTheRowsOfATableThatNoDatabaseHasWritten() throws Exception {
    Path file = folder.resolve("written.sst");
    try (TableWriter writer = TableWriter.create(file, FamilyOptions.defaults().keyOrder(KeyOrder.REVERSE_BYTEWISE))) {
      writer.put("b".getBytes(UTF_8), "2".getBytes(UTF_8));
      writer.put("a".getBytes(UTF_8), "1".getBytes(UTF_8));
      writer.finish();
    }
    byte[] bytes = Files.readAllBytes(file);
    assertEquals(List.of("b\t2", "a\t1"), CommandRun.lines(0, "sst", file, "--rows"));
    assertArrayEquals(bytes, Files.readAllBytes(file));
  }

  @Test
  void sstDoesNotTakeADamagedTableForAnEmptyOne() throws Exception {
    try (RocksDb db = RocksDb.open(folder)) {
      db.put("k".getBytes(UTF_8), "v".getBytes(UTF_8));
      db.flush();
    }
    Path file = table();
    byte[] bytes = Files.readAllBytes(file);
    bytes[0] ^= 1;
    Files.write(file, bytes);
    assertEquals(
        "rocksdb-ffm: " + file + " cannot be read as part of a database: --entries prints its entries, or its damage",
        CommandRun.failure("sst", file, "--rows"));
    assertTrue(CommandRun.failure("sst", file, "--entries").contains("checksum mismatch"));
  }

  @Test
  void sstNamesATableWhoseValuesAreElsewhere() throws Exception {
    try (RocksDb db = RocksDb.at(folder).defaults(FamilyOptions.defaults().enableBlobFiles(true)).open()) {
      db.put("k".getBytes(UTF_8), "v".getBytes(UTF_8));
      db.flush();
    }
    assertEquals(
        "rocksdb-ffm: " + table() + " has values in blob files, which are read as part of their database alone",
        CommandRun.failure("sst", table(), "--rows"));
  }

  @Test
  void aFileThatIsNoTableIsNamed() throws Exception {
    SampleWriter.CORE.write(folder);
    Path foreign = Files.writeString(folder.resolve("foreign"), "x".repeat(1000));
    assertEquals(
        "rocksdb-ffm: " + foreign + " cannot be read as a table file: another form of table",
        CommandRun.failure("sst", foreign));
    Path missing = folder.resolve("missing");
    assertEquals("rocksdb-ffm: " + missing + ": no such file", CommandRun.failure("sst", missing));
    CommandRun.failure("sst", file("MANIFEST.*"), "--rows");
  }

  @ParameterizedTest
  @EnumSource
  void eventsNamesFlushesAndCompactions(SampleWriter writer) throws Exception {
    writer.write(folder);
    CommandRun.lines(0, "compact", folder, "--bottommost");
    List<String> events = CommandRun.lines(0, "events", folder, "--json");
    assertTrue(events.getFirst().contains("\"event\":\"opening\",\"family\":null"), events.toString());
    assertTrue(
        events.stream().anyMatch(event -> event.contains("\"event\":\"flush\",\"family\":\"default\",\"in\":")),
        events.toString());
    assertTrue(
        events.stream().anyMatch(event -> event.contains("\"event\":\"compaction\",\"family\":\"default\"")
            && event.endsWith("\"what\":\"ManualCompaction, 2 of L6 to L6\"}")),
        events.toString());
    List<String> flushes = CommandRun.lines(0, "events", folder, "--kind", "flush", "-n", "1", "--json");
    assertEquals(1, flushes.size());
    assertTrue(flushes.getFirst().contains("\"event\":\"flush\""), flushes.toString());
  }

  @Test
  void eventsNamesStallsAndErrors() throws Exception {
    SampleWriter.CORE.write(folder);
    Files.writeString(
        folder.resolve("LOG"),
        """
        2026/01/02-03:04:05.000001 1 RocksDB version: 11.8.1
        2026/01/02-03:04:06.000001 1 [WARN] [/column_family.cc:1130] [orders] Stalling writes because we have 20 \
        level-0 files rate 16777216
        2026/01/02-03:04:07.000001 1 [WARN] [/column_family.cc:1087] [orders] Stopping writes because we have 36 \
        level-0 files
        2026/01/02-03:04:08.000001 1 [ERROR] [/db_impl.cc:1] Waiting after background flush error: IO error: No space \
        left on device
        2026/01/02-03:04:09.000001 1 EVENT_LOG_v1 {"time_micros": 1, "job": 3, "event": "compaction_started", \
        "cf_name": "orders", \
        "compaction_reason": "LevelL0FilesNum", "files_L0": [9, 8, 7], "score": 1, "input_data_size": 4096}
        """);
    assertEquals(
        List.of(
            "2026/01/02-03:04:05 opening - - - - RocksDB version: 11.8.1",
            "2026/01/02-03:04:06 slowdown orders - - - Stalling writes because we have 20 level-0 files rate 16777216",
            "2026/01/02-03:04:07 stop orders - - - Stopping writes because we have 36 level-0 files",
            "2026/01/02-03:04:08 error - - - - Waiting after background flush error: IO error: No space left on device",
            "2026/01/02-03:04:09 compaction orders 4.0 KiB - - LevelL0FilesNum, 3 of L0, not finished"),
        CommandRun.lines(0, "events", folder).stream().skip(1).map(line -> line.replaceAll(" +", " ")).toList());
    List<String> findings = CommandRun.lines(1, "doctor", folder, "--json");
    assertEquals(3, findings.size(), findings.toString());
    assertTrue(findings.getFirst().contains(
        "Errors since it was opened last: 1, the newest at 2026/01/02-03:04:08: Waiting"), findings.toString());
  }

  @ParameterizedTest
  @EnumSource
  void doctorFindsNothingWrong(SampleWriter writer) throws RocksDBException {
    writer.write(folder);
    List<String> lines = CommandRun.lines(0, "doctor", folder, "--json");
    assertTrue(
        lines.getFirst()
        .startsWith("{\"finding\":\"Nothing is wrong with its figures, files and logs (families: 3, table files: 1, "),
        lines.toString());
  }

  @Test
  void doctorNamesFilesThatWaitForACompaction() {
    Map<String, String> options = Map.of("disable_auto_compactions", "true", "level0_slowdown_writes_trigger", "3",
        "level0_stop_writes_trigger", "4", "level0_file_num_compaction_trigger", "2");
    FamilyOptions family = FamilyOptions.defaults();
    for (var option : options.entrySet()) {
      family = family.option(option.getKey(), option.getValue());
    }
    try (RocksDb db = RocksDb.at(folder).defaults(family).open()) {
      for (int i = 0; i < 3; i++) {
        db.put("k".getBytes(UTF_8), "v".getBytes(UTF_8));
        db.flush();
      }
    }
    assertTrue(
        CommandRun.lines(1, "doctor", folder).get(1)
            .startsWith("The family 'default' has 3 files on level 0, and writes are slowed down from 3 on"));
  }

  @Test
  void doctorSaysWhyADatabaseDoesNotOpen() throws Exception {
    SampleWriter.CORE.write(folder);
    Files.delete(table());
    List<String> lines = CommandRun.lines(1, "doctor", folder);
    assertTrue(
        lines.get(1)
        .matches(
        "\\d+\\.sst of the family 'default' is missing \\(keys from order:000 to order:299\\): restore a backup, .*"),
        lines.toString());
  }

  @Test
  void repairMakesADatabaseWithoutAManifestReadable() throws Exception {
    try (RocksDb db = RocksDb.open(folder)) {
      db.put("k".getBytes(UTF_8), "v".getBytes(UTF_8));
      db.flush();
      db.put("l".getBytes(UTF_8), "w".getBytes(UTF_8));
    }
    Files.delete(file("MANIFEST.*"));
    Files.delete(folder.resolve("CURRENT"));
    CommandRun dry = CommandRun.of("repair", folder);
    assertTrue(dry.code() == 1 && dry.out().contains("CURRENT ") && dry.err().contains("add --force"), dry.toString());
    CommandRun.lines(0, "repair", folder, "--force");
    assertEquals(List.of("k\tv", "l\tw"), CommandRun.lines(0, "scan", folder));
  }

  @Test
  void repairLeavesASoundDatabaseAlone(@TempDir Path other) throws Exception {
    SampleWriter.CORE.write(folder);
    assertTrue(
        CommandRun.failure("repair", folder, "--force").contains("opens, and nothing is damaged: nothing was done"));
    Files.delete(folder.resolve("CURRENT"));
    CommandRun.lines(1, "repair", folder, "--force");
    assertEquals(List.of("v7"), CommandRun.lines(0, "get", folder, "order:007"));
    assertTrue(CommandRun.failure("repair", other, "--force").contains(other + " is no database"));
  }

  @Test
  void timesInValuesAreShown() {
    try (RocksDb db = RocksDb.open(folder)) {
      db.put("kafka".getBytes(UTF_8), ByteBuffer.allocate(9).putLong(1_700_000_000_123L).put((byte) 'v').array());
      db.put("ttl".getBytes(UTF_8), new byte[] {'w', 0, (byte) 0xf1, 0x53, 0x65});
    }
    assertEquals(
        List.of("kafka\t2023-11-14T22:13:20.123Z\tv"),
        CommandRun.lines(0, "scan", folder, "-p", "kafka", "--time", "kafka"));
    assertEquals(List.of("ttl\t2023-11-14T22:13:20Z\tw"),
        CommandRun.lines(0, "scan", folder, "-p", "ttl", "--time", "ttl"));
    assertTrue(CommandRun.lines(0, "scan", folder, "-p", "ttl", "--time", "kafka").getFirst().startsWith("ttl\t-\tw"));
  }

  @Test
  void aDatabaseWithATimeToLiveIsRead() throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true);
        TtlDB db = TtlDB.open(options, folder.toString(), 1000, false)) {
      db.put("k".getBytes(UTF_8), "v".getBytes(UTF_8));
    }
    String row = CommandRun.lines(0, "scan", folder, "--time", "ttl").getFirst();
    assertTrue(row.matches("k\t20.*Z\tv"), row);
    assertTrue(CommandRun.lines(0, "info", folder).stream().anyMatch(line -> line.startsWith("default ")));
    for (String command : List.of("levels", "stats", "verify", "doctor", "count", "dump")) {
      CommandRun.lines(0, command, folder);
    }
    assertTrue(CommandRun.failure("put", folder, "k", "v").contains("(TtlDB)"));
  }

  @ParameterizedTest
  @ValueSource(strings = {";", ", ", "\n", "{}"})
  void partsWithADelimiterThatIsNotKnownAreShown(String delimiter) throws Exception {
    try (StringAppendOperator operator = new StringAppendOperator(delimiter);
        Options options = new Options().setCreateIfMissing(true).setMergeOperator(operator);
        RocksDB db = RocksDB.open(options, folder.toString())) {
      db.put("k".getBytes(UTF_8), "a".getBytes(UTF_8));
      db.flush(new FlushOptions());
      db.merge("k".getBytes(UTF_8), "b".getBytes(UTF_8));
      db.put("l".getBytes(UTF_8), "behind".getBytes(UTF_8));
    }
    List<String> rows = CommandRun.lines(0, "scan", folder);
    assertTrue(rows.getFirst().endsWith(",\"value\":\"a\",\"operands\":[\"b\"]}"), rows.toString());
    assertEquals("l\tbehind", rows.getLast());
    CommandRun.failure("put", folder, "k", "v");
  }

  @Test
  void statsPrintsHowTheDatabaseGrows() throws Exception {
    SampleWriter.CORE.write(folder);
    List<String> rows = CommandRun.lines(0, "stats", folder, "--every", "0.01", "--limit", "3", "--json");
    assertEquals(3, rows.size());
    assertTrue(rows.getFirst().contains("\"writes\":901,\"writes/s\":null,\"log\":"), rows.toString());
    assertTrue(rows.getLast().contains("\"writes\":901,\"writes/s\":0.0,"), rows.toString());
    String time = rows.getFirst().replaceFirst(".*\"time\":\"([^\"]*)\".*", "$1");
    assertTrue(Duration.between(OffsetDateTime.parse(time), OffsetDateTime.now()).abs().toHours() < 1, time);
    assertTrue(CommandRun.lines(0, "stats", folder).getLast().matches("\\d\\d:\\d\\d:\\d\\d .*"));
    assertEquals(2, CommandRun.lines(0, "stats", folder).size());
    assertEquals(List.of(), CommandRun.lines(1, "stats", folder, "--counters"));
  }

  @Test
  void countersComeFromTheLog() throws Exception {
    SampleWriter.CORE.write(folder);
    Files.writeString(
        folder.resolve("LOG"),
        """
        2026/01/02-03:04:05.000001 1 [/db_impl.cc:1] STATISTICS:
         rocksdb.block.cache.miss COUNT : 1
        2026/01/02-03:04:06.000001 1 [/db_impl.cc:1] STATISTICS:
         rocksdb.block.cache.miss COUNT : 7
        rocksdb.block.cache.hit COUNT : 0
        rocksdb.db.get.micros P50 : 1.5 P95 : 2.0 P99 : 3.0 P100 : 4.0 COUNT : 5 SUM : 6
        2026/01/02-03:04:07.000001 1 ------- PERSISTING STATS -------
        rocksdb.block.cache.miss COUNT : 9
        """);
    assertEquals(
        List.of(
            "counter                   count  sum  median   p99   max",
            "rocksdb.block.cache.miss      7    -       -     -     -",
            "rocksdb.db.get.micros         5    6    1.50  3.00  4.00"),
        CommandRun.lines(0, "stats", folder, "--counters"));
  }

  @Test
  void benchMeasuresWhatItIsNamed() {
    Path database = folder.resolve("database");
    List<String> rows = CommandRun.lines(
        0, "bench", database, "fillseq", "overwrite", "readrandom", "readseq", "seekrandom", "--num", "3000",
            "--threads", "2", "--json");
    assertEquals(5, rows.size());
    assertTrue(rows.getFirst().startsWith("{\"benchmark\":\"fillseq\",\"operations\":6000,\"rows\":6000,"),
        rows.toString());
    assertTrue(rows.get(3).startsWith("{\"benchmark\":\"readseq\",\"operations\":6000,\"rows\":6000,"),
        rows.toString());
    assertEquals(List.of("{\"rows\":3000,\"keys\":48000,\"values\":300000}"),
        CommandRun.lines(0, "count", database, "--json"));
    CommandRun.failure("bench", database, "fillrandom");
    assertEquals(2, CommandRun.lines(0, "bench", database, "readrandom", "--num", "10", "--use-existing").size());
  }
}
