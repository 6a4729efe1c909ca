/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.Follower;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.WriteBatch;

/**
 * Kills followers and prunes at random points in time while a database is archived: the next follower can be opened,
 * and the archive stays complete. {@code -Drocksdbffm.archive.kills=100} kills more often.
 */
class KilledReaderTest {
  private static final int KILLS = Integer.getInteger("rocksdbffm.archive.kills", 3);

  @TempDir Path folder;

  private final Random random = new Random(7);
  private final AtomicBoolean ends = new AtomicBoolean();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  private interface Work {
    void run(Archive archive) throws Exception;
  }

  /** Archives a database whose two families always have the same number, and which gets many bases. */
  private void whileArchived(Work work) throws Exception {
    FolderStore store = FolderStore.open(folder.resolve("store"));
    Archive archive = Archive.in(store);
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Archiver archiver =
            archive.start(db, Await.FAST.every(Duration.ofMillis(10), Duration.ofMillis(200)))) {
      db.createFamily("second", FamilyOptions.defaults());
      write(db, 0);
      Await.archived(db, archiver);
      Thread writer = Thread.ofPlatform().start(() -> {
        try {
          for (long number = 1; !ends.get(); number++) {
            write(db, number);
            Thread.sleep(5);
          }
        } catch (Throwable e) {
          failure.set(e);
        }
      });
      try {
        work.run(archive);
      } finally {
        ends.set(true);
        writer.join();
      }
      assertEquals(null, failure.get());
      Await.archived(db, archiver);
    }
  }

  private static void write(RocksDb db, long number) {
    WriteBatch batch = new WriteBatch();
    byte[] value = Long.toString(number).getBytes(UTF_8);
    batch.put("n".getBytes(UTF_8), value);
    batch.in(db.family("second")).put("n".getBytes(UTF_8), value);
    db.write(batch);
    if (number % 50 == 7) {
      db.flushAll();
    }
  }

  @Test
  void theNextFollowerOpensAStateThatIsNotOlder() throws Exception {
    whileArchived(archive -> {
      for (int kill = 0; kill < KILLS; kill++) {
        long seen =
            Long.parseLong(
                KilledReader.killed("follow", folder, kill, random.nextInt(60), random.nextInt(200)));
        FolderStore store = FolderStore.open(folder.resolve("store"));
        try (ArchiveFollower follower = ArchiveFollower.open(store, folder.resolve("follower"), Follower::open)) {
          long number = KilledReader.numberOf(follower);
          assertTrue(number >= seen, () -> number + " after " + seen);
        }
      }
    });
  }

  @Test
  void aKilledPruneLeavesAWholeArchiveAndTheNextOneDeletesTheRest() throws Exception {
    whileArchived(archive -> {
      for (int kill = 0; kill < KILLS; kill++) {
        KilledReader.killed("prune", folder, kill, random.nextInt(5), random.nextInt(200));
        assertEquals(List.of(), archive.verify().damages());
      }
    });
    archive().prune(KilledReader.NEWEST);
    Archive.Pruned again = archive().prune(KilledReader.NEWEST);
    assertEquals(1, again.bases());
    assertEquals(List.of(), archive().verify().damages());
    archive().restore(folder.resolve("restored"), Target.newest());
    try (RocksDb restored = RocksDb.open(folder.resolve("restored"));
        RocksDb db = RocksDb.open(folder.resolve("db"))) {
      assertEquals(
          new String(db.get("n".getBytes(UTF_8)), UTF_8), new String(restored.get("n".getBytes(UTF_8)), UTF_8));
    }
  }

  private Archive archive() throws Exception {
    return Archive.in(FolderStore.open(folder.resolve("store")));
  }
}
