/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.faults;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.Repair;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.Scan;
import org.rocksdbffm.internal.folder.LiveLog;
import org.rocksdbffm.internal.folder.LogContents;
import org.rocksdbffm.tools.Bytes;
import org.rocksdbffm.tools.LiveObjectsCheck;

/**
 * Tests that no opening silently drops acknowledged writes after damage in a WAL file, and that traces of a crash are
 * not reported as damage.
 */
@ExtendWith(LiveObjectsCheck.class)
final class DamagedLogTest {
  private static final int ROWS = 100;
  private static final int MIDDLE = 5000; // an offset in the WAL file, after some ten rows
  private static final DatabaseOptions DEFAULTS = DatabaseOptions.defaults();
  private static final DatabaseOptions ACCEPTS = DEFAULTS.acceptWalDamage();

  @TempDir Path temporary;

  private Path folder() {
    return temporary.resolve("db");
  }

  private static void put(RocksDb db, int from, int until) {
    for (int i = from; i < until; i++) {
      db.put(("k%03d".formatted(i)).getBytes(), Bytes.random(500, i));
    }
  }

  private void write() {
    try (RocksDb db = RocksDb.open(folder())) {
      put(db, 0, ROWS);
    }
  }

  private List<LiveLog> logs() throws IOException {
    return LogContents.live(folder()).logs();
  }

  private interface Change {
    byte[] of(byte[] bytes);
  }

  private void change(Change change) throws IOException {
    Path file = logs().getFirst().file();
    Files.write(file, change.of(Files.readAllBytes(file)));
  }

  private static Change flip(int at, int bits) {
    return bytes -> {
      bytes[at] ^= (byte) bits;
      return bytes;
    };
  }

  private static int rows(RocksDb db) {
    int rows = 0;
    try (Scan scan = db.scan(KeyRange.all())) {
      while (scan.next()) {
        rows++;
      }
    }
    return rows;
  }

  private int rows(DatabaseOptions options) {
    try (RocksDb db = RocksDb.at(folder()).options(options).open()) {
      return rows(db);
    }
  }

  private static void assertRefused(Executable opening, String... words) {
    RocksDbException refused = assertThrowsExactly(RocksDbException.class, opening);
    assertEquals(Code.CORRUPTION, refused.code(), refused.getMessage());
    for (String word : words) {
      assertTrue(refused.getMessage().contains(word), refused.getMessage());
    }
  }

  @Test
  void damageBeforeTheEndRefusesWritersAndReadersWithWhatWouldBeLost() throws IOException {
    write();
    change(flip(MIDDLE, 1));
    LiveLog log = logs().getFirst();
    byte[] before = Files.readAllBytes(log.file());
    String[] words = {
      log.file() + " is damaged at byte " + log.end().offset() + " of " + before.length + " (a checksum is wrong)",
      log.end().operationsBehind() + " acknowledged writes after that are intact",
      "put the file back as it was", "Repair", "DatabaseOptions.acceptWalDamage"
    };
    for (int again = 0; again < 2; again++) {
      assertRefused(() -> RocksDb.open(folder()).close(), words);
      assertRefused(() -> RocksDb.at(folder()).openReadOnly().close(), words);
      assertRefused(() -> RocksDb.at(folder()).openTransactional().close(), words);
      assertRefused(() -> RocksDb.at(folder()).openOptimistic().close(), words);
    }
    assertArrayEquals(before, Files.readAllBytes(log.file()));
    change(flip(MIDDLE, 1));
    assertEquals(ROWS, rows(DEFAULTS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"kPointInTimeRecovery", "kTolerateCorruptedTailRecords", "kAbsoluteConsistency"})
  void aRecoveryModeThatOptionsFilesRepeatDoesNotAcceptIt(String mode) throws IOException {
    write();
    change(flip(MIDDLE, 1));
    assertRefused(() -> RocksDb.at(folder()).options(DEFAULTS.option("wal_recovery_mode", mode)).open().close());
  }

  @Test
  void whoAcceptsDamageGetsTheRowsBeforeItAndIsNotAskedAgain() throws IOException {
    write();
    change(flip(MIDDLE, 1));
    long kept = logs().getFirst().operations();
    try (RocksDb db = RocksDb.at(folder()).options(ACCEPTS).openReadOnly()) {
      assertEquals(kept, rows(db));
    }
    try (RocksDb db = RocksDb.at(folder()).options(ACCEPTS).open()) {
      assertEquals(kept, rows(db));
      put(db, ROWS, ROWS + 10);
    }
    assertEquals(kept + 10, rows(DEFAULTS));
  }

  @Test
  void aDamagedLogThatStaysAfterItWasAcceptedRefusesNothing() throws IOException {
    write();
    change(flip(MIDDLE, 1));
    long kept = logs().getFirst().operations();
    DatabaseOptions unflushed = DEFAULTS.option("avoid_flush_during_recovery", true);
    try (RocksDb db = RocksDb.at(folder()).options(unflushed.acceptWalDamage()).open()) {
      put(db, ROWS, ROWS + 10);
    }
    assertEquals(2, logs().size(), logs()::toString);
    try (RocksDb db = RocksDb.at(folder()).options(unflushed).openReadOnly()) {
      assertEquals(kept + 10, rows(db));
    }
    assertEquals(kept + 10, rows(unflushed));
  }

  @Test
  void optionsThatPassOverDamageAcceptIt() throws IOException {
    write();
    change(flip(MIDDLE, 1));
    assertEquals(ROWS - 1, rows(DEFAULTS.unchecked("wal_recovery_mode", "kSkipAnyCorruptedRecords")), 60);
  }

  @Test
  void aRepairKeepsTheIntactWrites() throws IOException {
    write();
    change(flip(MIDDLE, 1));
    LiveLog log = logs().getFirst();
    Repair.of(folder());
    int rows = rows(DEFAULTS);
    assertTrue(rows > log.operations() && rows < ROWS, rows + " of " + log);
  }

  private void writeTwoLogs() throws IOException {
    try (RocksDb db = RocksDb.open(folder())) {
      put(db, 0, ROWS);
      var other = db.createFamily("other", FamilyOptions.defaults());
      other.put("k".getBytes(), "v".getBytes());
      other.flush();
      db.dropFamily(other);
      put(db, ROWS, 2 * ROWS);
    }
    assertEquals(2, logs().size(), logs()::toString);
  }

  @Test
  void damageInTheLastRecordOfALogBeforeAnotherIsNoCrash() throws IOException {
    writeTwoLogs();
    int last = (int) logs().getFirst().end().size() - 1;
    change(flip(last, 1));
    assertRefused(() -> RocksDb.open(folder()).close(), ROWS + " acknowledged writes", "some in 1 later logs");
    assertEquals(ROWS, rows(ACCEPTS));
    assertEquals(ROWS, rows(DEFAULTS));
  }

  @Test
  void aLogWhoseLastRecordACrashLeftInPartIsReadAfterThatCrash() throws IOException {
    DatabaseOptions unflushed = DEFAULTS.option("avoid_flush_during_recovery", true);
    write();
    change(flip((int) logs().getFirst().end().size() - 1, 1));
    try (RocksDb db = RocksDb.at(folder()).options(unflushed).open()) {
      put(db, ROWS, 2 * ROWS);
    }
    assertEquals(2, logs().size(), logs()::toString);
    assertEquals(2 * ROWS - 1, rows(unflushed));
  }

  @Test
  void whatIsInLaterLogsIsCountedToo() throws IOException {
    writeTwoLogs();
    change(flip(MIDDLE, 1));
    long behind = logs().getFirst().end().operationsBehind() + ROWS;
    assertRefused(() -> RocksDb.open(folder()).close(), behind + " acknowledged writes", "some in 1 later logs");
    assertEquals(logs().getFirst().operations(), rows(ACCEPTS));
  }

  @Test
  void aHeaderOnWhichTheEngineNeverReturnsIsRefusedInAnyCase() throws IOException {
    write();
    LiveLog whole = logs().getFirst();
    change(flip((int) (whole.end().size() / ROWS) + 6, 4)); // the type of the second record
    String cut = "truncate -s " + logs().getFirst().end().offset();
    assertRefused(() -> RocksDb.open(folder()).close(), cut, "never returns", "98 writes");
    assertRefused(() -> RocksDb.at(folder()).options(ACCEPTS).open().close(), cut);
    assertRefused(() -> RocksDb.at(folder()).options(ACCEPTS).openReadOnly().close(), cut);
    RocksDbException unrepaired = assertThrowsExactly(RocksDbException.class, () -> Repair.of(folder()));
    assertTrue(unrepaired.getMessage().contains(cut), unrepaired.getMessage());
    change(bytes -> Arrays.copyOf(bytes, (int) (whole.end().size() / ROWS)));
    assertEquals(1, rows(DEFAULTS));
  }

  @Test
  void aCrashIsNoDamage() throws IOException {
    List<Change> crashes = List.of(
        bytes -> Arrays.copyOf(bytes, bytes.length - 1),
        bytes -> Arrays.copyOf(bytes, 32 << 10),
        bytes -> Arrays.copyOf(bytes, bytes.length + 10_000),
        bytes -> {
          byte[] garbage = Arrays.copyOf(bytes, bytes.length + 100_000);
          Arrays.fill(garbage, bytes.length, garbage.length, (byte) 0x33);
          return garbage;
        },
        bytes -> {
          Arrays.fill(bytes, 36 << 10, 40 << 10, (byte) 0); // a page that was not written, before written pages
          return bytes;
        },
        bytes -> {
          Arrays.fill(bytes, bytes.length - 300, bytes.length, (byte) 0x33);
          return bytes;
        });
    write();
    byte[] whole = Files.readAllBytes(logs().getFirst().file());
    for (Change crash : crashes) {
      RocksDb.destroy(folder());
      write();
      change(bytes -> crash.of(whole.clone()));
      long operations = logs().getFirst().operations();
      try (RocksDb db = RocksDb.at(folder()).openReadOnly()) {
        assertEquals(operations, rows(db), logs()::toString);
      }
      assertEquals(operations, rows(DEFAULTS));
    }
  }
}
