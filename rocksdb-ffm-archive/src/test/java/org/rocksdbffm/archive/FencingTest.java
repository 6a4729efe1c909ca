/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.WriteOptions;

/** Tests two writers of one archive, stores that fail for a long time, and changes that are not in the WAL. */
class FencingTest {
  @TempDir Path folder;
  private FolderStore store;
  private Archive archive;

  @BeforeEach
  void open() throws Exception {
    store = FolderStore.open(folder.resolve("store"));
    archive = Archive.in(store);
  }

  private static void put(RocksDb db, String key, String value) {
    db.put(key.getBytes(UTF_8), value.getBytes(UTF_8));
  }

  private static String get(RocksDb db, String key) {
    byte[] value = db.get(key.getBytes(UTF_8));
    return value == null ? null : new String(value, UTF_8);
  }

  private String restored(String name, String key) throws Exception {
    archive.restore(folder.resolve(name), Target.newest());
    try (RocksDb db = RocksDb.open(folder.resolve(name))) {
      return get(db, key);
    }
  }

  @Test
  void aWriterThatWasReplacedStopsAndSpoilsNothing() throws Exception {
    try (RocksDb old = RocksDb.open(folder.resolve("old"));
        Archiver oldArchiver = archive.start(old, Await.FAST)) {
      put(old, "key", "old");
      Await.archived(old, oldArchiver);
      archive.restore(folder.resolve("new"), Target.newest());
      try (RocksDb replacement = RocksDb.open(folder.resolve("new"));
          Archiver archiver = archive.start(replacement, Await.FAST)) {
        put(replacement, "key", "new");
        Await.archived(replacement, archiver);
        put(old, "key", "zombie");
        Await.until("fenced", () -> oldArchiver.status().phase() == Archiver.Phase.FENCED);
        put(replacement, "other", "new");
        Await.archived(replacement, archiver);
      }
    }
    assertEquals("new", restored("restored", "key"));
    assertEquals(List.of(), archive.verify().damages());
  }

  @Test
  void archiversOfTwoArchivesThatStartTogetherBothContinueLater() throws Exception {
    Archive second = Archive.in(FolderStore.open(folder.resolve("second")));
    for (int opening = 0; opening < 3; opening++) {
      for (int database = 0; database < 4; database++) {
        Path at = folder.resolve("db" + database);
        Archive first = Archive.in(FolderStore.open(folder.resolve("first" + database)));
        Archive other = Archive.in(FolderStore.open(folder.resolve("other" + database)));
        try (RocksDb db = RocksDb.open(at);
            Archiver archiver = first.start(db, Await.FAST);
            Archiver further = other.start(db, Await.FAST)) {
          put(db, "key", "value" + opening);
          Await.archived(db, archiver);
          Await.archived(db, further);
        }
      }
    }
    Archive.in(FolderStore.open(folder.resolve("first0"))).restore(folder.resolve("new"), Target.newest());
    try (RocksDb db = RocksDb.open(folder.resolve("new"))) { // the first archive continues after a second one was started
      try (Archiver further = second.start(db, Await.FAST)) {
        Await.archived(db, further);
      }
      try (Archiver archiver = Archive.in(FolderStore.open(folder.resolve("first0"))).start(db, Await.FAST)) {
        Await.archived(db, archiver);
      }
    }
  }

  @Test
  void aStoreThatIsMissingForAWhileGetsEachEntryAfterwards() throws Exception {
    Path objects = folder.resolve("store");
    Path away = folder.resolve("away");
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Archiver archiver = archive.start(db, Await.FAST)) {
      put(db, "key", "before");
      Await.archived(db, archiver);
      Files.move(objects, away); // its disk is not mounted
      put(db, "key", "while it is missing");
      Await.until("failing", () -> archiver.status().phase() == Archiver.Phase.FAILING);
      assertTrue(archiver.status().problem().contains("is not in the store any more"), archiver.status()::toString);
      assertTrue(Files.notExists(objects));
      Files.move(away, objects);
      Await.archived(db, archiver);
      put(db, "key", "after");
      Await.archived(db, archiver);
    }
    assertEquals("after", restored("restored", "key"));
    assertEquals(List.of(), archive.verify().damages());
  }

  @Test
  void aDatabaseThatIsReadOnlyIsRefusedAndUnchanged() throws Exception {
    Path at = folder.resolve("db");
    RocksDb.open(at).close();
    try (RocksDb db = RocksDb.at(at).openReadOnly()) {
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> archive.start(db, Await.FAST));
      assertEquals(
          "db: " + at + " is open for reading only, and only the process that writes it can archive it", refused.getMessage());
    }
    assertNull(Descent.read(at));
  }

  @Test
  void aDatabaseThatIsClosedFirstEndsItsArchiver() throws Exception {
    Archiver archiver;
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      archiver = archive.start(db, Await.FAST);
      put(db, "key", "1");
      Await.archived(db, archiver);
    }
    Await.until("closed", () -> archiver.status().phase() == Archiver.Phase.CLOSED);
    archiver.close();
    assertEquals("1", restored("restored", "key"));
  }

  @Test
  void aStaleListHidesNoEntryOfAPrunedArchive() throws Exception {
    ObjectStore stale = new HostileStore(store, 1, 1_000_000) {
      @Override
      public List<Item> list(String prefix, String after, int most) {
        return List.of();
      }
    };
    for (int i = 0; i < 3; i++) {
      try (RocksDb db = RocksDb.open(folder.resolve("db"));
          Archiver archiver = Archive.in(stale).start(db, Await.FAST)) {
        put(db, "key", "value" + i);
        Await.archived(db, archiver);
      }
      archive.prune(new Archive.Policy(Duration.ZERO, Duration.ofDays(1), Duration.ZERO));
    }
    long entries = archive.list().entries();
    assertEquals(entries, Archive.in(stale).list().entries());
    assertTrue(entries > 6, () -> entries + " entries");
    assertEquals("value2", restored("restored", "key"));
    assertEquals(List.of(), archive.verify().damages());
  }

  @Test
  void timesAreInOrderWhenTheClockJumpsBack() throws Exception {
    AtomicLong clock = new AtomicLong(1_000_000);
    Chain chain = new Chain(store, Attempts.within(Duration.ofSeconds(5)));
    Writer writer = new Writer(chain, "writer", null, clock::get, other -> {});
    byte[] body = Entry.compressed(out -> out.writeUTF(""));
    long before = 0;
    for (long time : List.of(1_000_000L, 2_000_000L, 10L, 1_500_000L, 2_000_000L, 3_000_000L)) {
      clock.set(time);
      long millis = writer.append(Entry.Kind.LINE, 1, () -> body).head().millis();
      assertTrue(millis > before && millis >= time, millis + " after " + before);
      before = millis;
    }
    assertEquals(3_000_000, before);
  }

  /** A store that can be switched off. */
  private record Switched(ObjectStore store, AtomicBoolean isOff) implements ObjectStore {
    private void require() throws IOException {
      if (isOff.get()) {
        throw new IOException("switched off");
      }
    }

    @Override
    public boolean putIfAbsent(String name, Content content) throws IOException {
      require();
      return store.putIfAbsent(name, content);
    }

    @Override
    public InputStream get(String name, long from) throws IOException {
      require();
      return store.get(name, from);
    }

    @Override
    public List<Item> list(String prefix, String after, int most) throws IOException {
      require();
      return store.list(prefix, after, most);
    }

    @Override
    public void delete(String name) throws IOException {
      require();
      store.delete(name);
    }

    @Override
    public void close() {
      store.close();
    }
  }

  @Test
  void afterALongFailureOfTheStoreANewBaseHasAllWrites() throws Exception {
    AtomicBoolean isOff = new AtomicBoolean();
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Archiver archiver =
            Archive.in(new Switched(store, isOff)).start(db, Await.retaining(ByteSize.kib(64)))) {
      put(db, "key", "before");
      Await.archived(db, archiver);
      isOff.set(true);
      put(db, "key", "lost in the store's failure?");
      Await.until("failing", () -> archiver.status().phase() == Archiver.Phase.FAILING);
      for (int i = 0; i < 300; i++) {
        put(db, "more" + i, "x".repeat(1000));
      }
      db.flush();
      put(db, "key", "last");
      db.flush();
      Await.until("the WAL is given up", () -> db.files().logs().size() <= 2);
      isOff.set(false);
      put(db, "after", "1");
      Await.archived(db, archiver);
    }
    assertEquals("last", restored("restored", "key"));
  }

  @Test
  void writesThatTheWalDoesNotHaveMakeANewBase() throws Exception {
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Archiver archiver = archive.start(db, Await.FAST)) {
      put(db, "a", "1");
      put(db, "m", "1");
      Await.archived(db, archiver);
      db.with(WriteOptions.defaults().disableWal(true)).put("a".getBytes(UTF_8), "2".getBytes(UTF_8));
      Await.archived(db, archiver);
      assertEquals("2", restored("without-wal", "a"));

      Path file = folder.resolve("ingested.sst");
      try (TableWriter table = TableWriter.create(file, FamilyOptions.defaults())) {
        table.put("z".getBytes(UTF_8), "3".getBytes(UTF_8)); // overlaps no key, so it uses no sequence number
        table.finish();
      }
      long bases = archiver.status().bases();
      db.files().ingest(file);
      Await.until("a base with the file", () -> archiver.status().bases() > bases);
      Await.archived(db, archiver);
      assertEquals("3", restored("ingested", "z"));

      db.flush();
      db.compact(KeyRange.all());
      long more = archiver.status().bases();
      db.files().deleteWithin("a".getBytes(UTF_8), "zz".getBytes(UTF_8));
      Await.until("a base without the file", () -> archiver.status().bases() > more);
      Await.archived(db, archiver);
      assertNull(restored("deleted", "m"));
    }
  }
}
