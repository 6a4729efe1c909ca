/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.RestoreOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksMemEnv;
import org.rocksdb.Status;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TtlDB;
import org.rocksdbffm.Repair;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;

/** A process opens a folder for writing only once, with any path. */
class OpenFoldersTest {
  private static final byte[] KEY = {1};

  @TempDir Path folder;

  private final Options options = new Options().setCreateIfMissing(true);

  @BeforeAll
  static void load() {
    RocksDB.loadLibrary();
  }

  @BeforeEach
  void link() throws IOException {
    Files.createDirectories(folder.resolve("real/inner"));
    Files.createSymbolicLink(folder.resolve("link"), folder.resolve("real"));
    Files.createSymbolicLink(folder.resolve("whole"), folder.resolve("real/db"));
  }

  private interface Opening {
    RocksDB open() throws RocksDBException;
  }

  private static void assertRefused(String path, Opening opening) {
    RocksDBException refusal = assertThrows(RocksDBException.class, opening::open);
    assertEquals(Status.Code.IOError, refusal.getStatus().getCode(), refusal.getMessage());
    assertTrue(refusal.getMessage().startsWith("lock hold by current process"), refusal.getMessage());
    assertTrue(refusal.getMessage().endsWith(": " + path + "/LOCK: No locks available"), refusal.getMessage());
  }

  private List<String> otherPaths() {
    String working = Path.of("").toAbsolutePath().relativize(folder).toString();
    return List.of(
        folder + "/link/db", folder + "/whole", folder + "/real/./db", folder + "/real/inner/../db", folder
        + "/real/db/",
        working + "/real/db");
  }

  @Test
  void noOtherPathOpensOrDestroysItWhileItIsOpenByTheFirst() throws RocksDBException {
    List<ColumnFamilyDescriptor> families = List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY));
    try (DBOptions dbOptions = new DBOptions();
        TransactionDBOptions transactions = new TransactionDBOptions();
        RocksDB db = RocksDB.open(options, folder + "/real/db")) {
      assertRefused(folder + "/real/db", () -> RocksDB.open(options, folder + "/real/db"));
      for (String path : otherPaths()) {
        assertRefused(path, () -> RocksDB.open(options, path));
        assertRefused(path, () -> RocksDB.open(dbOptions, path, families, new ArrayList<>()));
        assertRefused(path, () -> TransactionDB.open(options, transactions, path));
        assertRefused(path, () -> OptimisticTransactionDB.open(options, path));
        assertRefused(path, () -> TtlDB.open(options, path));
        assertRefused(path, () -> {
          RocksDB.destroyDB(path, options);
          return db;
        });
        RocksDB.openReadOnly(options, path).close();
      }
      db.put(KEY, KEY);
      assertArrayEquals(KEY, db.get(KEY));
    }
  }

  @Test
  void aFolderThatAnOpenCreatesThroughALinkIsTheSame() throws RocksDBException {
    for (String path : List.of(folder + "/link/db", folder + "/link/inner/../db", folder + "/real/db")) {
      try (TransactionDBOptions transactions = new TransactionDBOptions();
          RocksDB db = TransactionDB.open(options, transactions, path)) {
        assertEquals(path, db.getName());
        for (String other : List.of(folder + "/real/db/.", folder + "/whole")) {
          assertRefused(other, () -> RocksDB.open(options, other));
        }
      }
      RocksDB.destroyDB(folder + "/whole", options);
    }
  }

  @Test
  void theCoreMeetsTheSameClaims() throws RocksDBException, IOException {
    Path real = folder.resolve("real/db");
    Path link = folder.resolve("whole");
    try (RocksDB db = RocksDB.open(options, real.toString())) {
      for (Executable call
          : List.<Executable>of(() -> RocksDb.open(link), () -> RocksDb.destroy(link), () -> Repair.of(link))) {
        assertEquals(RocksDbException.Code.BUSY, assertThrows(RocksDbException.class, call).code());
      }
      Path moved = Files.move(real, folder.resolve("moved"));
      assertRefused(moved.toString(), () -> RocksDB.open(options, moved.toString()));
      Files.move(moved, real);
      db.put(KEY, KEY);
    }
    try (RocksDB reader = RocksDB.openReadOnly(options, real.toString())) {
      assertEquals(
          RocksDbException.Code.BUSY, assertThrows(RocksDbException.class, () -> RocksDb.destroy(link)).code());
      assertArrayEquals(KEY, reader.get(KEY));
    }
    try (RocksDb db = RocksDb.open(real)) {
      assertRefused(link.toString(), () -> RocksDB.open(options, link.toString()));
      assertRefused(link.toString(), () -> {
        RocksDB.destroyDB(link.toString(), options);
        return null;
      });
      assertArrayEquals(KEY, db.get(KEY));
    }
  }

  @Test
  void whatIsReadMayBeDestroyedAsUpstreamHasIt() throws RocksDBException {
    RocksDB.open(options, folder + "/real/db").close();
    try (RocksDB reader = RocksDB.openReadOnly(options, folder + "/real/db")) {
      RocksDB.destroyDB(reader.getName(), options);
    }
  }

  @Test
  void aBackupIsNotRestoredOverWhatIsOpen() throws RocksDBException {
    try (BackupEngineOptions where =
        new BackupEngineOptions(Files.createDirectory(folder.resolve("backups")).toString());
        RestoreOptions how = new RestoreOptions(false);
        BackupEngine backups = BackupEngine.open(Env.getDefault(), where);
        RocksDB db = RocksDB.open(options, folder + "/real/db")) {
      db.put(KEY, KEY);
      backups.createNewBackup(db, true);
      for (String path : otherPaths()) {
        assertRefused(path, () -> {
          backups.restoreDbFromBackup(1, path, path, how);
          return null;
        });
        assertRefused(path, () -> {
          backups.restoreDbFromLatestBackup(path, path, how);
          return null;
        });
      }
      assertArrayEquals(KEY, db.get(KEY));
      backups.restoreDbFromLatestBackup(folder + "/restored", folder + "/restored", how);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    RocksDB.openReadOnly(options, folder + "/restored").close();
  }

  @Test
  void foldersInMemoryAreNobodyElses() throws RocksDBException {
    try (RocksMemEnv one = new RocksMemEnv(Env.getDefault());
        RocksMemEnv two = new RocksMemEnv(Env.getDefault());
        Options inOne = new Options().setCreateIfMissing(true).setEnv(one);
        Options inTwo = new Options().setCreateIfMissing(true).setEnv(two);
        RocksDB db = RocksDB.open(inOne, folder + "/memory");
        RocksDB other = RocksDB.open(inTwo, folder + "//memory")) {
      db.put(KEY, KEY);
      assertNull(other.get(KEY));
    }
  }

  @Test
  void itOpensAgainAfterAFailureAndAfterItWasClosed() throws RocksDBException {
    try (Options missing = new Options()) {
      assertThrows(RocksDBException.class, () -> RocksDB.open(missing, folder + "/link/db"));
    }
    for (String path : List.of(folder + "/real/db", folder + "/link/db", folder + "/whole")) {
      RocksDB.open(options, path).close();
      OptimisticTransactionDB.open(options, path).close();
      TtlDB.open(options, path).close();
    }
  }

  @Test
  void aBackupThatAnEngineDoesNotKnowIsNeitherOverwrittenNorDeleted() throws Exception {
    String backups = Files.createDirectory(folder.resolve("backups")).toString();
    try (RocksDB db = RocksDB.open(options, folder + "/real/db");
        BackupEngineOptions settings = new BackupEngineOptions(backups);
        BackupEngine first = BackupEngine.open(Env.getDefault(), settings)) {
      try (BackupEngineOptions linked = new BackupEngineOptions(folder + "/link/../backups");
          BackupEngine second = BackupEngine.open(Env.getDefault(), linked)) {
        second.createNewBackup(db);
        second.createNewBackup(db);
      }
      for (Executable write :
          List.<Executable>of(
              () -> first.createNewBackup(db),
              () -> first.purgeOldBackups(1),
              () -> first.deleteBackup(1),
              first::garbageCollect)) {
        RocksDBException refused = assertThrows(RocksDBException.class, write);
        assertEquals(Status.Code.IOError, refused.getStatus().getCode());
        assertTrue(refused.getMessage().contains("since this one was opened: open it again"), refused.getMessage());
      }
      try (BackupEngine third = BackupEngine.open(Env.getDefault(), settings)) {
        third.createNewBackup(db);
        assertEquals(3, third.getBackupInfo().size());
        third.purgeOldBackups(1);
      }
    }
  }
}
