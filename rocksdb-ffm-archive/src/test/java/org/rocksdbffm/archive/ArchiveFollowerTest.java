/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.Follower;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.WriteBatch;

/** A follower of an archive reads the states of the database one after another. */
class ArchiveFollowerTest {
  @TempDir Path folder;

  private static String get(ArchiveFollower follower, String key) {
    byte[] value = follower.read(db -> db.get(key.getBytes(UTF_8)));
    return value == null ? null : new String(value, UTF_8);
  }

  @Test
  void eachCatchUpReadsTheNewestArchivedState() throws Exception {
    FolderStore store = FolderStore.open(folder.resolve("store"));
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Archiver archiver = Archive.in(store).start(db, Await.FAST)) {
      db.put("key".getBytes(UTF_8), "value".getBytes(UTF_8));
      Await.archived(db, archiver);
      try (ArchiveFollower follower = ArchiveFollower.open(store, folder.resolve("follower"), Follower::open)) {
        assertEquals("value", get(follower, "key"));
        for (int i = 0; i < 30; i++) {
          db.put("key".getBytes(UTF_8), ("value" + i).getBytes(UTF_8));
          if (i % 7 == 3) {
            db.flush();
          }
          long sequence = Await.archived(db, archiver);
          assertTrue(follower.catchUp());
          assertEquals("value" + i, get(follower, "key"));
          assertEquals(sequence, follower.sequence());
        }
        ColumnFamily users = db.createFamily("users", FamilyOptions.defaults());
        WriteBatch both = new WriteBatch();
        both.delete("key".getBytes(UTF_8));
        both.in(users).put("user".getBytes(UTF_8), "1".getBytes(UTF_8));
        db.write(both);
        long sequence = Await.archived(db, archiver);
        assertTrue(follower.catchUp());
        assertNull(get(follower, "key"));
        assertEquals("1", follower.read(state -> new String(state.family("users").get("user".getBytes(UTF_8)), UTF_8)));
        assertEquals(sequence, follower.sequence());
        while (follower.catchUp()) {
          assertNull(get(follower, "key")); // entries without writes
        }
        assertFalse(follower.catchUp());
      }
    }
  }

  @Test
  void afterADamageThatIsRepairedTheFollowerContinues() throws Exception {
    Path objects = folder.resolve("store");
    FolderStore store = FolderStore.open(objects);
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Archiver archiver = Archive.in(store).start(db, Await.FAST)) {
      db.put("key".getBytes(UTF_8), "old".getBytes(UTF_8));
      Await.archived(db, archiver);
      try (ArchiveFollower follower = ArchiveFollower.open(store, folder.resolve("follower"), Follower::open)) {
        Set<Path> before = files(objects);
        db.createFamily("users", FamilyOptions.defaults()); // a new base
        db.put("key".getBytes(UTF_8), "new".getBytes(UTF_8));
        Await.archived(db, archiver);
        Set<Path> added = files(objects);
        added.removeAll(before);
        Path lost = added.iterator().next();
        Path away = Files.move(lost, folder.resolve("away"));
        for (int i = 0; i < 2; i++) {
          assertThrows(Damage.class, follower::catchUp);
          assertEquals("old", get(follower, "key"));
        }
        Files.move(away, lost);
        assertTrue(follower.catchUp());
        assertEquals("new", get(follower, "key"));
      }
    }
  }

  @Test
  void aStateThatCouldNotBeReadIsReadByTheNextCatchUp() throws Exception {
    FolderStore store = FolderStore.open(folder.resolve("store"));
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Archiver archiver = Archive.in(store).start(db, Await.FAST)) {
      db.put("key".getBytes(UTF_8), "old".getBytes(UTF_8));
      Await.archived(db, archiver);
      try (ArchiveFollower follower = ArchiveFollower.open(store, folder.resolve("follower"), Follower::open)) {
        db.put("key".getBytes(UTF_8), "new".getBytes(UTF_8));
        Await.archived(db, archiver);
        Path list = folder.resolve("follower/current/CURRENT");
        Path away = Files.move(list, folder.resolve("away"));
        assertThrows(RocksDbException.class, follower::catchUp);
        assertEquals("old", get(follower, "key"));
        Files.move(away, list);
        assertTrue(follower.catchUp());
        assertEquals("new", get(follower, "key"));
      }
    }
  }

  @Test
  void aFollowerCatchesUpAfterAPruneDeletedEntriesThatItHasNotRead() throws Exception {
    FolderStore store = FolderStore.open(folder.resolve("store"));
    Archive archive = Archive.in(store);
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Archiver archiver = archive.start(db, Await.FAST)) {
      db.put("key".getBytes(UTF_8), "0".getBytes(UTF_8));
      Await.archived(db, archiver);
      try (ArchiveFollower follower = ArchiveFollower.open(store, folder.resolve("follower"), Follower::open)) {
        for (int i = 1; i < 4; i++) {
          db.createFamily("family" + i, FamilyOptions.defaults()); // a new base
          db.put("key".getBytes(UTF_8), Integer.toString(i).getBytes(UTF_8));
          Await.archived(db, archiver);
        }
        archive.prune(new Archive.Policy(Duration.ZERO, Duration.ofDays(1), Duration.ZERO));
        assertTrue(follower.catchUp());
        assertEquals("3", get(follower, "key"));
      }
    }
  }

  private static Set<Path> files(Path store) throws IOException {
    try (Stream<Path> files = Files.list(store.resolve("files"))) {
      return files.collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
