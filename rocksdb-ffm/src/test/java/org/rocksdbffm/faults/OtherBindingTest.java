/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.Backup;
import org.rocksdbffm.Backups;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.DatabaseFiles;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Scan;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.tools.ChildJvm;
import org.rocksdbffm.tools.LiveObjectsCheck;

/**
 * Tests that rocksdbjni and this library can read each other's backups, restored databases and table files, with all
 * rows.
 */
@ExtendWith(LiveObjectsCheck.class)
final class OtherBindingTest {
  private static final FamilyOptions OPTIONS =
      FamilyOptions.defaults().mergeOperator(MergeOperator.stringAppend(','));

  @TempDir Path folder;

  private Path at(String name) {
    return folder.resolve(name);
  }

  /** Runs an operation with rocksdbjni, and returns the lines that it printed. */
  private static List<String> byOther(Object... words) {
    String[] arguments = List.of(words).stream().map(Object::toString).toArray(String[]::new);
    return ChildJvm.of(OtherBinding.class).run(arguments).assertExit(0).output().lines().toList();
  }

  /** Returns the lines that rocksdbjni's program prints for a database, but read with this library. */
  private static List<String> read(Path database) throws NoSuchAlgorithmException {
    TreeSet<String> lines = new TreeSet<>();
    try (RocksDb db = RocksDb.at(database).defaults(OPTIONS).open()) {
      for (ColumnFamily family : db.families()) {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        try (Scan rows = family.scan(KeyRange.all())) {
          while (rows.next()) {
            OtherBinding.add(digest, rows.keyBytes(), rows.valueBytes());
          }
        }
        lines.add(OtherBinding.line(family.name(), digest));
      }
    }
    return List.copyOf(lines);
  }

  private static void write(Path database) {
    try (RocksDb db = RocksDb.at(database).defaults(OPTIONS).open()) {
      db.familyOrCreate(OtherBinding.FAMILY, OPTIONS);
      for (ColumnFamily family : db.families()) {
        for (int row = 0; row < OtherBinding.ROWS; row++) {
          family.put(OtherBinding.key(row), OtherBinding.value("this library", row));
        }
        family.flush();
        family.merge(OtherBinding.key(1), OtherBinding.value("a merge", 1));
        family.delete(OtherBinding.key(2));
        family.deleteRange(OtherBinding.key(50), OtherBinding.key(70));
      }
    }
  }

  @Test
  void aDatabaseOfRocksdbjniIsBackedUpHereAndRestoredThere() throws NoSuchAlgorithmException {
    byOther("write", at("db"));
    List<String> rows = byOther("read", at("db"));
    assertEquals(rows, read(at("db")));
    try (RocksDb db = RocksDb.at(at("db")).defaults(OPTIONS).open();
        Backups backups = Backups.open(at("backups"))) {
      backups.create(db, "made here");
      db.put(OtherBinding.key(0), OtherBinding.key(0)); // later than the backup
    }
    assertEquals(List.of("backup 1 made here"), byOther("restore", at("backups"), at("restored")));
    assertEquals(rows, byOther("read", at("restored")));
  }

  @Test
  void aDatabaseOfHereIsBackedUpByRocksdbjniAndRestoredHere() throws NoSuchAlgorithmException {
    write(at("db"));
    List<String> rows = read(at("db"));
    byOther("backup", at("db"), at("backups"), "made there");
    try (Backups backups = Backups.open(at("backups"))) {
      Backup only = backups.list().getFirst();
      assertEquals("made there", only.note());
      backups.verify(only.id());
      backups.restore(only.id(), at("restored"));
    }
    assertEquals(rows, read(at("restored")));
  }

  @Test
  void bothAddBackupsToOneFolder() throws NoSuchAlgorithmException {
    write(at("db"));
    for (int round = 0; round < 2; round++) {
      try (RocksDb db = RocksDb.at(at("db")).defaults(OPTIONS).open();
          Backups backups = Backups.open(at("backups"))) {
        db.put(OtherBinding.key(round), OtherBinding.key(round));
        backups.create(db, "made here");
      }
      byOther("backup", at("db"), at("backups"), "made there");
    }
    try (Backups backups = Backups.open(at("backups"))) {
      assertEquals(
          List.of("made here", "made there", "made here", "made there"),
          backups.list().stream().map(Backup::note).toList());
      backups.list().forEach(each -> backups.verify(each.id()));
      backups.delete(1);
      backups.keepLatest(2);
    }
    assertEquals(List.of("backup 3 made here", "backup 4 made there"),
        byOther("restore", at("backups"), at("restored")));
    assertEquals(read(at("db")), byOther("read", at("restored")));
  }

  @Test
  void aReaderOfTheLogIsToldOfAnEmptyRangeThatRocksdbjniHasWritten() {
    byOther("empty-range", at("db"));
    DatabaseOptions keeping = DatabaseOptions.defaults().option("WAL_ttl_seconds", 3600);
    try (RocksDb db = RocksDb.at(at("db")).options(keeping).defaults(OPTIONS).open();
        DatabaseFiles.LogReader log = db.files().logSince(1)) {
      assertTrue(log.next());
      for (int i = 0; i < 2; i++) {
        RocksDbException e = assertThrowsExactly(RocksDbException.class, log::next);
        assertEquals(RocksDbException.Code.NOT_SUPPORTED, e.code());
        assertTrue(e.getMessage().contains("the log has a deletion of an empty range at number 2"), e.getMessage());
      }
      assertEquals(2, log.nextSequenceNumber());
      long next = db.files().latestSequenceNumber() + 1;
      db.put(OtherBinding.key(3), OtherBinding.key(3));
      try (DatabaseFiles.LogReader later = db.files().logSince(next)) {
        assertTrue(later.next());
        assertEquals(next, later.sequenceNumber());
      }
    }
  }

  @Test
  void aTableFileOfRocksdbjniIsIngestedHere() throws NoSuchAlgorithmException {
    byOther("table", at("1.sst"));
    byOther("write", at("there"));
    byOther("write", at("here"));
    byOther("ingest", at("there"), at("1.sst"));
    try (RocksDb db = RocksDb.at(at("here")).defaults(OPTIONS).open()) {
      for (ColumnFamily family : db.families()) {
        family.files().ingest(at("1.sst"));
      }
    }
    List<String> rows = byOther("read", at("there"));
    assertEquals(rows, read(at("here")));
    assertEquals(rows, byOther("read", at("here")));
  }

  @Test
  void aTableFileOfHereIsIngestedByRocksdbjni() throws NoSuchAlgorithmException {
    write(at("there"));
    write(at("here"));
    try (TableWriter table = TableWriter.create(at("1.sst"), OPTIONS)) {
      table.deleteRange(OtherBinding.key(200), OtherBinding.key(250));
      for (int row = 0; row < OtherBinding.ROWS; row += 2) {
        switch (row % 6) {
          case 0 -> table.merge(OtherBinding.key(row), OtherBinding.value("a merge of a table", row));
          case 2 -> table.delete(OtherBinding.key(row));
          default -> table.put(OtherBinding.key(row), OtherBinding.value("a table", row));
        }
      }
      assertTrue(table.finish().entries() > 0);
    }
    byOther("ingest", at("there"), at("1.sst"));
    try (RocksDb db = RocksDb.at(at("here")).defaults(OPTIONS).open()) {
      for (ColumnFamily family : db.families()) {
        family.files().ingest(at("1.sst"));
      }
    }
    assertEquals(read(at("here")), byOther("read", at("there")));
  }
}
