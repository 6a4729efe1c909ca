/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.Scan;
import org.rocksdbffm.tools.Bytes;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests that a missing, truncated or changed file is reported, and that no undamaged rows are lost. */
@ExtendWith(LiveObjectsCheck.class)
final class DamageTest {
  private static final int ROWS = 200;
  private static final DatabaseOptions STRICT =
      DatabaseOptions.defaults().option("wal_recovery_mode", "kAbsoluteConsistency");
  private static final Map<Character, Integer> ALL = Map.of('a', ROWS, 'b', ROWS, 'c', ROWS);

  @TempDir Path temporary;

  /** Creates a database with the rows 'a' in one table file, 'b' in another, and 'c' only in the WAL. */
  private Path database() {
    Path folder = temporary.resolve("db");
    try (RocksDb db = RocksDb.open(folder)) {
      put(db, 'a');
      db.flush();
      put(db, 'b');
      db.flush();
    }
    try (RocksDb db =
        RocksDb.at(folder).options(DatabaseOptions.defaults().option("avoid_flush_during_shutdown", true)).open()) {
      put(db, 'c');
    }
    return folder;
  }

  private static void put(RocksDb db, char kind) {
    for (int i = 0; i < ROWS; i++) {
      db.put(key(kind, i), Bytes.random(200, kind * ROWS + i));
    }
  }

  private static byte[] key(char kind, int index) {
    return "%c%03d".formatted(kind, index).getBytes();
  }

  /** Returns the number of rows of each kind; fails if a row has a wrong value. */
  private static Map<Character, Integer> rowsOf(RocksDb db) {
    Map<Character, Integer> rows = new TreeMap<>();
    try (Scan scan = db.scan(KeyRange.all())) {
      while (scan.next()) {
        String key = new String(scan.keyBytes());
        int index = Integer.parseInt(key.substring(1));
        assertTrue(Arrays.equals(Bytes.random(200, key.charAt(0) * ROWS + index), scan.valueBytes()), key);
        rows.merge(key.charAt(0), 1, Integer::sum);
      }
    }
    return rows;
  }

  private static Path newest(Path folder, String pattern) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().matches(pattern))
          .max(Comparator.naturalOrder())
          .orElseThrow();
    }
  }

  private static void damage(Path file, String how) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    switch (how) {
      case "missing" -> Files.delete(file);
      case "empty" -> Files.write(file, new byte[0]);
      case "halved" -> Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
      case "flipped" -> {
        bytes[bytes.length / 2] ^= 0x10;
        Files.write(file, bytes);
      }
      case "end flipped" -> {
        bytes[bytes.length - 20] ^= 0x10;
        Files.write(file, bytes);
      }
      case "folder" -> {
        Files.delete(file);
        Files.createDirectory(file);
      }
      default -> throw new IllegalArgumentException(how);
    }
  }

  private static void repair(Path file, byte[] bytes) throws IOException {
    if (Files.isDirectory(file)) {
      Files.delete(file);
    }
    Files.write(file, bytes);
  }

  @ParameterizedTest
  @CsvSource({
    "CURRENT, missing, CORRUPTION",
    "CURRENT, empty, CORRUPTION",
    "CURRENT, halved, CORRUPTION",
    "CURRENT, flipped, CORRUPTION",
    "CURRENT, folder, IO_ERROR",
    "MANIFEST-\\d+, missing, IO_ERROR",
    "MANIFEST-\\d+, empty, CORRUPTION",
    "MANIFEST-\\d+, halved, CORRUPTION",
    "MANIFEST-\\d+, flipped, CORRUPTION",
    "MANIFEST-\\d+, folder, IO_ERROR",
    "\\d+\\.sst, missing, CORRUPTION",
    "\\d+\\.sst, empty, CORRUPTION",
    "\\d+\\.sst, halved, CORRUPTION",
    "\\d+\\.sst, end flipped, CORRUPTION",
    "\\d+\\.sst, folder, CORRUPTION",
  })
  void openingTellsAndDoesNoFurtherDamage(String file, String how, Code code) throws IOException {
    Path folder = database();
    Path damaged = newest(folder, file);
    byte[] whole = Files.readAllBytes(damaged);
    damage(damaged, how);
    var e = assertThrows(RocksDbException.class, () -> RocksDb.open(folder).close());
    assertEquals(code, e.code(), e.getMessage());
    assertTrue(e.getMessage().contains(folder.toString()), e.getMessage());
    for (int again = 0; again < 2; again++) {
      assertEquals(code, assertThrows(RocksDbException.class, () -> RocksDb.open(folder).close()).code());
    }
    repair(damaged, whole);
    try (RocksDb db = RocksDb.open(folder)) {
      assertEquals(ALL, rowsOf(db), "what was whole");
    }
  }

  @Test
  void aFolderWithoutItsCurrentFileIsNotTakenForAnEmptyOne() throws IOException {
    Path folder = database();
    Files.delete(folder.resolve("CURRENT"));
    var e = assertThrows(RocksDbException.class, () -> RocksDb.open(folder));
    assertTrue(e.getMessage().startsWith("Corruption: the file CURRENT is missing, but there is 0"), e.getMessage());
    assertTrue(e.getMessage().contains("put it back, it names the newest MANIFEST file in one line"), e.getMessage());
    Files.writeString(folder.resolve("CURRENT"), newest(folder, "MANIFEST-\\d+").getFileName() + "\n");
    try (RocksDb db = RocksDb.open(folder)) {
      assertEquals(ALL, rowsOf(db));
    }
    Files.delete(folder.resolve("CURRENT"));
    RocksDb.destroy(folder);
    RocksDb.open(folder).close();
  }

  @ParameterizedTest
  @CsvSource({"missing, 0", "empty, 0", "halved, 100", "end flipped, 200"})
  void aLogThatIsCutOffOpensWithItsRowsUpToThere(String how, int rows) throws IOException {
    Path folder = database();
    damage(newest(folder, "\\d+\\.log"), how);
    try (RocksDb db = RocksDb.open(folder)) {
      Map<Character, Integer> found = rowsOf(db);
      assertEquals(ROWS, found.get('a'));
      assertEquals(ROWS, found.get('b'));
      assertEquals(rows, found.getOrDefault('c', 0), 3);
      for (int i = 0; i < found.getOrDefault('c', 0); i++) {
        assertTrue(db.get(key('c', i)) != null, "row " + i + " is missing before one that is there");
      }
      db.put(key('d', 0), key('d', 0));
    }
  }

  @ParameterizedTest
  @CsvSource({"halved", "flipped"})
  void aDamagedLogIsToldToWhoAsksForIt(String how) throws IOException {
    Path folder = database();
    Path log = newest(folder, "\\d+\\.log");
    byte[] whole = Files.readAllBytes(log);
    damage(log, how);
    var e = assertThrows(RocksDbException.class, () -> RocksDb.at(folder).options(STRICT).open().close());
    assertEquals(Code.CORRUPTION, e.code(), e.getMessage());
    repair(log, whole);
    try (RocksDb db = RocksDb.at(folder).options(STRICT).open()) {
      assertEquals(ALL, rowsOf(db));
    }
  }

  @Test
  void aMissingLogIsToldWhereLogsAreTracked() throws IOException {
    Path folder = temporary.resolve("db");
    DatabaseOptions tracked = DatabaseOptions.defaults().option("track_and_verify_wals_in_manifest", true)
        .option("avoid_flush_during_shutdown", true);
    try (RocksDb db = RocksDb.at(folder).options(tracked).open()) {
      ColumnFamily other = db.createFamily("other", FamilyOptions.defaults());
      put(db, 'a');
      db.files().syncWal();
      other.put(key('b', 0), key('b', 0));
      other.flush(); // starts a WAL file; from now on the one before is tracked
      db.put(key('c', 0), Bytes.random(200, 'c' * ROWS));
    }
    Path first;
    try (Stream<Path> files = Files.list(folder)) {
      first =
          files.filter(file -> file.toString().endsWith(".log")).min(Comparator.naturalOrder()).orElseThrow();
    }
    byte[] whole = Files.readAllBytes(first);
    Files.delete(first);
    var e = assertThrows(RocksDbException.class, () -> RocksDb.at(folder).options(tracked).open().close());
    assertEquals(Code.CORRUPTION, e.code(), e.getMessage());
    repair(first, whole);
    try (RocksDb db = RocksDb.at(folder).options(tracked).open()) {
      assertEquals(ROWS, rowsOf(db).get('a'));
    }
  }

  @ParameterizedTest
  @CsvSource({"OPTIONS-\\d+", "IDENTITY", "LOG"})
  void whatTheEngineCanDoWithoutMayBeMissing(String file) throws IOException {
    Path folder = database();
    Files.delete(newest(folder, file));
    try (RocksDb db = RocksDb.open(folder)) {
      assertEquals(ALL, rowsOf(db));
    }
  }

  @Test
  void aChangedBlockFailsTheReadsOfItAloneAndTheRestGoesOn() throws IOException {
    Path folder = database();
    damage(newest(folder, "\\d+\\.sst"), "flipped");
    try (RocksDb db = RocksDb.open(folder)) {
      int failed = 0;
      for (int i = 0; i < ROWS; i++) {
        try {
          assertTrue(Arrays.equals(Bytes.random(200, 'b' * ROWS + i), db.get(key('b', i))));
        } catch (RocksDbException e) {
          assertEquals(Code.CORRUPTION, e.code());
          failed++;
        }
      }
      assertTrue(failed > 0 && failed < ROWS / 2, failed + " reads failed");
      for (int i = 0; i < ROWS; i++) {
        assertTrue(db.get(key('a', i)) != null && db.get(key('c', i)) != null, "rows elsewhere");
      }
      db.put(key('d', 0), key('d', 0));
    }
  }
}
