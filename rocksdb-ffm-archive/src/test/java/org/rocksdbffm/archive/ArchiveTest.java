/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.WriteBatch;

/** A database is restored from its archive to any state. */
class ArchiveTest {
  @TempDir Path folder;
  private FolderStore store;
  private Archive archive;

  @BeforeEach
  void open() throws Exception {
    store = FolderStore.open(folder.resolve("store"));
    archive = Archive.in(store);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, UTF_8);
  }

  private RocksDb restored(String name, Target target) throws Exception {
    archive.restore(folder.resolve(name), target);
    return RocksDb.open(folder.resolve(name));
  }

  @Test
  void theNewestStateHasAllWrites() throws Exception {
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      db.put(bytes("before"), bytes("1"));
      try (Archiver archiver = archive.start(db, Await.FAST)) {
        Await.archived(db, archiver);
        db.put(bytes("after"), bytes("2"));
        Await.archived(db, archiver);
      }
      db.put(bytes("not archived"), bytes("3"));
    }
    try (RocksDb restored = restored("restored", Target.newest())) {
      assertEquals("1", text(restored.get(bytes("before"))));
      assertEquals("2", text(restored.get(bytes("after"))));
      assertNull(restored.get(bytes("not archived")));
      assertEquals(2, restored.files().latestSequenceNumber());
    }
  }

  @Test
  void aCloseArchivesTheLastWrites() throws Exception {
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      try (Archiver archiver = archive.start(db, Await.FAST)) {
        Await.archived(db, archiver);
        db.put(bytes("last"), bytes("1"));
      }
    }
    try (RocksDb restored = restored("restored", Target.newest())) {
      assertEquals("1", text(restored.get(bytes("last"))));
    }
  }

  /** The flush of the first base writes these rows to a table, so they are not in the archived WAL. */
  @RepeatedTest(3)
  void writesWhileTheFirstBaseBeginsAreArchivedWithoutLaterWrites() throws Exception {
    Path logs = folder.resolve("db");
    long latest;
    try (RocksDb db = RocksDb.open(logs);
        Archiver archiver = archive.start(db, Await.FAST)) {
      int row = 0;
      do {
        db.put(bytes("key" + row++), bytes("value"));
      } while (logs.toFile().list((_, name) -> name.endsWith(".log")).length < 2); // the flush has started
      latest = Await.archived(db, archiver);
    }
    try (RocksDb restored = restored("restored", Target.sequence(latest))) {
      assertEquals(latest, restored.files().latestSequenceNumber());
    }
  }

  @Test
  void eachSequenceNumberIsRestoredExactly() throws Exception {
    int writes = 60;
    long first;
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Archiver archiver = archive.start(db, Await.FAST)) {
      db.put(bytes("start"), bytes(""));
      first = Await.archived(db, archiver);
      for (int i = 1; i <= writes; i++) {
        db.put(bytes("key" + i % 7), bytes("value" + i));
        if (i % 20 == 0) {
          db.flush();
        }
        if (i % 11 == 0) {
          Await.archived(db, archiver);
        }
      }
    }
    for (int i = 1; i <= writes; i += 9) {
      try (RocksDb restored = restored("restored" + i, Target.sequence(first + i))) {
        assertEquals(first + i, restored.files().latestSequenceNumber());
        assertEquals("value" + i, text(restored.get(bytes("key" + i % 7))));
      }
    }
    assertThrows(IllegalArgumentException.class, () -> restored("none", Target.sequence(first + writes + 1)));
    assertTrue(Files.notExists(folder.resolve("none")));
  }

  @Test
  void aTimeIsRestoredWithoutLaterWrites() throws Exception {
    List<Instant> times = new ArrayList<>();
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Archiver archiver = archive.start(db, Await.FAST)) {
      for (int i = 0; i < 4; i++) {
        db.put(bytes("key"), bytes("value" + i));
        Await.archived(db, archiver);
        times.add(archive.list().newest());
      }
    }
    for (int i = 0; i < 4; i++) {
      try (RocksDb restored = restored("restored" + i, Target.time(times.get(i)))) {
        assertEquals("value" + i, text(restored.get(bytes("key"))));
      }
    }
    assertThrows(IllegalArgumentException.class, () -> restored("none", Target.time(Instant.EPOCH)));
  }

  @Test
  void familiesThatAreCreatedAndDroppedMakeANewBase() throws Exception {
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Archiver archiver = archive.start(db, Await.FAST)) {
      db.put(bytes("a"), bytes("1"));
      Await.archived(db, archiver);
      ColumnFamily users = db.createFamily("users", FamilyOptions.defaults());
      WriteBatch both = new WriteBatch();
      both.put(bytes("a"), bytes("2"));
      both.in(users).put(bytes("b"), bytes("2"));
      db.write(both);
      long sequence = Await.archived(db, archiver);
      try (RocksDb restored = restored("with", Target.sequence(sequence))) {
        assertEquals("2", text(restored.get(bytes("a"))));
        assertEquals("2", text(restored.family("users").get(bytes("b"))));
      }
      db.dropFamily(users);
      db.put(bytes("a"), bytes("3"));
      Await.archived(db, archiver);
    }
    archive.restore(folder.resolve("without"), Target.newest());
    assertEquals(List.of("default"), RocksDb.families(folder.resolve("without")));
    assertTrue(archive.list().bases().size() >= 3, archive.list()::toString);
  }

  @Test
  void aNewProcessContinuesTheArchiveAndAnotherDatabaseIsRefused() throws Exception {
    for (int i = 0; i < 3; i++) {
      try (RocksDb db = RocksDb.open(folder.resolve("db"));
          Archiver archiver = archive.start(db, Await.FAST)) {
        db.put(bytes("key"), bytes("value" + i));
        Await.archived(db, archiver);
      }
    }
    try (RocksDb other = RocksDb.open(folder.resolve("other"));
        Archiver archiver = archive.start(other, Await.FAST)) {
      Await.until("refused", () -> archiver.status().phase() == Archiver.Phase.FENCED);
    }
    try (RocksDb restored = restored("restored", Target.newest());
        Archiver archiver = archive.start(restored, Await.FAST)) {
      assertEquals("value2", text(restored.get(bytes("key"))));
      restored.put(bytes("key"), bytes("value3"));
      Await.archived(restored, archiver);
    }
    try (RocksDb db = RocksDb.open(folder.resolve("db")); // the failed machine is restarted
        Archiver archiver = archive.start(db, Await.FAST)) {
      Await.until("refused", () -> archiver.status().phase() == Archiver.Phase.FENCED);
    }
    try (RocksDb restored = restored("restored again", Target.newest())) {
      assertArrayEquals(bytes("value3"), restored.get(bytes("key")));
    }
  }
}
