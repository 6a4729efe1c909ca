/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.RocksDb;

/** Tests that a program can wait until the writes that it made can be restored. */
class AwaitArchivedTest {
  private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();
  private static final Archiver.Options SLOW = Archiver.Options.defaults().every(FOREVER, FOREVER);

  @TempDir Path folder;
  private FolderStore store;

  @BeforeEach
  void open() throws IOException {
    store = FolderStore.open(folder.resolve("store"));
  }

  private static byte[] bytes(int number) {
    return new byte[] {(byte) number};
  }

  private byte[] restored(Archive archive, String name, int row) throws IOException {
    archive.restore(folder.resolve(name), Target.newest());
    try (RocksDb db = RocksDb.open(folder.resolve(name))) {
      return db.get(bytes(row));
    }
  }

  @Test
  void theWritesBeforeTheWaitCanBeRestoredThoughTheNextSegmentIsNotDue() throws Exception {
    Archive archive = Archive.in(store);
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Archiver archiver = archive.start(db, SLOW)) {
      assertTrue(archiver.awaitArchived(FOREVER)); // the first base
      assertEquals(1, archiver.status().bases());
      for (int row = 1; row <= 3; row++) {
        db.put(bytes(row), bytes(row));
        assertTrue(archiver.awaitArchived(FOREVER));
        assertEquals(row, archiver.status().sequence());
        assertArrayEquals(bytes(row), restored(archive, "restored" + row, row));
      }
    }
  }

  /** A store of which each put fails. */
  private static HostileStore failing(ObjectStore store) {
    return new HostileStore(store, 1, 1);
  }

  @Test
  void theWaitIsOverAfterTheTimeoutIfTheStoreFails() throws Exception {
    Archive archive = Archive.in(failing(store));
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Archiver archiver = archive.start(db, SLOW.closeWithin(Duration.ZERO))) {
      db.put(bytes(1), bytes(1));
      assertFalse(archiver.awaitArchived(Duration.ofMillis(50)));
      assertFalse(archiver.awaitArchived(Duration.ZERO));
      assertFalse(archiver.awaitArchived(FOREVER.negated()));
      assertThrows(NullPointerException.class, () -> archiver.awaitArchived(null));
    }
  }

  @Test
  void aCloseEndsTheWait() throws Exception {
    Archive archive = Archive.in(failing(store));
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      db.put(bytes(1), bytes(1));
      Archiver archiver = archive.start(db, SLOW.closeWithin(Duration.ZERO));
      FutureTask<Boolean> wait = new FutureTask<>(() -> archiver.awaitArchived(FOREVER));
      Thread waiting = Thread.ofPlatform().start(wait);
      Await.until("a wait", () -> waiting.getState() == Thread.State.TIMED_WAITING);
      archiver.close();
      assertFalse(wait.get());
      assertFalse(archiver.awaitArchived(FOREVER), "closed");
    }
  }

  @Test
  void anArchiverThatWasReplacedDoesNotWait() throws Exception {
    Archive archive = Archive.in(store);
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Archiver archiver = archive.start(db, SLOW)) {
      db.put(bytes(1), bytes(1));
      assertTrue(archiver.awaitArchived(FOREVER));
      archive.restore(folder.resolve("new"), Target.newest());
      try (RocksDb replacement = RocksDb.open(folder.resolve("new"));
          Archiver other = archive.start(replacement, SLOW)) {
        replacement.put(bytes(2), bytes(2));
        assertTrue(other.awaitArchived(FOREVER));
      }
      db.put(bytes(3), bytes(3));
      assertFalse(archiver.awaitArchived(FOREVER));
      assertEquals(Archiver.Phase.FENCED, archiver.status().phase());
    }
  }

  @Test
  void aClosedDatabaseRefusesTheWait() throws Exception {
    Archiver archiver;
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      archiver = Archive.in(store).start(db, SLOW);
    }
    assertThrows(IllegalStateException.class, () -> archiver.awaitArchived(FOREVER));
    archiver.close();
  }
}
