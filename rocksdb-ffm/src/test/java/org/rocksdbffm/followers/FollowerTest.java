/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.followers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.Follower;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.Opening;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.Scan;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests that a follower sees all writes at one point in time, and changes nothing. */
@ExtendWith(LiveObjectsCheck.class)
final class FollowerTest {
  private static final FamilyOptions OPTIONS =
      FamilyOptions.defaults().mergeOperator(MergeOperator.stringAppend(','));

  @TempDir Path folder;

  private static byte[] bytes(String text) {
    return text.getBytes();
  }

  private static byte[] key(int number) {
    return bytes("%04d".formatted(number));
  }

  private static String read(KeyReader reader, String key) {
    byte[] value = reader.get(bytes(key));
    return value == null ? null : new String(value);
  }

  private static String read(Follower follower, String key) {
    return follower.read(db -> read(db, key));
  }

  private static List<String> keys(KeyReader reader) {
    return reader.stream(KeyRange.all(), row -> new String(row.keyBytes())).toList();
  }

  private Path path() {
    return folder.resolve("db");
  }

  private RocksDb writer() {
    return RocksDb.at(path()).defaults(OPTIONS).open();
  }

  private Follower follower() {
    return RocksDb.at(path()).defaults(OPTIONS).openFollower();
  }

  private static void assertSameRows(KeyReader a, KeyReader b) {
    try (Scan one = a.scan(KeyRange.all());
        Scan other = b.scan(KeyRange.all())) {
      while (one.next()) {
        assertTrue(other.next());
        assertArrayEquals(one.keyBytes(), other.keyBytes());
        assertArrayEquals(one.valueBytes(), other.valueBytes());
        assertArrayEquals(one.valueBytes(), b.get(one.keyBytes()));
      }
      assertFalse(other.next());
    }
  }

  @Test
  void itSeesWhatWasWrittenWhenItCatchesUpAndNotBefore() {
    try (RocksDb db = writer();
        Follower follower = follower()) {
      assertNull(read(follower, "a"));
      assertFalse(follower.catchUp());
      db.put(bytes("a"), bytes("1"));
      db.merge(bytes("m"), bytes("x"));
      assertNull(read(follower, "a"));
      assertTrue(follower.catchUp());
      assertEquals("1", read(follower, "a"));
      assertFalse(follower.catchUp());
      db.flush();
      assertTrue(follower.catchUp());
      follower.read(reading -> {
        assertEquals("x", read(reading, "m"));
        assertEquals(db.files().latestSequenceNumber(), reading.files().latestSequenceNumber());
        assertEquals(db.files().identity(), reading.files().identity());
        assertEquals(db.files().live().size(), reading.files().live().size());
        return null;
      });
    }
  }

  @Test
  void aReadingStaysAtItsMomentWhileOthersCatchUp() {
    PinnedValue pinned;
    try (RocksDb db = writer();
        Follower follower = follower()) {
      db.put(bytes("a"), bytes("1"));
      follower.catchUp();
      pinned = follower.read(reading -> {
        try (Scan scan = reading.scan(KeyRange.all());
            Snapshot snapshot = reading.snapshot()) {
          db.put(bytes("a"), bytes("2"));
          db.put(bytes("b"), bytes("2"));
          db.flush();
          db.compact(KeyRange.all());
          assertTrue(follower.catchUp());
          assertEquals("2", read(follower, "a"));
          assertEquals("1", read(reading, "a"));
          assertEquals("1", read(snapshot, "a"));
          assertTrue(scan.next());
          assertEquals("1", new String(scan.valueBytes()));
          assertFalse(scan.next());
        }
        return reading.getPinned(bytes("a"));
      });
      assertEquals("1", new String(pinned.segment().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)));
    }
    pinned.close();
  }

  @Test
  void mergesAreMergedOnce() {
    FamilyOptions counting = FamilyOptions.defaults().mergeOperator(MergeOperator.uint64Add());
    byte[] hundred = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(100).array();
    try (RocksDb db = RocksDb.at(path()).defaults(counting).open();
        Follower follower = Follower.open(path())) {
      db.merge(bytes("counter"), hundred);
      follower.catchUp();
      db.flush();
      follower.catchUp();
      assertArrayEquals(hundred, follower.read(reading -> reading.get(bytes("counter"))));
    }
  }

  @Test
  void getsAndScansAgreeWhenTwoFamiliesWereFlushed() {
    try (RocksDb db = writer()) {
      ColumnFamily other = db.createFamily("other", OPTIONS);
      try (Follower follower = follower()) {
        db.put(bytes("k"), bytes("old"));
        db.put(bytes("gone"), bytes("there"));
        follower.catchUp();
        db.put(bytes("k"), bytes("new"));
        db.delete(bytes("gone"));
        db.flush();
        other.put(bytes("o"), bytes("1"));
        other.flush();
        db.put(bytes("y"), bytes("2"));
        follower.catchUp();
        follower.read(reading -> {
          assertSameRows(db, reading);
          assertNull(read(reading, "gone"));
          assertSameRows(other, reading.family("other"));
          return null;
        });
      }
    }
  }

  @Test
  void valuesInFilesThatWereCollectedAreReadAtALaterMoment() {
    FamilyOptions blobs = OPTIONS.enableBlobFiles(true);
    try (RocksDb db = RocksDb.at(path()).defaults(blobs).open()) {
      db.put(bytes("a"), bytes("value"));
      db.flush();
      db.put(bytes("b"), bytes("value"));
      db.flush();
      try (Follower follower = follower()) {
        db.put(bytes("b"), bytes("newer"));
        db.put(bytes("c"), bytes("value"));
        db.flush();
        db.compact(KeyRange.all());
        db.put(bytes("d"), bytes("log"));
        assertEquals("newer", read(follower, "b"));
        assertEquals(keys(db), follower.read(FollowerTest::keys));
        try (Follower late = follower()) {
          late.read(reading -> {
            assertSameRows(db, reading);
            assertEquals(db.files().live().size(), reading.files().live().size());
            return null;
          });
        }
      }
    }
  }

  @Test
  void aTransactionThatWasPreparedBeforeAFlushIsSeenOnceItIsCommitted() {
    try (TransactionDb db = TransactionDb.open(path());
        Follower follower = Follower.open(path())) {
      try (Transaction transaction = db.begin()) {
        transaction.put(bytes("paid"), bytes("1"));
        transaction.prepare("payment");
        db.put(bytes("x"), bytes("y"));
        db.flush();
        follower.catchUp();
        assertNull(read(follower, "paid"));
        transaction.commit();
      }
      db.put(bytes("later"), bytes("1"));
      follower.catchUp();
      assertEquals("1", read(follower, "paid"));
      assertEquals("1", read(follower, "later"));
      try (RocksDb reading = RocksDb.at(path()).openReadOnly()) {
        assertEquals("1", read(reading, "paid"));
      }
    }
  }

  @Test
  void logsThatAreUsedAgainAreReadToTheirEnd() {
    try (RocksDb db = RocksDb.at(path()).options(DatabaseOptions.defaults().option("recycle_log_file_num", 2))
        .defaults(OPTIONS).open();
        Follower follower = follower()) {
      ColumnFamily other = db.createFamily("other", OPTIONS);
      assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
        for (int i = 0; i < 60; i++) {
          for (int j = 0; j <= i % 5; j++) {
            db.put(key(i), new byte[i % 3 == 0 ? 40_000 : 10]);
            other.put(key(j), key(i));
          }
          if (i % 2 == 0) {
            (i % 4 == 0 ? other : db).flush();
            ingest(db, i, 0); // uses a sequence number that is not in the WAL
          }
          follower.catchUp();
          follower.read(reading -> {
            assertSameRows(db, reading);
            assertSameRows(other, reading.family("other"));
            return null;
          });
        }
      });
    }
  }

  @Test
  void afterRandomWritesFlushesCompactionsAndIngestionsBothAreEqual() {
    Random random = new Random(23);
    try (RocksDb db = writer()) {
      ColumnFamily family = db.createFamily("family", OPTIONS);
      try (Follower follower = follower()) {
        for (int round = 0; round < 60; round++) {
          for (KeySpace keys : List.of(db, family)) {
            write(random, keys, round);
          }
          switch (random.nextInt(6)) {
            case 0 -> db.flush();
            case 1 -> db.flushAll();
            case 2 -> family.compact(KeyRange.all());
            case 3 -> ingest(family, round, random.nextInt(300));
            default -> {}
          }
          follower.catchUp();
          follower.read(reading -> {
            assertSameRows(db, reading);
            assertSameRows(family, reading.family("family"));
            return null;
          });
        }
      }
    }
  }

  private void ingest(KeySpace keys, int number, int key) {
    Path file = folder.resolve(number + ".sst");
    try (TableWriter table = TableWriter.create(file, OPTIONS)) {
      table.put(key(key), bytes("ingested"));
      table.finish();
    }
    keys.files().ingest(List.of(file), FamilyFiles.IngestOptions.defaults().move(true));
  }

  private static void write(Random random, KeySpace keys, int round) {
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

  @Test
  void readingsGoOnWhileItCatchesUp() throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicBoolean done = new AtomicBoolean();
    try (RocksDb db = writer()) {
      write(db, 0);
      try (Follower follower = follower()) {
        List<Thread> readers =
            Stream.generate(() -> Thread.ofPlatform().start(() -> readUntil(done, follower, failure))).limit(3)
                .toList();
        for (int round = 1; round < 60; round++) {
          write(db, round);
          if (round % 7 == 0) {
            db.flush();
          }
          if (round % 20 == 0) {
            db.compact(KeyRange.all());
          }
          follower.catchUp();
        }
        done.set(true);
        for (Thread reader : readers) {
          reader.join();
        }
        assertNull(failure.get(), () -> failure.get().toString());
        assertEquals("59", read(follower, "0000"));
      }
    }
  }

  /** Writes all keys in one batch, so that a scan must see the same value for all keys. */
  private static void write(RocksDb db, int round) {
    WriteBatch batch = new WriteBatch();
    for (int i = 0; i < 200; i++) {
      batch.put(key(i), bytes(Integer.toString(round)));
    }
    db.write(batch);
  }

  private static void readUntil(AtomicBoolean done, Follower follower, AtomicReference<Throwable> failure) {
    try {
      while (!done.get()) {
        Set<String> values =
            follower.read(db ->
                db.stream(KeyRange.all(), row -> new String(row.valueBytes())).collect(Collectors.toSet()));
        assertEquals(1, values.size(), values.toString());
      }
    } catch (Throwable e) {
      failure.set(e);
    }
  }

  @Test
  void itWritesNoFileAndRefusesWrites() throws IOException {
    try (RocksDb db = writer()) {
      db.put(bytes("a"), bytes("1"));
      Set<String> before = files();
      try (Follower follower = follower()) {
        RocksDbException refused =
            assertThrowsExactly(
                RocksDbException.class,
                () -> follower.read(reading -> {
                  reading.put(bytes("a"), bytes("2"));
                  return null;
                }));
        assertEquals(Code.NOT_SUPPORTED, refused.code(), refused.getMessage());
        follower.catchUp();
      }
      assertEquals(before, files());
    }
  }

  private Set<String> files() throws IOException {
    try (Stream<Path> files = Files.list(path())) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void familiesAreThoseOfTheMomentOrThoseThatAreNamed() {
    try (RocksDb db = writer()) {
      db.createFamily("early", OPTIONS).put(bytes("a"), bytes("1"));
      try (Follower follower = follower();
          Follower some = RocksDb.at(path()).defaults(OPTIONS).family("early", OPTIONS).onlyNamed().openFollower()) {
        db.createFamily("late", OPTIONS).put(bytes("a"), bytes("2"));
        db.put(bytes("b"), bytes("3"));
        follower.catchUp();
        some.catchUp();
        assertEquals("2", follower.read(reading -> read(reading.family("late"), "a")));
        assertEquals(2, (int) some.read(reading -> reading.families().size()));
        db.dropFamily(db.family("early"));
        follower.catchUp();
        assertEquals(2, (int) follower.read(reading -> reading.families().size()));
        RocksDbException freed = assertThrowsExactly(RocksDbException.class, some::catchUp);
        assertEquals(Code.INVALID_ARGUMENT, freed.code(), freed.getMessage());
        assertEquals("1", some.read(reading -> read(reading.family("early"), "a")));
        assertEquals("3", read(some, "b"));
      }
    }
  }

  @Test
  void itOutlivesItsWriterAndSeesTheNextOne() {
    RocksDb first = writer();
    first.put(bytes("a"), bytes("1"));
    try (Follower follower = follower()) {
      first.close();
      follower.catchUp();
      assertEquals("1", read(follower, "a"));
      try (RocksDb second = writer()) {
        second.put(bytes("a"), bytes("2"));
        second.flush();
        second.compact(KeyRange.all());
        second.put(bytes("b"), bytes("3"));
        follower.catchUp();
        assertEquals("2", read(follower, "a"));
        assertEquals("3", read(follower, "b"));
      }
    }
  }

  @Test
  void anOrderInJavaAndFoldersOfTablesAndLogsAreFollowed() {
    FamilyOptions own = OPTIONS.keyOrder("backward", (a, b) -> b.compareTo(a))
        .paths(List.of(
            new FamilyOptions.StoragePath(folder.resolve("fast"), ByteSize.kib(10)),
            new FamilyOptions.StoragePath(folder.resolve("slow"), ByteSize.gib(1))));
    Opening opening =
        RocksDb.at(path()).options(DatabaseOptions.defaults().option("wal_dir", folder.resolve("logs"))).defaults(own);
    try (RocksDb db = opening.open();
        Follower follower = opening.openFollower()) {
      for (int i = 0; i < 100; i++) {
        db.put(key(i), new byte[1000]);
      }
      db.compact(KeyRange.all());
      db.put(key(100), key(100));
      follower.catchUp();
      follower.read(reading -> {
        assertSameRows(db, reading);
        return null;
      });
      assertEquals("0100", follower.read(FollowerTest::keys).getFirst());
    }
  }

  @Test
  void aReadingInProgressEndsBehindTheClose() throws InterruptedException {
    try (RocksDb db = writer()) {
      db.put(bytes("a"), bytes("1"));
      Follower follower = follower();
      CountDownLatch started = new CountDownLatch(1);
      CountDownLatch closed = new CountDownLatch(1);
      AtomicReference<Object> seen = new AtomicReference<>();
      Thread reader = Thread.ofPlatform().start(() -> seen.set(follower.read(reading -> {
        started.countDown();
        try {
          closed.await();
        } catch (InterruptedException e) {
          return e;
        }
        return read(reading, "a");
      })));
      started.await();
      follower.close();
      follower.close();
      assertThrowsExactly(IllegalStateException.class, () -> read(follower, "a"));
      IllegalStateException refused = assertThrowsExactly(IllegalStateException.class, follower::catchUp);
      assertEquals("follower of database " + path() + " is closed", refused.getMessage());
      closed.countDown();
      reader.join();
      assertEquals("1", seen.get());
    }
  }

  @Test
  void onlyTheFollowerClosesTheDatabaseThatItLends() {
    try (RocksDb db = writer();
        Follower follower = follower()) {
      db.put(bytes("a"), bytes("1"));
      follower.catchUp();
      for (int i = 0; i < 2; i++) {
        IllegalStateException refused =
            assertThrowsExactly(IllegalStateException.class, () -> follower.read(reading -> {
          try (reading) {
            assertEquals("1", read(reading, "a"));
          }
          return null;
        }));
        assertEquals(
            "database " + path()
            + " is borrowed from a follower: close the follower (Follower.close)", refused.getMessage());
        assertEquals("1", read(follower, "a"));
      }
      db.put(bytes("a"), bytes("2"));
      follower.catchUp();
      assertEquals("2", read(follower, "a"));
    }
  }

  @Test
  void aFolderWithoutADatabaseIsRefused() {
    RocksDbException none = assertThrowsExactly(RocksDbException.class, () -> Follower.open(folder.resolve("none")));
    assertTrue(none.getMessage().contains(folder.resolve("none").toString()), none.getMessage());
  }
}
