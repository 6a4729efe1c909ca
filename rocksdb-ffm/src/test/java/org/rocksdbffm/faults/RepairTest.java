/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.faults;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.CompactionStyle;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.Repair;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.tools.ChildJvm;
import org.rocksdbffm.tools.DatabaseHolder;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests the repair of damaged databases, and of sound databases that a repair would damage. */
@ExtendWith(LiveObjectsCheck.class)
final class RepairTest {
  private static final FamilyOptions OPTIONS =
      FamilyOptions.defaults().option("disable_auto_compactions", true);

  @TempDir Path temp;

  private static byte[] key(int number) {
    return String.format("%06d", number).getBytes();
  }

  private Path folder() {
    return temp.resolve("db");
  }

  /** Writes two families, each with a table and a row in the WAL. */
  private void write(FamilyOptions options) {
    write(DatabaseOptions.defaults(), options);
  }

  private void write(DatabaseOptions database, FamilyOptions options) {
    try (RocksDb db = RocksDb.at(folder()).options(database).defaults(options).open()) {
      ColumnFamily family = db.createFamily("family", options);
      for (var space : List.of(db, family)) {
        for (int i = 0; i < 100; i++) {
          space.put(key(i), key(i + 1));
        }
        space.flush();
        space.put(key(500), key(501));
      }
      db.setDatabaseOptions(Map.of("avoid_flush_during_shutdown", "true"));
    }
  }

  private void assertAllThere(FamilyOptions options) {
    assertAllThere(DatabaseOptions.defaults(), options);
  }

  private void assertAllThere(DatabaseOptions database, FamilyOptions options) {
    try (RocksDb db = RocksDb.at(folder()).options(database).defaults(options).open()) {
      for (var space : List.of(db, db.family("family"))) {
        assertEquals(101, space.stream(KeyRange.all(), row -> 1).count());
        assertArrayEquals(key(1), space.get(key(0)));
        assertArrayEquals(key(501), space.get(key(500)));
        space.put(key(0), key(7));
        space.compact(KeyRange.all());
        assertArrayEquals(key(7), space.get(key(0)));
      }
      db.files().verifyChecksums();
    }
  }

  private List<Path> files(String pattern) throws IOException {
    try (Stream<Path> files = Files.list(folder())) {
      return files.filter(file -> file.getFileName().toString().matches(pattern)).sorted().toList();
    }
  }

  private void delete(String pattern) throws IOException {
    for (Path each : files(pattern)) {
      Files.delete(each);
    }
  }

  /** Returns the size of each file in the folder, except the info log. */
  private Map<Path, Long> state() throws IOException {
    Map<Path, Long> state = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder())) {
      files
          .filter(file -> Files.isRegularFile(file) && !file.getFileName().toString().startsWith("LOG"))
          .forEach(file -> state.put(file, file.toFile().length()));
    }
    return state;
  }

  private RocksDbException refused(FamilyOptions options, Code code, String message) throws IOException {
    Map<Path, Long> before = state();
    RocksDbException thrown =
        assertThrowsExactly(RocksDbException.class, () -> Repair.of(folder(), DatabaseOptions.defaults(), options));
    assertEquals(code, thrown.code(), thrown.getMessage());
    assertTrue(thrown.getMessage().contains(message), thrown.getMessage());
    assertEquals(before, state());
    return thrown;
  }

  @Test
  void aLostManifestIsMadeAnew() throws IOException {
    write(OPTIONS);
    delete("MANIFEST-.*");
    assertThrowsExactly(RocksDbException.class, () -> RocksDb.at(folder()).defaults(OPTIONS).open());
    Repair repair = Repair.of(folder());
    assertTrue(repair.setAside().stream().anyMatch(file -> file.toString().endsWith(".log")), repair.toString());
    repair.setAside().forEach(file -> assertTrue(Files.exists(file), file.toString()));
    assertAllThere(OPTIONS);
  }

  @Test
  void aLostCurrentIsMadeAnew() throws IOException {
    write(OPTIONS);
    delete("CURRENT");
    assertThrowsExactly(RocksDbException.class, () -> RocksDb.at(folder()).defaults(OPTIONS).open());
    Repair.of(folder(), DatabaseOptions.defaults(), OPTIONS);
    assertAllThere(OPTIONS);
  }

  @Test
  void nothingButTablesAndLogsIsNeeded() throws IOException {
    write(OPTIONS);
    delete("(?!.*\\.(sst|log)$).*");
    Repair.of(folder());
    assertAllThere(OPTIONS);
  }

  @Test
  void aWholeDatabaseIsWholeAfterARepair() {
    write(OPTIONS);
    Repair.of(folder());
    assertAllThere(OPTIONS);
  }

  @Test
  void aDamagedTableIsSetAsideWithItsRowsAlone() throws IOException {
    write(OPTIONS);
    delete("MANIFEST-.*");
    Path table = files(".*\\.sst").getFirst();
    byte[] bytes = Files.readAllBytes(table);
    Files.write(table, java.util.Arrays.copyOf(bytes, bytes.length / 2));
    Repair repair = Repair.of(folder());
    assertTrue(repair.setAside().contains(folder().resolve("lost").resolve(table.getFileName())), repair.toString());
    try (RocksDb db = RocksDb.at(folder()).defaults(OPTIONS).open()) {
      assertNull(db.get(key(0)));
      assertArrayEquals(key(501), db.get(key(500)));
      assertArrayEquals(key(1), db.family("family").get(key(0)));
    }
  }

  @Test
  void aFamilyWithoutRowsIsForgottenAndTheRestOpens() throws IOException {
    try (RocksDb db = RocksDb.at(folder()).defaults(OPTIONS).open()) {
      db.createFamily("empty", OPTIONS);
      db.put(key(1), key(1));
    }
    delete("MANIFEST-.*");
    Repair repair = Repair.of(folder());
    assertTrue(repair.setAside().stream().anyMatch(file -> file.getFileName().toString().startsWith("OPTIONS-")));
    try (RocksDb db = RocksDb.at(folder()).defaults(OPTIONS).open()) {
      assertEquals(1, db.families().size());
      assertArrayEquals(key(1), db.get(key(1)));
      db.createFamily("empty", OPTIONS);
    }
  }

  @Test
  void logsThatAreElsewhereAreFound() throws IOException {
    Path logs = Files.createDirectory(temp.resolve("logs"));
    DatabaseOptions options = DatabaseOptions.defaults().option("wal_dir", logs);
    write(options, OPTIONS);
    delete("MANIFEST-.*");
    Repair repair = Repair.of(folder()); // finds the WAL folder in the OPTIONS file
    assertTrue(repair.setAside().stream().anyMatch(file -> file.startsWith(logs.resolve("lost"))), repair.toString());
    assertAllThere(options, OPTIONS);
  }

  @Test
  void anotherOrderThanThatOfTheTablesIsRefused() throws IOException {
    FamilyOptions backward = OPTIONS.keyOrder(KeyOrder.REVERSE_BYTEWISE);
    write(backward);
    delete("MANIFEST-.*");
    refused(OPTIONS, Code.INVALID_ARGUMENT, "is in the order rocksdb.ReverseBytewiseComparator");
    refused(
        OPTIONS.keyOrder("mine", (a, b) -> a.compareTo(b)), Code.INVALID_ARGUMENT, "and the options say mine");
    Repair.of(folder(), DatabaseOptions.defaults(), backward);
    assertAllThere(backward);
  }

  @Test
  void anOrderInJavaIsAskedAsByTheDatabase() throws IOException {
    FamilyOptions inJava = OPTIONS.keyOrder("mine", (a, b) -> b.compareTo(a));
    write(inJava);
    delete("MANIFEST-.*");
    refused(OPTIONS, Code.INVALID_ARGUMENT, "is in the order mine");
    Repair.of(folder(), DatabaseOptions.defaults(), inJava);
    assertAllThere(inJava);
  }

  @Test
  void mergesWithoutTheirOperatorAreRefused() throws IOException {
    FamilyOptions merging = OPTIONS.mergeOperator(MergeOperator.uint64Add());
    byte[] one = {1, 0, 0, 0, 0, 0, 0, 0};
    byte[] two = {2, 0, 0, 0, 0, 0, 0, 0};
    try (RocksDb db = RocksDb.at(folder()).defaults(merging).open()) {
      db.merge(key(1), one);
      db.setDatabaseOptions(Map.of("avoid_flush_during_shutdown", "true"));
    }
    delete("MANIFEST-.*");
    refused(OPTIONS, Code.INVALID_ARGUMENT, ".log has operands of merges");
    Repair.of(folder(), DatabaseOptions.defaults(), merging);
    try (RocksDb db = RocksDb.at(folder()).defaults(merging).open()) {
      db.merge(key(1), one);
      db.flush();
      assertArrayEquals(two, db.get(key(1)));
      db.compact(KeyRange.all());
      try (var snapshot = db.snapshot()) { // prevents the merge of the operands
        db.merge(key(1), one);
        db.flush();
      }
    }
    Files.move(folder().resolve("lost"), temp.resolve("lost"));
    refused(OPTIONS, Code.INVALID_ARGUMENT, ".sst has operands of merges");
  }

  @Test
  void mergesThatAreInALogAndInATableAreRefused() throws IOException {
    FamilyOptions merging = OPTIONS.mergeOperator(MergeOperator.uint64Add());
    byte[] one = {1, 0, 0, 0, 0, 0, 0, 0};
    try (RocksDb db = RocksDb.at(folder()).defaults(merging).open()) {
      ColumnFamily other = db.createFamily("other", merging);
      other.put(key(1), key(1));
      other.flush();
      other.put(key(2), key(2)); // retains the WAL file
      db.merge(key(1), one);
      db.flush();
      db.compact(KeyRange.all());
      db.setDatabaseOptions(Map.of("avoid_flush_during_shutdown", "true"));
    }
    delete("CURRENT");
    refused(merging, Code.INVALID_ARGUMENT, "has operands of merges that a table has too, or may have");
    delete("MANIFEST-.*");
    refused(merging, Code.INVALID_ARGUMENT, "has operands of merges that a table has too, or may have");
  }

  @Test
  void mergesThatNoTableHasAreTakenOver() throws IOException {
    FamilyOptions merging = OPTIONS.mergeOperator(MergeOperator.uint64Add());
    byte[] one = {1, 0, 0, 0, 0, 0, 0, 0};
    byte[] two = {2, 0, 0, 0, 0, 0, 0, 0};
    try (RocksDb db = RocksDb.at(folder()).defaults(merging).open()) {
      db.merge(key(1), one);
      db.flush();
      db.merge(key(1), one);
      db.setDatabaseOptions(Map.of("avoid_flush_during_shutdown", "true"));
    }
    delete("CURRENT");
    Repair.of(folder(), DatabaseOptions.defaults(), merging);
    try (RocksDb db = RocksDb.at(folder()).defaults(merging).open()) {
      assertArrayEquals(two, db.get(key(1)));
    }
  }

  @Test
  void noOlderValueHidesANewerOne() throws IOException {
    for (CompactionStyle style : List.of(CompactionStyle.LEVEL, CompactionStyle.UNIVERSAL)) {
      FamilyOptions options = OPTIONS.compactionStyle(style);
      try (RocksDb db = RocksDb.at(folder()).defaults(options).open()) {
        for (ColumnFamily family : List.of(db.family("default"), db.createFamily("family", options))) {
          compacted(family, 4, "oldest", "oldest");
          compacted(family, 2, "old", "old");
          compacted(family, 1, "new", null);
          compacted(family, 2, null, "newest"); // into the table with the old value of the other key
          assertArrayEquals("new".getBytes(), family.get(key(1)));
        }
      }
      delete("CURRENT");
      Repair.of(folder(), DatabaseOptions.defaults(), options);
      try (RocksDb db = RocksDb.at(folder()).defaults(options).open()) {
        for (ColumnFamily family : db.families()) {
          assertArrayEquals("new".getBytes(), family.get(key(1)), family.toString());
          assertArrayEquals("newest".getBytes(), family.get(key(2)), family.toString());
        }
      }
      Files.move(folder(), temp.resolve("done" + style));
    }
  }

  private static void compacted(ColumnFamily family, int level, String first, String second) {
    if (first != null) {
      family.put(key(1), first.getBytes());
    }
    if (second != null) {
      family.put(key(2), second.getBytes());
    }
    family.flush();
    family.files().compact(family.files().levels().getFirst().files(), level);
  }

  @Test
  void ingestedTablesThatAreSetAsideCanBeIngestedAgain() throws IOException {
    Path table = temp.resolve("1.sst");
    try (TableWriter writer = TableWriter.create(table, OPTIONS)) {
      writer.put(key(1), "ingested".getBytes());
      writer.finish();
    }
    try (RocksDb db = RocksDb.at(folder()).defaults(OPTIONS).open()) {
      db.put(key(1), key(1));
      db.flush();
      db.files().ingest(table);
    }
    delete("CURRENT");
    List<Path> tables =
        Repair.of(folder()).setAside().stream().filter(file -> file.toString().endsWith(".sst")).toList();
    assertEquals(1, tables.size(), tables.toString());
    Path found = Files.move(tables.getFirst(), temp.resolve("found.sst"));
    try (RocksDb db = RocksDb.at(folder()).defaults(OPTIONS).open()) {
      assertArrayEquals(key(1), db.get(key(1)));
      db.files().ingest(found);
      assertArrayEquals("ingested".getBytes(), db.get(key(1)));
    }
  }

  @Test
  void preparedTransactionsAreRefused() throws IOException {
    try (TransactionDb db =
        RocksDb.at(folder()).defaults(OPTIONS).openTransactional(); Transaction transaction = db.begin()) {
      transaction.put(key(1), key(1));
      transaction.prepare("it");
      transaction.rollback();
    }
    refused(OPTIONS, Code.INVALID_ARGUMENT, "has transactions that were prepared");
  }

  @Test
  void committedTransactionsStay() throws IOException {
    write(OPTIONS);
    try (TransactionDb db = RocksDb.at(folder()).defaults(OPTIONS).openTransactional()) {
      db.inTransaction(transaction -> {
        transaction.put(key(500), key(600));
        transaction.in(db.family("family")).put(key(500), key(600));
      });
      db.inTransaction(transaction -> {
        transaction.put(key(500), key(501));
        transaction.in(db.family("family")).put(key(500), key(501));
      });
      db.setDatabaseOptions(Map.of("avoid_flush_during_shutdown", "true"));
    }
    delete("MANIFEST-.*");
    assertEquals(0, Repair.of(folder()).skippedBatches());
    assertAllThere(OPTIONS);
  }

  @Test
  void batchesOfAFamilyWithoutATableAreCounted() throws IOException {
    try (RocksDb db = RocksDb.at(folder()).defaults(OPTIONS).open()) {
      ColumnFamily family = db.createFamily("family", OPTIONS);
      WriteBatch both = new WriteBatch();
      both.in(family).put(key(1), key(1));
      both.put(key(1), key(1));
      db.write(both);
      family.delete(key(2));
      db.put(key(3), key(3));
      db.setDatabaseOptions(Map.of("avoid_flush_during_shutdown", "true"));
    }
    delete("MANIFEST-.*");
    Repair repair = Repair.of(folder());
    assertEquals(2, repair.skippedBatches());
    try (RocksDb db = RocksDb.at(folder()).defaults(OPTIONS).open()) {
      assertEquals(1, db.families().size());
      assertNull(db.get(key(1)));
      assertArrayEquals(key(3), db.get(key(3)));
    }
  }

  @Test
  void valuesInBlobFilesAreRefused() throws IOException {
    FamilyOptions blobs = OPTIONS.enableBlobFiles(true).minBlobSize(ByteSize.bytes(1));
    write(blobs);
    refused(blobs, Code.INVALID_ARGUMENT, "there are blob files in");
    assertAllThere(blobs);
  }

  @Test
  void anOpenDatabaseIsRefusedInWhicheverMode() throws IOException {
    write(OPTIONS);
    try (RocksDb db = RocksDb.at(folder()).defaults(OPTIONS).open()) {
      refused(OPTIONS, Code.BUSY, "is in use in this process");
    }
    try (RocksDb db = RocksDb.at(folder()).defaults(OPTIONS).openReadOnly()) {
      refused(OPTIONS, Code.BUSY, "is in use in this process");
    }
    PinnedValue pinned;
    try (RocksDb db = RocksDb.at(folder()).defaults(OPTIONS).open()) {
      db.put(key(999), new byte[100_000]);
      pinned = db.getPinned(key(999));
      db.delete(key(999));
    }
    try {
      refused(OPTIONS, Code.BUSY, "until the last value that is pinned in it is released");
    } finally {
      pinned.close();
    }
    Path link = Files.createSymbolicLink(temp.resolve("link"), folder());
    try (RocksDb db = RocksDb.at(link).defaults(OPTIONS).open()) {
      refused(OPTIONS, Code.BUSY, "is in use in this process");
    }
    assertAllThere(OPTIONS);
  }

  @Test
  void aDatabaseThatAnotherProcessHasOpenIsRefused() throws Exception {
    write(OPTIONS);
    Path started = temp.resolve("begun");
    try (ChildJvm.Running child = ChildJvm.of(DatabaseHolder.class).start(folder().toString(), started.toString())) {
      while (!Files.exists(started)) {
        assertTrue(child.process().isAlive(), child::output);
        Thread.sleep(1);
      }
      RocksDbException thrown = assertThrowsExactly(RocksDbException.class, () -> Repair.of(folder()));
      assertEquals(Code.IO_ERROR, thrown.code());
      assertTrue(thrown.getMessage().contains("another process has the database open"), thrown.getMessage());
      assertEquals(List.of(), files("lost"));
      child.process().destroyForcibly().waitFor();
    }
    assertAllThere(OPTIONS);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aLogThatCouldNotBecomeATableIsTold() throws Exception {
    byte[] value = new byte[1000];
    new java.util.Random(1).nextBytes(value);
    try (RocksDb db = RocksDb.at(folder()).defaults(OPTIONS).open()) {
      for (int i = 0; i < 1000; i++) {
        db.put(key(i), value);
      }
      db.setDatabaseOptions(Map.of("avoid_flush_during_shutdown", "true"));
    }
    delete("CURRENT");
    String output =
        ChildJvm.of(RepairProgram.class).underLimit("-f 400").run(folder().toString()).assertExit(0).output();
    assertTrue(
        output.contains(
            "IO_ERROR IO error: of the rows in the logs only 0 of 1 tables could be made; the file LOG says why"),
        output);
    assertTrue(output.contains("the logs are in " + folder().resolve("lost") + "; put them back"), output);
    for (Path each : Files.list(folder().resolve("lost")).toList()) {
      if (each.toString().endsWith(".log")) {
        Files.move(each, folder().resolve(each.getFileName()));
      }
    }
    Files.move(folder().resolve("lost"), temp.resolve("lost"));
    Repair.of(folder());
    try (RocksDb db = RocksDb.at(folder()).defaults(OPTIONS).open()) {
      assertEquals(1000, db.stream(KeyRange.all(), row -> 1).count());
    }
  }

  @Test
  void aFolderOfNoDatabaseIsRefused() throws IOException {
    for (Path each : List.of(temp.resolve("none"), Files.createDirectory(temp.resolve("empty")))) {
      RocksDbException thrown = assertThrowsExactly(RocksDbException.class, () -> Repair.of(each));
      assertEquals(Code.INVALID_ARGUMENT, thrown.code(), thrown.getMessage());
    }
    assertTrue(Files.notExists(temp.resolve("none")));
    try (Stream<Path> files = Files.list(temp.resolve("empty"))) {
      assertEquals(0, files.count());
    }
  }

  @Test
  void filesThatAnEarlierRepairSetAsideAreNotReplaced() throws IOException {
    write(OPTIONS);
    Repair.of(folder());
    refused(OPTIONS, Code.INVALID_ARGUMENT, "from an earlier repair, whose files would be replaced");
    Files.move(folder().resolve("lost"), temp.resolve("lost"));
    Repair.of(folder());
    assertAllThere(OPTIONS);
  }
}
