/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.folders;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.Backups;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.Follower;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.Opening;
import org.rocksdbffm.Repair;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.tools.LiveObjectsCheck;

/**
 * Tests that a database cannot be created in a backup folder, nor a backup in a database folder, and that a renamed
 * database keeps the claim on its old name.
 */
@ExtendWith(LiveObjectsCheck.class)
class FoldersApartTest {
  private static final byte[] KEY = bytes("key");

  @TempDir Path base;
  private Path folder;
  private Path backups;

  @BeforeEach
  void makeBackup() {
    folder = base.resolve("db");
    backups = base.resolve("backups");
    try (RocksDb db = RocksDb.open(folder); Backups all = Backups.open(backups)) {
      db.put(KEY, KEY);
      all.create(db);
    }
  }

  private static void assertRefused(String part, Executable use) {
    String message = assertThrows(RocksDbException.class, use).getMessage();
    assertTrue(message.contains(part), message);
  }

  private void assertBackupIsWhole() {
    try (Backups all = Backups.open(backups)) {
      all.verify(1);
      all.restore(1, base.resolve("restored"));
    }
    try (RocksDb db = RocksDb.open(base.resolve("restored"))) {
      assertArrayEquals(KEY, db.get(KEY));
    }
  }

  @Test
  void nothingButBackupsIsMadeInAFolderOfBackups() {
    Path own = backups.resolve("private/1");
    Path tables = backups.resolve("shared_checksum");
    FamilyOptions inTables =
        FamilyOptions.defaults().paths(List.of(new FamilyOptions.StoragePath(tables, ByteSize.gib(1))));
    String part = " belongs to the backups in ";
    try (RocksDb db = RocksDb.open(folder)) {
      Map<String, Executable> uses =
          Map.ofEntries(
              Map.entry("open", () -> RocksDb.open(own)),
              Map.entry("open the whole", () -> RocksDb.open(backups)),
              Map.entry("open anew", () -> RocksDb.open(backups.resolve("private/7"))),
              Map.entry("read", () -> RocksDb.at(own).openReadOnly()),
              Map.entry("follow", () -> Follower.open(own)),
              Map.entry("paths", () -> RocksDb.at(base.resolve("other")).defaults(inTables).open()),
              Map.entry("family", () -> db.createFamily("other", inTables)),
              Map.entry("logs",
                  () -> RocksDb.at(base.resolve("other"))
                      .options(DatabaseOptions.defaults().option("wal_dir", own.toString())).open()),
              Map.entry("messages",
                  () -> RocksDb.at(base.resolve("other"))
                      .options(DatabaseOptions.defaults().option("db_log_dir", tables.toString())).open()),
              Map.entry("checkpoint", () -> db.files().checkpoint(backups.resolve("private/8"))),
              Map.entry("export", () -> db.files().export(backups.resolve("private/8"))),
              Map.entry("table", () -> TableWriter.create(tables.resolve("000099.sst"), FamilyOptions.defaults())),
              Map.entry("backups", () -> Backups.open(backups.resolve("private"))),
              Map.entry("repair", () -> Repair.of(own)),
              Map.entry("destroy", () -> RocksDb.destroy(own)));
      uses.forEach((name, use) -> assertRefused(part, use));
    }
    assertFalse(Files.exists(base.resolve("other/CURRENT")));
    assertBackupIsWhole();
  }

  @Test
  void aDatabaseThatWasMovedIntoAFolderOfBackupsIsNotDeleted() throws Exception {
    Path moved = backups.resolve("private/7");
    Files.move(folder, moved);
    assertRefused(moved + " is of no backup", () -> Backups.open(backups));
    Files.move(moved, folder);
    assertBackupIsWhole();
  }

  @Test
  void aFolderWithSuchNamesIsNoFolderOfBackups() throws Exception {
    for (String name : List.of("meta/notes", "private", "shared")) {
      Files.createDirectories(base.resolve("app").resolve(name));
    }
    RocksDb.open(base.resolve("app")).close();
    RocksDb.open(base.resolve("app/private/db")).close();
  }

  @Test
  void nothingTakesTheNameOfARenamedDatabaseWhichWritesByIt() throws Exception {
    Path renamed = base.resolve("renamed");
    RocksDb db = RocksDb.open(folder);
    Files.move(folder, renamed);
    assertRefused("in use in this process", () -> RocksDb.open(folder));
    assertRefused("in use in this process", () -> Backups.open(folder));
    try (Backups all = Backups.open(backups)) {
      assertRefused("in use in this process", () -> all.restore(1, folder));
    }
    try (RocksDb other = RocksDb.open(base.resolve("other"))) {
      assertRefused("in use in this process", () -> other.files().checkpoint(folder));
    }
    assertFalse(Files.exists(folder));
    db.put(bytes("more"), KEY);
    db.close();
    try (RocksDb again = RocksDb.open(renamed)) {
      assertArrayEquals(KEY, again.get(bytes("more")));
    }
    RocksDb.open(folder).close(); // the name can be used again
  }

  @Test
  void anOpeningThatTheEngineRefusesLeavesNoFolder() throws Exception {
    Path above = Files.createDirectory(base.resolve("above"));
    RocksDb db = RocksDb.open(above.resolve("db"));
    Files.move(above, base.resolve("moved"));
    Files.createDirectory(above); // a new folder: only the old folder's name is claimed
    assertThrows(RocksDbException.class, () -> RocksDb.open(above.resolve("db")));
    assertEquals(0, above.toFile().list().length);
    db.close();
  }

  @Test
  void anOpeningOfAnExistingDatabaseThatTheEngineRefusesLeavesNoFolderForMessages() throws Exception {
    Path messages = base.resolve("messages");
    Opening opening =
        RocksDb.at(folder)
            .options(DatabaseOptions.defaults().option("db_log_dir", messages.toString()))
            .defaults(FamilyOptions.defaults().keyOrder(KeyOrder.REVERSE_BYTEWISE));
    assertThrows(RocksDbException.class, opening::open);
    assertFalse(Files.exists(messages));
    try (RocksDb db = RocksDb.open(folder)) {
      assertArrayEquals(KEY, db.get(KEY));
    }
  }
}
