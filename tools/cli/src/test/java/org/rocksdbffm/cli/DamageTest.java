/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;

/** Damage after other damage is found, and the rows in undamaged blocks are saved. */
class DamageTest {
  private static final int ROWS = 2000;

  @TempDir private Path folder;

  private static byte[] key(int i) {
    return "k%05d".formatted(i).getBytes(UTF_8);
  }

  private void write(boolean isReverse, String... families) {
    FamilyOptions options =
        FamilyOptions.defaults().keyOrder(isReverse ? KeyOrder.REVERSE_BYTEWISE : KeyOrder.BYTEWISE);
    options = options.option("compression", "kNoCompression").option("bottommost_compression", "kNoCompression");
    try (RocksDb db = RocksDb.at(folder).defaults(options).open()) {
      for (String family : families) {
        var space = family.equals("default") ? db.family(family) : db.createFamily(family, options);
        for (int i = 0; i < ROWS; i++) {
          space.put(key(i), "v".repeat(100).getBytes(UTF_8));
        }
        space.flush();
      }
    }
  }

  private List<Path> tables() throws IOException {
    return files(".sst");
  }

  private List<Path> files(String ending) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }

  private static void flip(Path file, int... positions) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    for (int at : positions) {
      bytes[at] ^= 1;
    }
    Files.write(file, bytes);
  }

  @Test
  void verifyNamesEachDamagedBlockOfEachFamily() throws Exception {
    write(false, "default", "other");
    flip(tables().get(0), 10_000, 50_000, 50_100);
    flip(tables().get(1), 100_000);
    List<String> rows = CommandRun.lines(1, "verify", folder, "--json");
    assertEquals(4, rows.size(), rows.toString());
    for (int i = 0; i < 3; i++) {
      String row = rows.get(i);
      assertTrue(row.startsWith("{\"file\":\"" + tables().get(i / 2).getFileName() + "\",\"family\":\""
          + (i < 2 ? "default" : "other")), row);
      assertTrue(
          row.matches(
          ".*\"from\":\"k\\d{5}\",\"until\":\"k.*\",\"damage\":\"has a damaged block at \\d+, with \\d+ bytes\".*"),
          row);
    }
    assertTrue(rows.getLast().matches("\\{\"files\":2,\"logs\":1,\"damages\":3}"), rows.toString());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void skippingLosesTheRowsOfDamagedBlocksAndNoOthers(boolean isReverse) throws Exception {
    write(isReverse, "default");
    List<String> all = CommandRun.lines(0, "scan", folder);
    Path table = tables().getFirst();
    flip(table, 100, 50_000, 100_000); // including the first block
    for (String command : List.of("scan", "dump")) {
      CommandRun run = CommandRun.of(command, folder, "--skip-damaged");
      assertEquals(1, run.code(), run.err());
      int printed = (int) run.out().lines().count();
      int rowsOfABlock = 4096 / 110 + 1;
      assertTrue(printed < ROWS && printed >= ROWS - 3 * rowsOfABlock, printed + " rows");
      assertTrue(run.err().contains(table.getFileName() + " has a damaged block at "), run.err());
      assertTrue(run.err().contains("ranges of keys that were left out: 3"), run.err());
      if (command.equals("scan")) {
        List<String> left = new ArrayList<>(all);
        left.retainAll(run.out().lines().toList());
        assertEquals(left, run.out().lines().toList(), "in their order, and none twice");
      }
    }
    CommandRun part = CommandRun.of("scan", folder, "--skip-damaged", "--from", "k01990", "--until", "k01995");
    assertEquals(isReverse ? 0 : 5, part.out().lines().count(), part.toString());
    List<String> kept = CommandRun.of("scan", folder, "--skip-damaged").out().lines().toList();
    for (String prefix : List.of("k0199", "k00", "k", "k01999", "x")) {
      List<String> expected = kept.stream().filter(row -> row.startsWith(prefix)).toList();
      assertEquals(expected, CommandRun.of("scan", folder, "--skip-damaged", "--prefix", prefix).out().lines().toList(),
          prefix);
    }
  }

  @Test
  void aTableThatIsGoneIsLeftOutAndTheOthersAreSaved(@TempDir Path other) throws Exception {
    try (RocksDb db = RocksDb.open(folder)) {
      for (int table = 0; table < 3; table++) {
        db.put(("a" + table).getBytes(UTF_8), "v".getBytes(UTF_8));
        db.put(("z" + table).getBytes(UTF_8), "v".getBytes(UTF_8));
        db.flush();
      }
      db.put("log".getBytes(UTF_8), "v".getBytes(UTF_8));
    }
    Files.delete(tables().get(1));
    CommandRun dump = CommandRun.of("dump", folder, "--skip-damaged");
    assertEquals(1, dump.code());
    assertTrue(dump.err().contains(" is missing (keys from a1 to z1): restore a backup"), dump.err());
    Path rows = Files.writeString(other.resolve("rows"), dump.out());
    CommandRun.lines(0, "load", "--create", other.resolve("saved"), rows);
    assertEquals(List.of("a0\tv", "a2\tv", "log\tv", "z0\tv", "z2\tv"),
        CommandRun.lines(0, "scan", other.resolve("saved")));
  }

  @Test
  void valuesInADamagedBlobFileAreLeftOutOneByOne() throws Exception {
    try (RocksDb db = RocksDb.at(folder).defaults(FamilyOptions.defaults().enableBlobFiles(true)).open()) {
      for (int i = 0; i < 10; i++) {
        db.put(key(i), "v".repeat(1000).getBytes(UTF_8));
      }
      db.flush();
    }
    flip(files(".blob").getFirst(), 1500, 5500);
    CommandRun scan = CommandRun.of("scan", folder, "--skip-damaged");
    assertEquals(1, scan.code());
    assertEquals(8, scan.out().lines().count(), scan.err());
    assertTrue(CommandRun.failure("scan", folder)
        .contains(files(".blob").getFirst().getFileName() + " of the family 'default' has a wrong checksum at "));
  }

  @Test
  void commandsThatWriteRefuseADamagedLog() throws Exception {
    SampleWriter.CORE.write(folder);
    Path log = files(".log").getFirst();
    flip(log, 500);
    byte[] damaged = Files.readAllBytes(log);
    for (List<Object> command : List.<List<Object>>of(List.of("put", folder, "k", "v"), List.of("compact", folder),
        List.of("checkpoint", folder, folder + ".copy"))) {
      String failure = CommandRun.failure(command.toArray());
      assertTrue(failure.contains(log.getFileName() + " is damaged at "), failure);
    }
    assertEquals(damaged.length, Files.size(log));
    assertTrue(CommandRun.failure("scan", folder).contains(log.getFileName().toString()));
    CommandRun scan = CommandRun.of("scan", folder, "--skip-damaged");
    assertTrue(scan.code() == 1 && scan.out().contains("order:007\tv7"), scan.toString());
    assertTrue(scan.err().startsWith("rocksdb-ffm: " + log.getFileName() + " ends at "), scan.err());
    CommandRun wal = CommandRun.of("wal", folder);
    assertEquals(1, wal.code());
    assertTrue(wal.out().lines().count() > 3, wal.out());
    assertTrue(wal.err().matches("(?s)rocksdb-ffm: " + log.getFileName()
        + " ends at \\d+: a checksum is wrong; .* KiB are left out, with \\d+ writes that can be read: .*"), wal.err());
  }

  @Test
  void aPreparedTransactionThatWaitsIsNamed() {
    try (TransactionDb db = RocksDb.at(folder).openTransactional(); Transaction waiting = db.begin()) {
      waiting.put("k".getBytes(UTF_8), "v".getBytes(UTF_8));
      waiting.prepare("transfer 17");
    }
    String doctor = CommandRun.lines(1, "doctor", folder).get(1);
    assertTrue(
        doctor.startsWith(
        "The transaction 'transfer 17' is prepared and holds locks: its program must commit it or roll it back."),
        doctor);
    assertTrue(CommandRun.lines(0, "info", folder).getLast().startsWith("transfer 17 "));
  }

  @Test
  void infoSaysHowManyWritesAreInTheLogAlone() throws Exception {
    try (RocksDb db = RocksDb.open(folder)) {
      db.put("k".getBytes(UTF_8), "v".getBytes(UTF_8));
    }
    assertTrue(CommandRun.lines(0, "info", folder).getLast()
        .matches("\\d+\\.log +.* B +1 +what is in no table is not counted above"));
  }

  @Test
  void aFamilyWithAnOrderInJavaDoesNotKeepTheOthersFromBeingVerified() throws Exception {
    Map<String, FamilyOptions> families =
        Map.of("ordered", FamilyOptions.defaults().keyOrder("com.example.Backward", (a, b) -> b.compareTo(a)));
    try (RocksDb db = RocksDb.at(folder).families(families).open()) {
      db.put(key(1), "v".getBytes(UTF_8));
      db.family("ordered").put(key(1), "v".getBytes(UTF_8));
      db.flushAll();
    }
    CommandRun run = CommandRun.of("verify", folder, "--json");
    assertEquals(2, run.code());
    assertTrue(run.out().contains("{\"files\":2,\"logs\":1,\"damages\":0}"), run.out());
    assertTrue(run.err().contains("tables of these families were not read: ordered ("), run.err());
  }
}
