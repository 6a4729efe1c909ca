/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.BackupInfo;
import org.rocksdb.Env;
import org.rocksdb.Options;
import org.rocksdb.RestoreOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** Creates backups of databases, and restores them. */
@Tag("oracle")
class BackupTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);

  @TempDir Path folder;
  private Options options;
  private RocksDB db;
  private BackupEngine engine;

  @BeforeEach
  void open() throws Exception {
    RocksDB.loadLibrary();
    options = new Options().setCreateIfMissing(true);
    db = RocksDB.open(options, path("db"));
    Files.createDirectory(folder.resolve("backups"));
    try (BackupEngineOptions backups = new BackupEngineOptions(path("backups"))) {
      assertEquals(path("backups"), backups.backupDir());
      engine = BackupEngine.open(Env.getDefault(), backups);
    }
  }

  @AfterEach
  void close() {
    engine.close();
    db.close();
    options.close();
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private void backup(String value) throws RocksDBException {
    db.put(KEY, value.getBytes(UTF_8));
    engine.createNewBackupWithMetadata(db, "made of " + value + " \u20ac", true);
  }

  private List<Integer> backups() {
    return engine.getBackupInfo().stream().map(BackupInfo::backupId).toList();
  }

  @Test
  void eachBackupIsListedWithWhatIsKnownOfIt() throws RocksDBException {
    assertEquals(List.of(), engine.getBackupInfo());
    backup("one");
    engine.createNewBackup(db);
    List<BackupInfo> infos = engine.getBackupInfo();
    assertEquals(List.of(1, 2), backups());
    BackupInfo first = infos.getFirst();
    assertEquals("made of one \u20ac", first.appMetadata());
    assertTrue(first.size() > 0);
    assertTrue(first.numberFiles() > 0);
    assertTrue(first.timestamp() > 1_700_000_000L);
    assertNull(infos.getLast().appMetadata());
  }

  @Test
  void aBackupIsRestoredByItsNumberAndTheLatestWithout() throws RocksDBException {
    backup("one");
    backup("two");
    db.close();
    try (RestoreOptions restore = new RestoreOptions(false)) {
      engine.restoreDbFromBackup(1, path("first"), path("first"), restore);
      engine.restoreDbFromLatestBackup(path("latest"), path("latest"), restore);
      RocksDBException failure =
          assertThrows(
              RocksDBException.class, () -> engine.restoreDbFromBackup(7, path("none"), path("none"), restore));
      assertEquals(Status.Code.NotFound, failure.getStatus().getCode());
    }
    assertRestored("one", "first");
    assertRestored("two", "latest");
  }

  private void assertRestored(String value, String name) throws RocksDBException {
    try (RocksDB restored = RocksDB.openReadOnly(options, path(name))) {
      assertArrayEquals(value.getBytes(UTF_8), restored.get(KEY));
    }
  }

  @Test
  void backupsMayLieInTheFolderOfTheirOpenDatabase() throws RocksDBException {
    try (BackupEngineOptions backups = new BackupEngineOptions(path("db"));
        BackupEngine within = BackupEngine.open(Env.getDefault(), backups);
        RestoreOptions restore = new RestoreOptions(false)) {
      db.put(KEY, KEY);
      within.createNewBackup(db, true);
      db.compactRange(); // deletes files
      db.close();
      db = RocksDB.open(options, path("db"));
      within.createNewBackup(db, true);
      within.purgeOldBackups(1);
      within.garbageCollect();
      assertArrayEquals(KEY, db.get(KEY));
      within.restoreDbFromLatestBackup(path("restored"), path("restored"), restore);
      db.close();
    }
    assertRestored("key", "restored");
    assertRestored("key", "db");
  }

  @Test
  void oldBackupsArePurged() throws RocksDBException {
    backup("one");
    backup("two");
    backup("three");
    engine.purgeOldBackups(2);
    assertEquals(List.of(2, 3), backups());
  }

  @Test
  void aBackupIsDeletedAndADamagedOneToldOf() throws Exception {
    backup("one");
    backup("two");
    engine.deleteBackup(1);
    assertEquals(List.of(2), backups());
    assertArrayEquals(new int[0], engine.getCorruptedBackups());
    engine.garbageCollect();
    assertEquals(Status.Code.NotFound,
        assertThrows(RocksDBException.class, () -> engine.deleteBackup(9)).getStatus().getCode());
    engine.close();
    Files.write(folder.resolve("backups/meta/2"), new byte[] {1, 2, 3});
    try (BackupEngineOptions backups = new BackupEngineOptions(path("backups"));
        BackupEngine again = BackupEngine.open(Env.getDefault(), backups)) {
      assertArrayEquals(new int[] {2}, again.getCorruptedBackups());
      assertEquals(List.of(), again.getBackupInfo());
    }
  }
}
