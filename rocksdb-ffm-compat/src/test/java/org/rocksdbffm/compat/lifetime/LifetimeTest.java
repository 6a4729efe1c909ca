/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.RocksMemEnv;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.Statistics;
import org.rocksdb.TtlDB;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Closed objects cannot be used, in any order of closing; rocksdbjni crashes in most of these tests. */
@Timeout(300)
class LifetimeTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final byte[] VALUE = "value".getBytes(UTF_8);

  @TempDir Path folder;
  private Options options;
  private RocksDB db;

  @BeforeEach
  void open() throws RocksDBException {
    options = new Options().setCreateIfMissing(true);
    db = RocksDB.open(options, folder.toString());
    db.put(KEY, VALUE);
  }

  @AfterEach
  void close() {
    db.close();
    options.close();
  }

  private static void assertClosed(String what, Executable use) {
    assertEquals(what + " is closed", assertThrows(IllegalStateException.class, use).getMessage());
  }

  @Test
  void everyKindOfObjectSaysThatItIsClosed() throws RocksDBException {
    WriteBatch batch = new WriteBatch();
    WriteOptions write = new WriteOptions();
    ReadOptions read = new ReadOptions();
    Statistics statistics = new Statistics();
    Slice slice = new Slice("text");
    RocksIterator rows = db.newIterator();
    ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor("f".getBytes(UTF_8)));
    for (AutoCloseable object : List.of(batch, write, read, statistics, slice, rows, family)) {
      try {
        object.close();
        object.close();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
    // rocksdbjni's assertions are enabled in tests, and precede the guards.
    Map<String, Executable> uses = new TreeMap<>();
    uses.put("WriteBatch", () -> batch.put(KEY, VALUE));
    uses.put("WriteOptions", () -> db.put(write, KEY, VALUE));
    uses.put("ReadOptions", () -> db.get(read, KEY));
    uses.put("Statistics", () -> statistics.statsLevel());
    uses.put("Slice", () -> new ReadOptions().setIterateUpperBound(slice));
    uses.put("ColumnFamilyHandle", () -> db.get(family, KEY));
    uses.forEach(LifetimeTest::assertClosed);

  }

  @Test
  void aClosedDatabaseClosesWhatLivesInIt() throws RocksDBException {
    RocksIterator rows = db.newIterator();
    rows.seekToFirst();
    ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor("f".getBytes(UTF_8)));
    ColumnFamilyHandle defaultFamily = db.getDefaultColumnFamily();
    Snapshot snapshot = db.getSnapshot();
    db.close();
    db.close();
    assertClosed("RocksDB", () -> db.get(KEY));
    assertClosed("RocksDB", () -> db.put(KEY, VALUE));
    assertClosed("RocksDB", () -> db.newIterator());
    assertClosed("RocksDB", () -> db.releaseSnapshot(snapshot));
    assertClosed("RocksDB", snapshot::getSequenceNumber);
    rows.close();
    family.close();
    defaultFamily.close();
    try (DBOptions reopening = new DBOptions();
        RocksDB again = RocksDB.open(reopening, folder.toString(), List.of(
        new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY),
        new ColumnFamilyDescriptor("f".getBytes(UTF_8))), new ArrayList<>())) {
      assertClosed("ColumnFamilyHandle", () -> again.get(family, KEY));
      assertClosed("RocksDB", () -> again.get(defaultFamily, KEY));
      assertArrayEquals(VALUE, again.get(KEY));
    }
  }

  /** rocksdbjni leaks these options: facebook/rocksdb#15036. */
  @Test
  void theReadOptionsThatADatabaseMadeForItselfAreClosedWithIt() throws Exception {
    Field field = RocksDB.class.getDeclaredField("defaultReadOptions_");
    field.setAccessible(true);
    for (RocksDB opened : List.of(
        RocksDB.open(options, folder.resolve("one").toString()),
        TtlDB.open(options, folder.resolve("two").toString()))) {
      ReadOptions its = (ReadOptions) field.get(opened);
      try (RocksIterator rows = opened.newIterator()) {
        rows.seekToFirst();
      }
      assertTrue(its.isOwningHandle());
      opened.close();
      assertFalse(its.isOwningHandle());
      assertClosed(opened.getClass().getSimpleName(), opened::newIterator);
    }
    ReadOptions its = (ReadOptions) field.get(db);
    db.closeE();
    assertFalse(its.isOwningHandle());
  }

  @Test
  void aReleasedSnapshotIsReadAtNoMore() throws RocksDBException {
    Snapshot snapshot = db.getSnapshot();
    try (ReadOptions read = new ReadOptions().setSnapshot(snapshot)) {
      assertArrayEquals(VALUE, db.get(read, KEY));
      db.releaseSnapshot(snapshot);
      assertClosed("Snapshot", () -> db.get(read, KEY));
      assertClosed("Snapshot", () -> db.newIterator(read));
      assertClosed("Snapshot", () -> db.releaseSnapshot(snapshot));
      read.setSnapshot(null);
      assertArrayEquals(VALUE, db.get(read, KEY));
    }
  }

  @Test
  void theBoundOfAnIteratorLivesAsLongAsTheIterator() throws RocksDBException {
    db.put("zzz".getBytes(UTF_8), VALUE);
    Slice bound = new Slice("z");
    ReadOptions read = new ReadOptions().setIterateUpperBound(bound);
    try (RocksIterator rows = db.newIterator(read)) {
      bound.close();
      read.close();
      rows.seekToFirst();
      assertTrue(rows.isValid());
      rows.next();
      assertTrue(!rows.isValid());
    }
  }

  @Test
  void anEnvironmentLivesAsLongAsItsDatabase() throws RocksDBException {
    RocksMemEnv env = new RocksMemEnv(Env.getDefault());
    Options inMemory = new Options().setCreateIfMissing(true).setEnv(env);
    try (RocksDB other = RocksDB.open(inMemory, "/nowhere");
        FlushOptions flush = new FlushOptions()) {
      inMemory.close();
      env.close();
      other.put(KEY, VALUE);
      other.flush(flush);
      assertArrayEquals(VALUE, other.get(KEY));
    }
  }

  @Test
  void aCloseWaitsForThoseWhoUseTheDatabase() throws Exception {
    int threads = 4;
    for (int round = 0; round < 20; round++) {
      RocksDB shared = RocksDB.open(options, folder.resolve("shared").toString());
      shared.put(KEY, VALUE);
      CountDownLatch reading = new CountDownLatch(threads);
      AtomicReference<Throwable> failure = new AtomicReference<>();
      List<Thread> readers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        readers.add(Thread.ofPlatform().start(() -> readUntilClosed(shared, reading, failure)));
      }
      reading.await();
      shared.close();
      for (Thread reader : readers) {
        reader.join();
      }
      assertEquals(null, failure.get());
    }
  }

  private static void readUntilClosed(RocksDB db, CountDownLatch reading, AtomicReference<Throwable> failure) {
    boolean first = true;
    try {
      RocksIterator rows = db.newIterator();
      while (true) {
        assertArrayEquals(VALUE, db.get(KEY));
        rows.seek(KEY);
        rows.isValid();
        rows.next();
        if (first) {
          reading.countDown();
          first = false;
        }
      }
    } catch (IllegalStateException | AssertionError closed) {
      if (!(closed instanceof IllegalStateException) && closed.getMessage() != null) {
        failure.set(closed);
      }
    } catch (Throwable e) {
      failure.set(e);
    } finally {
      if (first) {
        reading.countDown();
      }
    }
  }

  @Test
  void twoThreadsInOneBatchTakeTurns() throws Exception {
    try (WriteBatch batch = new WriteBatch();
        WriteOptions write = new WriteOptions()) {
      List<Thread> writers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        byte first = (byte) i;
        writers.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      for (int j = 0; j < 5000; j++) {
                        try {
                          batch.put(new byte[] {first, (byte) j, (byte) (j >> 8)}, VALUE);
                        } catch (RocksDBException e) {
                          throw new AssertionError(e);
                        }
                      }
                    }));
      }
      for (Thread writer : writers) {
        writer.join();
      }
      assertEquals(20_000, batch.count());
      db.write(write, batch);
      assertArrayEquals(VALUE, db.get(new byte[] {3, 1, 0}));
    }
  }
}
