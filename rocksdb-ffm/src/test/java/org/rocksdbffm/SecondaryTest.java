/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests that a secondary sees what its primary has written, and changes nothing of it. */
@ExtendWith(LiveObjectsCheck.class)
final class SecondaryTest {
  private static final Options OPTIONS =
      Options.defaults().createIfMissing(true).mergeOperator(MergeOperator.stringAppend(','));

  @TempDir Path folder;

  private static byte[] bytes(String text) {
    return text.getBytes();
  }

  private static byte[] key(int number) {
    return bytes("%04d".formatted(number));
  }

  private static String read(Reader reader, String key) {
    byte[] value = reader.get(bytes(key));
    return value == null ? null : new String(value);
  }

  private RocksDb primary() {
    return RocksDb.open(folder.resolve("db"), OPTIONS);
  }

  private RocksDb secondary() {
    return RocksDb.openSecondary(folder.resolve("db"), folder.resolve("secondary"), OPTIONS);
  }

  private static void assertSameRows(Reader a, Reader b) {
    try (Scan one = a.scan(KeyRange.all());
        Scan other = b.scan(KeyRange.all())) {
      while (one.next()) {
        assertTrue(other.next());
        assertArrayEquals(one.keyBytes(), other.keyBytes());
        assertArrayEquals(one.valueBytes(), other.valueBytes());
      }
      assertFalse(other.next());
    }
  }

  @Test
  void itSeesWhatWasWrittenWhenItCatchesUpAndNotBefore() {
    try (RocksDb db = primary()) {
      db.put(bytes("a"), bytes("1"));
      try (RocksDb secondary = secondary()) {
        assertEquals("1", read(secondary, "a"));
        db.put(bytes("a"), bytes("2"));
        db.merge(bytes("m"), bytes("x"));
        assertEquals("1", read(secondary, "a"));
        secondary.catchUp();
        assertEquals("2", read(secondary, "a"));
        assertEquals("x", read(secondary, "m"));
        try (Scan scan = secondary.scan(KeyRange.all())) {
          assertTrue(scan.next());
          db.delete(bytes("a"));
          db.flush();
          db.put(bytes("z"), bytes("9"));
          secondary.catchUp();
          assertEquals("2", new String(scan.valueBytes()));
          assertTrue(scan.next());
          assertFalse(scan.next());
        }
        assertNull(read(secondary, "a"));
        assertEquals("x", new String(secondary.multiGet(List.of(bytes("a"), bytes("m"))).get(1)));
        assertTrue(secondary.contains(bytes("m")));
        try (PinnedValue pinned = secondary.getPinned(bytes("m"))) {
          assertEquals(1, pinned.size());
        }
        assertEquals(db.latestSequenceNumber(), secondary.latestSequenceNumber());
        assertEquals(db.identity(), secondary.identity());
        assertEquals(db.liveFiles().size(), secondary.liveFiles().size());
      }
    }
  }

  @Test
  void afterRandomWritesFlushesCompactionsAndIngestionsBothAreEqual() {
    Random random = new Random(23);
    try (RocksDb db = primary()) {
      ColumnFamily family = db.createColumnFamily("family", OPTIONS);
      RocksDb secondary = secondary();
      int hidden = 0;
      try {
        for (int round = 0; round < 60; round++) {
          for (KeySpace keys : List.of(db, family)) {
            for (int writes = random.nextInt(60); writes > 0; writes--) {
              byte[] key = key(random.nextInt(300));
              switch (random.nextInt(8)) {
                case 0 -> keys.delete(key);
                case 1 -> keys.merge(key, bytes("m" + round));
                case 2 -> keys.deleteRange(key, bytes(new String(key) + "5"));
                default -> keys.put(key, new byte[random.nextInt(500)]);
              }
            }
          }
          switch (random.nextInt(6)) {
            case 0 -> db.flush();
            case 1 -> db.flushAll();
            case 2 -> family.compact(KeyRange.all());
            case 3 -> {
              Path file = folder.resolve(round + ".sst");
              try (TableWriter table = TableWriter.create(file, OPTIONS)) {
                table.put(key(random.nextInt(300)), bytes("ingested"));
                table.finish();
              }
              family.ingest(List.of(file), IngestOptions.defaults().move(true));
            }
            default -> {}
          }
          try {
            secondary.catchUp();
          } catch (RocksDbException e) {
            assertEquals(Code.TRY_AGAIN, e.code(), e.getMessage());
            hidden++;
            secondary.close();
            secondary = secondary();
          }
          assertSameRows(db, secondary);
          assertSameRows(family, secondary.columnFamily("family"));
        }
      } finally {
        secondary.close();
      }
      assertTrue(hidden > 0 && hidden < 50, hidden + " times");
    }
  }

  @Test
  void rowsThatAnOldMemtableHidesAreToldUntilTheOtherWrites() {
    try (RocksDb db = primary()) {
      db.put(bytes("a"), bytes("1"));
      try (RocksDb secondary = secondary()) {
        db.put(bytes("a"), bytes("2"));
        db.put(bytes("b"), bytes("2"));
        db.flush();
        for (int i = 0; i < 2; i++) {
          RocksDbException hidden = assertThrowsExactly(RocksDbException.class, secondary::catchUp);
          assertEquals(Code.TRY_AGAIN, hidden.code());
          assertTrue(hidden.getMessage().contains("[default]"), hidden.getMessage());
        }
        assertEquals("2", read(secondary, "b"));
        db.put(bytes("c"), bytes("3"));
        secondary.catchUp();
        assertEquals("2", read(secondary, "a"));
      }
    }
  }

  @Test
  void readsGoOnWhileItCatchesUp() throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicBoolean done = new AtomicBoolean();
    try (RocksDb db = primary()) {
      write(db, 0);
      try (RocksDb secondary = secondary()) {
        List<Thread> readers =
            Stream.generate(() -> Thread.ofPlatform().start(() -> readUntil(done, secondary, failure))).limit(3).toList();
        for (int round = 1; round < 60; round++) {
          write(db, round);
          if (round % 7 == 0) {
            db.flush();
            write(db, round);
          }
          if (round % 20 == 0) {
            db.compact(KeyRange.all());
            write(db, round);
          }
          secondary.catchUp();
        }
        done.set(true);
        for (Thread reader : readers) {
          reader.join();
        }
        assertNull(failure.get(), () -> failure.get().toString());
        assertEquals("59", read(secondary, "0000"));
      }
    }
  }

  /** All keys in one batch, so that a scan must see one value of all. */
  private static void write(RocksDb db, int round) {
    WriteBatch batch = new WriteBatch();
    for (int i = 0; i < 200; i++) {
      batch.put(key(i), bytes(Integer.toString(round)));
    }
    db.write(batch);
  }

  private static void readUntil(AtomicBoolean done, RocksDb secondary, AtomicReference<Throwable> failure) {
    try {
      while (!done.get()) {
        Set<String> values =
            secondary.stream(KeyRange.all(), row -> new String(row.valueBytes())).collect(Collectors.toSet());
        assertEquals(1, values.size(), values.toString());
        assertTrue(secondary.get(key(100)) != null);
      }
    } catch (Throwable e) {
      failure.set(e);
    }
  }

  @Test
  void itRefusesAllThatWouldChangeTheFilesOfThePrimary() throws IOException {
    try (RocksDb db = primary()) {
      db.createColumnFamily("family", OPTIONS);
      db.put(bytes("a"), bytes("1"));
      Path file = folder.resolve("1.sst");
      try (TableWriter table = TableWriter.create(file, OPTIONS)) {
        table.put(bytes("a"), bytes("1"));
        table.finish();
      }
      try (RocksDb secondary = secondary()) {
        Set<String> before = files();
        ColumnFamily family = secondary.columnFamily("family");
        WriteBatch batch = new WriteBatch();
        batch.put(bytes("a"), bytes("b"));
        refused(() -> secondary.put(bytes("a"), bytes("2")));
        refused(() -> secondary.merge(bytes("a"), bytes("2")));
        refused(() -> secondary.delete(bytes("a")));
        refused(() -> secondary.singleDelete(bytes("a")));
        refused(() -> secondary.deleteRange(bytes("a"), bytes("b")));
        refused(() -> secondary.write(batch));
        refused(secondary::flush);
        refused(secondary::flushAll);
        refused(() -> secondary.flushWal(true));
        refused(() -> secondary.compact(KeyRange.all()));
        refused(() -> secondary.suggestCompact(KeyRange.all()));
        refused(() -> secondary.deleteFilesWithin(bytes("a"), bytes("b")));
        refused(() -> secondary.waitForCompact(Duration.ofSeconds(1), true));
        refused(() -> secondary.setOptions(Map.of("write_buffer_size", "1000000")));
        refused(() -> secondary.setDatabaseOptions(Map.of("max_open_files", "100")));
        refused(() -> secondary.createColumnFamily("other", OPTIONS));
        refused(() -> secondary.createColumnFamilies(Map.of("other", OPTIONS)));
        refused(() -> secondary.dropColumnFamily(family));
        refused(() -> secondary.checkpoint(folder.resolve("checkpoint")));
        refused(() -> secondary.export(folder.resolve("export")));
        refused(() -> secondary.ingest(file));
        refused(() -> secondary.logSince(1));
        try (Backups backups = Backups.open(folder.resolve("backups"))) {
          refused(() -> backups.create(secondary));
        }
        RocksDbException snapshot = assertThrowsExactly(RocksDbException.class, secondary::snapshot);
        assertTrue(snapshot.getMessage().contains("a scan or a cursor sees one moment"), snapshot.getMessage());
        assertEquals(before, files());
        assertEquals("1", read(secondary, "a"));
      }
      assertEquals("1", read(db, "a"));
    }
    try (RocksDb db = primary()) {
      assertEquals(2, db.columnFamilies().size());
    }
  }

  private Set<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("db"))) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static void refused(org.junit.jupiter.api.function.Executable tried) {
    RocksDbException refused = assertThrowsExactly(RocksDbException.class, tried);
    assertEquals(Code.NOT_SUPPORTED, refused.code(), refused.getMessage());
    assertTrue(refused.getMessage().contains("in secondary mode"), refused.getMessage());
  }

  @Test
  void aPrimaryCannotCatchUp() {
    try (RocksDb db = primary()) {
      RocksDbException refused = assertThrowsExactly(RocksDbException.class, db::catchUp);
      assertEquals(Code.NOT_SUPPORTED, refused.code());
      assertTrue(refused.getMessage().contains("RocksDb.openSecondary opens one"), refused.getMessage());
      db.put(bytes("a"), bytes("1"));
    }
  }

  @Test
  void theFolderOfADatabaseIsNotItsOwn() {
    try (RocksDb db = primary();
        RocksDb other = RocksDb.open(folder.resolve("other"), OPTIONS)) {
      for (Path taken : List.of(db.path(), folder.resolve("x").resolve("..").resolve("db"), other.path())) {
        IllegalArgumentException refused =
            assertThrowsExactly(IllegalArgumentException.class, () -> RocksDb.openSecondary(db.path(), taken));
        assertTrue(refused.getMessage().startsWith("secondaryFolder: "), refused.getMessage());
      }
    }
    assertThrowsExactly(
        RocksDbException.class, () -> RocksDb.openSecondary(folder.resolve("none"), folder.resolve("secondary")));
  }

  @Test
  void familiesAreThoseThatAreNamedOrThere() {
    try (RocksDb db = primary()) {
      db.createColumnFamily("early", OPTIONS).put(bytes("a"), bytes("1"));
      try (RocksDb secondary = RocksDb.openSecondary(db.path(), folder.resolve("secondary"));
          RocksDb some =
              RocksDb.openSecondary(db.path(), folder.resolve("some"), OPTIONS, Map.of("default", OPTIONS))) {
        db.createColumnFamily("late", OPTIONS).put(bytes("a"), bytes("2"));
        db.dropColumnFamily(db.columnFamily("early"));
        db.put(bytes("b"), bytes("3"));
        secondary.catchUp();
        some.catchUp();
        assertEquals("1", read(secondary.columnFamily("early"), "a"));
        assertThrowsExactly(IllegalArgumentException.class, () -> secondary.columnFamily("late"));
        assertEquals("3", read(secondary, "b"));
        assertEquals("3", read(some, "b"));
        assertEquals(1, some.columnFamilies().size());
      }
    }
  }

  @Test
  void ordersMergesAndRowsPreparedByTheirCommit() {
    KeyComparator backward = (a, b) -> b.compareTo(a);
    Options own = OPTIONS.keyOrder("backward", backward);
    try (TransactionDb db = TransactionDb.open(folder.resolve("db"), own);
        RocksDb secondary = RocksDb.openSecondary(folder.resolve("db"), folder.resolve("secondary"), own)) {
      Transaction transaction = db.begin();
      transaction.put(bytes("a"), bytes("1"));
      transaction.put(bytes("b"), bytes("2"));
      transaction.prepare("p");
      secondary.catchUp();
      assertNull(read(secondary, "a"));
      transaction.commit();
      transaction.close();
      secondary.catchUp();
      assertEquals("1", read(secondary, "a"));
      db.flush();
      db.compact(KeyRange.all());
      secondary.catchUp();
      assertEquals(
          List.of("b", "a"), secondary.stream(KeyRange.all(), row -> new String(row.keyBytes())).toList());
    }
  }

  @Test
  void itOutlivesItsPrimaryAndSeesTheNextOne() {
    RocksDb first = primary();
    first.put(bytes("a"), bytes("1"));
    try (RocksDb secondary = secondary()) {
      first.close();
      secondary.catchUp();
      assertEquals("1", read(secondary, "a"));
      try (RocksDb second = primary()) {
        second.put(bytes("a"), bytes("2"));
        second.flush();
        second.compact(KeyRange.all());
        second.put(bytes("b"), bytes("3"));
        secondary.catchUp();
        assertEquals("2", read(secondary, "a"));
        assertEquals("3", read(secondary, "b"));
      }
    }
  }
}
