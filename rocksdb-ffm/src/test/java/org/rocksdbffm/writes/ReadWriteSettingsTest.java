/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.writes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.Compression;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RateLimiter;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.Scan;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Read and write options reach the engine, and do not change rows. */
@ExtendWith(LiveObjectsCheck.class)
class ReadWriteSettingsTest {
  private static final FamilyOptions CREATE =
      FamilyOptions.defaults()
          .compression(Compression.NONE)
          .table(TableOptions.defaults().noBlockCache(true));
  private static final int ROWS = 100;

  @TempDir Path folder;

  private static byte[] key(int number) {
    return "key%03d".formatted(number).getBytes(UTF_8);
  }

  private static void fill(RocksDb db) {
    for (int i = 0; i < ROWS; i++) {
      db.put(key(i), new byte[10_000]);
    }
    db.flush();
  }

  @Test
  void readsPassTheLimiterWhereTheyAreToldTo() {
    try (RateLimiter limiter =
        RateLimiter.of(RateLimiter.Options.of(ByteSize.gib(1)).limits(RateLimiter.Options.Limits.READS));
        RocksDb db =
            RocksDb.at(folder).options(DatabaseOptions.defaults().rateLimiter(limiter)).defaults(CREATE).open()) {
      fill(db);
      long before = limiter.bytesThrough().bytes();
      db.get(key(1));
      assertEquals(before, limiter.bytesThrough().bytes());
      for (ReadOptions.Priority priority : ReadOptions.Priority.values()) {
        KeyReader limited = db.with(ReadOptions.defaults().rateLimited(priority));
        before = limiter.bytesThrough().bytes();
        assertEquals(10_000, limited.get(key(2)).length);
        try (PinnedValue pinned = limited.getPinned(key(3))) {
          assertEquals(10_000, pinned.size());
        }
        assertEquals(3, limited.multiGet(List.of(key(4), key(5), key(6))).size());
        try (Scan scan = limited.scan(KeyRange.all())) {
          for (int i = 0; i < ROWS; i++) {
            assertTrue(scan.next());
            assertArrayEquals(key(i), scan.keyBytes());
          }
        }
        assertTrue(limiter.bytesThrough().bytes() > before + ROWS * 10_000, priority + ": " + limiter.bytesThrough());
      }
    }
  }

  @Test
  void writesPassTheLimiterWhereTheyAreToldTo() {
    WriteOptions limited = WriteOptions.defaults().rateLimited(true);
    try (RateLimiter limiter = RateLimiter.of(ByteSize.gib(1));
        RocksDb db =
            RocksDb.at(folder).options(DatabaseOptions.defaults().rateLimiter(limiter)).defaults(CREATE).open()) {
      db.put(key(1), new byte[100_000]);
      assertEquals(0, limiter.bytesThrough().bytes());
      db.with(limited).put(key(2), new byte[100_000]);
      assertTrue(limiter.bytesThrough().bytes() >= 100_000, limiter.bytesThrough()::toString);
      db.with(limited.rateLimited(false)).put(key(3), key(3));
      RocksDbException refused =
          assertThrowsExactly(RocksDbException.class, () -> db.with(limited.disableWal(true)).put(key(4), key(4)));
      assertEquals(Code.INVALID_ARGUMENT, refused.code());
      assertEquals(100_000, db.get(key(2)).length);
    }
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE).open()) {
      db.with(limited).put(key(5), key(5)); // without a limiter, the write does not wait
      assertArrayEquals(key(5), db.get(key(5)));
    }
  }

  @Test
  void hintsPutEachKeyWhereItBelongs() throws InterruptedException {
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE).open()) {
      List<Thread> threads =
          List.of(0, 1, 2, 3).stream().map(number -> Thread.ofPlatform().start(() -> writeBatches(db, number)))
              .toList();
      for (Thread thread : threads) {
        thread.join();
      }
      try (Scan scan = db.scan(KeyRange.all())) {
        for (int i = 0; i < 4 * ROWS; i++) {
          assertTrue(scan.next());
          assertArrayEquals(key(i), scan.keyBytes());
        }
        assertTrue(!scan.next());
      }
    }
  }

  private static void writeBatches(RocksDb db, int number) {
    for (int from = 0; from < ROWS; from += 10) {
      WriteBatch batch = new WriteBatch();
      for (int i = 0; i < 10; i++) {
        batch.put(key(4 * (from + i) + number), key(i));
      }
      db.with(WriteOptions.defaults().insertHints(true)).write(batch);
    }
  }

  @Test
  void scansWithAnEndFindTheirRowsHoweverTheyReadAhead() {
    try (RocksDb db = RocksDb.open(folder)) {
      fill(db);
      for (boolean auto : new boolean[] {true, false}) {
        KeySpace space = db.with(ReadOptions.defaults().autoReadahead(auto).fillCache(false));
        assertEquals(50, space.stream(KeyRange.between(key(20), key(70)), row -> row.keySize()).count());
        assertEquals(ROWS, space.stream(KeyRange.all(), row -> row.keySize()).count());
      }
    }
  }
}
