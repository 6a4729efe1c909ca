/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.copies;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.Backup;
import org.rocksdbffm.Backups;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.CompactOptions;
import org.rocksdbffm.CompactionFilter;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.tools.LiveObjectsCheck;

/**
 * Tests backups: they are created, listed, verified, restored and deleted, also concurrently, and with damaged files.
 */
@ExtendWith(LiveObjectsCheck.class)
final class BackupTest {
  private static final byte[] KEY = "key".getBytes();

  @TempDir Path folder;

  private Path backups() {
    return folder.resolve("backups");
  }

  private static byte[] number(int number) {
    return String.format("%08d", number).getBytes();
  }

  private static RocksDbException failure(Code code, Executable executable) {
    RocksDbException thrown = assertThrowsExactly(RocksDbException.class, executable);
    assertEquals(code, thrown.code(), thrown.getMessage());
    return thrown;
  }

  @Test
  void eachBackupHasWhatWasThereWhenItWasMade() {
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Backups backups = Backups.open(backups())) {
      ColumnFamily family = db.createFamily("family", FamilyOptions.defaults());
      for (int i = 0; i < 3; i++) {
        db.put(KEY, number(i));
        family.with(WriteOptions.defaults().disableWal(true)).put(KEY, number(-i)); // in the backup only after a flush
        assertEquals(i + 1, backups.create(db, "state " + i).id());
      }
      List<Backup> list = backups.list();
      assertEquals(List.of("state 0", "state 1", "state 2"), list.stream().map(Backup::note).toList());
      for (Backup each : list) {
        backups.verify(each.id());
        assertTrue(each.size().bytes() > 0 && each.files() > 2, each.toString());
        assertFalse(each.time().isAfter(Instant.now()), each.toString());
        Path restored = folder.resolve("restored" + each.id());
        backups.restore(each.id(), restored);
        try (RocksDb copy = RocksDb.open(restored)) {
          assertArrayEquals(number(each.id() - 1), copy.get(KEY));
          assertArrayEquals(number(1 - each.id()), copy.family("family").get(KEY));
        }
      }
    }
  }

  @Test
  void backupsShareTheTablesThatTheyBothHave() throws IOException {
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Backups backups = Backups.open(backups())) {
      db.put(KEY, new byte[1 << 20]);
      backups.create(db);
      db.put(number(1), number(1));
      backups.create(db);
    }
    long size = 0;
    try (Stream<Path> files = Files.walk(backups())) {
      for (Path file : (Iterable<Path>) files::iterator) {
        size += Files.isRegularFile(file) ? Files.size(file) : 0;
      }
    }
    assertTrue(size < 3 << 19, size + " bytes for two backups of a table of " + (1 << 20));
  }

  @Test
  void withoutAFlushTheLogsAreCopied() {
    Backups.Options options = Backups.Options.defaults().flushFirst(false).sync(false).threads(3);
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Backups backups = Backups.open(backups(), options)) {
      db.put(KEY, number(7));
      backups.create(db);
      assertEquals("0", db.metrics().property("rocksdb.num-files-at-level0"));
      assertEquals(1, backups.restoreLatest(folder.resolve("restored")).id());
    }
    try (RocksDb copy = RocksDb.open(folder.resolve("restored"))) {
      assertArrayEquals(number(7), copy.get(KEY));
    }
  }

  @Test
  void oneIsDeletedAndTheOldestAre() {
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      try (Backups backups = Backups.open(backups())) {
        for (int i = 1; i <= 5; i++) {
          db.put(number(i), number(i));
          backups.create(db);
        }
        backups.delete(4);
        assertEquals(List.of(1, 2, 3, 5), ids(backups));
        failure(Code.NOT_FOUND, () -> backups.delete(4));
        backups.keepLatest(2);
        assertEquals(List.of(3, 5), ids(backups));
        backups.keepLatest(Integer.MAX_VALUE);
        for (int id : ids(backups)) {
          backups.verify(id);
        }
      }
      try (Backups backups = Backups.open(backups())) {
        assertEquals(List.of(3, 5), ids(backups));
        assertEquals(6, backups.create(db).id());
        backups.keepLatest(0);
        assertEquals(List.of(), ids(backups));
        failure(Code.NOT_FOUND, () -> backups.restoreLatest(folder.resolve("restored")));
      }
    }
    assertFalse(Files.exists(folder.resolve("restored")));
  }

  @Test
  void aDeletionFreesTheTablesThatNoOtherBackupHas() throws IOException {
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Backups backups = Backups.open(backups())) {
      backups.create(db);
      db.put(KEY, new byte[100_000]);
      backups.create(db);
      assertEquals(1, tables().size());
      backups.delete(2);
      assertEquals(List.of(), tables());
      assertFalse(Files.exists(backups().resolve("private/2")));
    }
  }

  private List<Path> tables() throws IOException {
    try (Stream<Path> files = Files.list(backups().resolve("shared_checksum"))) {
      return files.toList();
    }
  }

  private static List<Integer> ids(Backups backups) {
    return backups.list().stream().map(Backup::id).toList();
  }

  @Test
  void aDamagedFileIsFoundAndNeverRestored() throws IOException {
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Backups backups = Backups.open(backups())) {
      backups.create(db);
      db.put(KEY, new byte[100_000]);
      backups.create(db);
      Path table = tables().getFirst();
      byte[] bytes = Files.readAllBytes(table);
      bytes[bytes.length / 2] ^= 1;
      Files.write(table, bytes);
      backups.verify(1);
      assertTrue(failure(Code.CORRUPTION, () -> backups.verify(2)).getMessage().contains("restore another backup"));
      failure(Code.CORRUPTION, () -> backups.restore(2, folder.resolve("restored")));
      assertFalse(Files.exists(folder.resolve("restored")));
      assertFalse(Files.exists(folder.resolve("restored.restoring")));
      Files.delete(table);
      failure(Code.CORRUPTION, () -> backups.verify(2));
      failure(Code.NOT_FOUND, () -> backups.verify(3));
      backups.restore(1, folder.resolve("restored"));
      try (RocksDb copy = RocksDb.open(folder.resolve("restored"))) {
        assertNull(copy.get(KEY));
      }
    }
  }

  @Test
  void nothingIsCopiedAnyMoreWhenARestoreHasFailed() throws IOException {
    try (RocksDb db =
        RocksDb.at(folder.resolve("db")).defaults(FamilyOptions.defaults().disableAutoCompactions(true)).open();
        Backups backups = Backups.open(backups(), Backups.Options.defaults().threads(4).sync(false))) {
      byte[] noise = new byte[500_000];
      for (int i = 0; i < 20; i++) {
        new Random(i).nextBytes(noise);
        db.put(number(i), noise);
        db.flush();
      }
      backups.create(db);
      Path table = tables().getFirst();
      byte[] whole = Files.readAllBytes(table);
      Path restored = folder.resolve("restored");
      for (int round = 0; round < 5; round++) {
        byte[] bad = whole.clone();
        bad[bad.length / 2] ^= 1;
        Files.write(table, bad);
        failure(Code.CORRUPTION, () -> backups.restore(1, restored));
        assertFalse(Files.exists(folder.resolve("restored.restoring")));
        Files.write(table, whole);
        backups.restore(1, restored);
        try (RocksDb copy = RocksDb.open(restored)) {
          copy.files().verifyChecksums();
          assertArrayEquals(noise, copy.get(number(19)));
        }
        RocksDb.destroy(restored);
      }
    }
  }

  @Test
  void aListOfFilesThatIsDamagedIsNoBackup() throws IOException {
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      try (Backups backups = Backups.open(backups())) {
        backups.create(db);
        backups.create(db);
      }
      Random random = new Random(29);
      byte[] meta = Files.readAllBytes(backups().resolve("meta/2"));
      for (int round = 0; round < 40; round++) {
        byte[] bad = meta.clone();
        for (int i = 0; i < 1 + round / 4; i++) {
          bad[random.nextInt(bad.length)] = (byte) random.nextInt();
        }
        Files.write(backups().resolve("meta/2"), round % 5 == 0
            ? java.util.Arrays.copyOf(bad, random.nextInt(meta.length)) : bad);
        try (Backups backups = Backups.open(backups())) {
          assertTrue(ids(backups).contains(1));
          backups.verify(1);
          try {
            backups.verify(2);
            backups.restore(2, folder.resolve("restored" + round));
          } catch (RocksDbException e) {
            assertTrue(e.code() == Code.CORRUPTION || e.code() == Code.NOT_FOUND || e.code() == Code.NOT_SUPPORTED
                || e.code() == Code.INVALID_ARGUMENT, e.toString());
          }
        }
      }
    }
  }

  @Test
  void nothingIsEverReplacedByARestore() throws IOException {
    Path there = Files.createDirectory(folder.resolve("there"));
    Files.writeString(there.resolve("letter"), "dear");
    Path file = Files.writeString(folder.resolve("file"), "text");
    Path staging = Files.createDirectories(folder.resolve("new.restoring"));
    Files.writeString(staging.resolve("letter"), "dear");
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Backups backups = Backups.open(backups())) {
      backups.create(db);
      failure(Code.INVALID_ARGUMENT, () -> backups.restore(1, there));
      failure(Code.INVALID_ARGUMENT, () -> backups.restore(1, file));
      failure(Code.INVALID_ARGUMENT, () -> backups.restore(1, db.path()));
      failure(Code.INVALID_ARGUMENT, () -> backups.restore(1, folder.resolve("new")));
      failure(Code.IO_ERROR, () -> backups.restore(1, folder.resolve("nowhere/new")));
      failure(Code.INVALID_ARGUMENT, () -> backups.restore(1, Path.of("/")));
      failure(Code.INVALID_ARGUMENT, () -> db.files().checkpoint(there));
      assertThrowsExactly(IllegalArgumentException.class, () -> backups.restore(1, backups().resolve("inside")));
    }
    assertEquals("dear", Files.readString(there.resolve("letter")));
    assertEquals("dear", Files.readString(staging.resolve("letter")));
    assertEquals("text", Files.readString(file));
  }

  @Test
  void aRestoreInThePlaceOfTheDatabase() {
    Path place = folder.resolve("db");
    try (Backups backups = Backups.open(backups())) {
      try (RocksDb db = RocksDb.open(place)) {
        db.put(KEY, number(1));
        backups.create(db);
        db.put(KEY, number(2));
      }
      RocksDb.destroy(place);
      backups.restoreLatest(place);
    }
    try (RocksDb db = RocksDb.open(place)) {
      assertArrayEquals(number(1), db.get(KEY));
    }
  }

  @Test
  void aFolderOfSomethingElseIsRefused() throws IOException {
    Path letters = Files.createDirectories(backups().resolve("private"));
    Files.writeString(letters.resolve("letter"), "dear");
    assertTrue(
        failure(Code.INVALID_ARGUMENT, () -> Backups.open(backups())).getMessage().contains("move it away"));
    assertEquals("dear", Files.readString(letters.resolve("letter")));
    failure(Code.IO_ERROR, () -> Backups.open(folder.resolve("nowhere/backups")));
    failure(Code.IO_ERROR, () -> Backups.open(Files.writeString(folder.resolve("file"), "text")));
  }

  @Test
  void aFolderIsOpenOnceAtATimeByWhateverName() throws IOException {
    Backups first = Backups.open(backups());
    Path link = Files.createSymbolicLink(folder.resolve("link"), backups());
    failure(Code.BUSY, () -> Backups.open(backups()));
    failure(Code.BUSY, () -> Backups.open(link));
    first.close();
    first.close();
    Backups.open(link).close();
  }

  @Test
  void whatCannotBeBackedUpIsRefused() {
    Path place = folder.resolve("db");
    RocksDb.open(place).close();
    try (RocksDb db = RocksDb.at(place).openReadOnly();
        Backups backups = Backups.open(backups())) {
      failure(Code.NOT_SUPPORTED, () -> backups.create(db));
      failure(Code.NOT_SUPPORTED, () -> db.files().checkpoint(folder.resolve("copy")));
      try (RocksDb other = RocksDb.open(folder.resolve("other"))) {
        assertThrowsExactly(IllegalArgumentException.class, () -> backups.create(other, "x".repeat((1 << 20) + 1)));
        assertThrowsExactly(IllegalArgumentException.class, () -> backups.create(other, "\ud800"));
        String longest = "x\0\u20ac".repeat((1 << 20) / 5);
        assertEquals(longest, backups.create(other, longest).note());
      }
    }
    assertThrowsExactly(IllegalArgumentException.class, () -> Backups.Options.defaults().threads(0));
    assertThrowsExactly(
        IllegalArgumentException.class, () -> Backups.Options.defaults().backupRate(ByteSize.bytes(1)));
  }

  @Test
  void aCloseStopsTheBackupThatIsMade() throws Exception {
    Backups.Options slow = Backups.Options.defaults().backupRate(ByteSize.kib(64));
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      byte[] noise = new byte[8 << 20]; // a backup of it takes two minutes
      new Random(1).nextBytes(noise);
      db.put(KEY, noise);
      Backups backups = Backups.open(backups(), slow);
      CountDownLatch started = new CountDownLatch(1);
      Thread maker =
          Thread.ofPlatform()
              .start(
                  () -> {
                    started.countDown();
                    try {
                      backups.create(db);
                    } catch (Throwable e) {
                      thrown.set(e);
                    }
                  });
      started.await();
      while (!Files.exists(backups().resolve("private/1")) && maker.isAlive()) {
        Thread.onSpinWait();
      }
      backups.close();
      maker.join();
      assertEquals(IllegalStateException.class, thrown.get().getClass(), String.valueOf(thrown.get()));
      try (Backups again = Backups.open(backups())) {
        assertEquals(List.of(), again.list());
        assertEquals(1, again.create(db).id());
        again.verify(1);
      }
    }
  }

  @Test
  void aDatabaseThatIsClosedMeanwhileWaits() throws Exception {
    try (Backups backups = Backups.open(backups())) {
      for (int round = 0; round < 5; round++) {
        RocksDb db = RocksDb.open(folder.resolve("db" + round));
        db.put(KEY, new byte[1 << 20]);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread maker =
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        backups.create(db);
                      } catch (Throwable e) {
                        thrown.set(e);
                      }
                    });
        db.close();
        maker.join();
        assertTrue(
            thrown.get() == null || thrown.get() instanceof IllegalStateException, String.valueOf(thrown.get()));
      }
      for (int id : ids(backups)) {
        backups.verify(id);
      }
    }
  }

  @Test
  void aCallbackMayNotWaitForABackup() {
    try (Backups backups = Backups.open(backups())) {
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      FamilyOptions options =
          FamilyOptions.defaults()
              .compactionFilter(
                  "test",
                  compaction ->
                      (level, key, value) -> {
                        try {
                          backups.close();
                        } catch (Throwable e) {
                          thrown.set(e);
                        }
                        return CompactionFilter.Decision.KEEP;
                      });
      try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(options).open()) {
        db.put(KEY, KEY);
        db.flush();
        db.compact(KeyRange.all(), CompactOptions.defaults().bottommost(CompactOptions.Bottommost.FORCE));
      }
      assertEquals(IllegalStateException.class, thrown.get().getClass());
    }
  }
}
