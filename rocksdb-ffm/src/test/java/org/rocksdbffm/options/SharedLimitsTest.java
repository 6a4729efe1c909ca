/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.options;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.Compression;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RateLimiter;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.SubCode;
import org.rocksdbffm.SstFileManager;
import org.rocksdbffm.tools.LiveObjectsCheck;

/**
 * Limits that databases share apply to all of them together, outlast their owner's close, and never block a write
 * forever.
 */
@ExtendWith(LiveObjectsCheck.class)
class SharedLimitsTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final FamilyOptions UNCOMPRESSED = FamilyOptions.defaults().compression(Compression.NONE);
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Random RANDOM = new Random(1);

  @TempDir Path folder;

  private RocksDb open(String name, DatabaseOptions options) {
    return open(name, options, FamilyOptions.defaults());
  }

  private RocksDb open(String name, DatabaseOptions options, FamilyOptions families) {
    return RocksDb.at(folder.resolve(name)).options(options).defaults(families).open();
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    RANDOM.nextBytes(bytes);
    return bytes;
  }

  private static byte[] key(int number) {
    return ("key" + number).getBytes(UTF_8);
  }

  private static void fill(RocksDb db, ByteSize size) {
    for (int i = 0; i * 10_000L < size.bytes(); i++) {
      db.put(key(i), random(10_000));
    }
  }

  private static String refusal(Class<?
      extends RuntimeException> type, org.junit.jupiter.api.function.Executable code) {
    return assertThrowsExactly(type, code).getMessage();
  }

  @Test
  void aRateLimiterHoldsAFlushUpAndCounts() {
    try (RateLimiter limiter = RateLimiter.of(ByteSize.mib(1));
        RocksDb db = open("db", DatabaseOptions.defaults().rateLimiter(limiter), UNCOMPRESSED)) {
      fill(db, ByteSize.mib(2));
      long began = System.nanoTime();
      db.flush();
      assertTrue(System.nanoTime() - began > 900_000_000L, "2 MiB at 1 MiB a second");
      assertTrue(limiter.bytesThrough().bytes() > 2_000_000, limiter.bytesThrough().toString());
      assertTrue(limiter.requests() > 0);
      assertEquals(ByteSize.mib(1), limiter.rate());
      limiter.rate(ByteSize.gib(1));
      assertEquals(ByteSize.gib(1), limiter.rate());
      fill(db, ByteSize.mib(32));
      began = System.nanoTime();
      db.flush();
      assertTrue(System.nanoTime() - began < 30_000_000_000L, "the new rate counts at once");
    }
  }

  @Test
  void aRateThatIsRaisedLetsAFlushInProgressGo() {
    assertTimeoutPreemptively(LONG, () -> {
      try (RateLimiter limiter =
          RateLimiter.of(RateLimiter.Options.of(ByteSize.kib(64)).refillPeriod(Duration.ofMillis(10)));
          RocksDb db = open("db", DatabaseOptions.defaults().rateLimiter(limiter), UNCOMPRESSED)) {
        fill(db, ByteSize.mib(16)); // four minutes
        Thread flush = Thread.ofPlatform().start(db::flush);
        while (limiter.requests() == 0) {
          Thread.onSpinWait();
        }
        limiter.rate(ByteSize.gib(1024));
        flush.join();
      }
    });
  }

  @Test
  void ratesThatLetNothingThroughAreRefused() {
    for (long rate : new long[] {0, 1, (64 << 10) - 1, (1L << 40) + 1, Long.MAX_VALUE}) {
      ByteSize size = ByteSize.bytes(rate);
      String message = refusal(IllegalArgumentException.class, () -> RateLimiter.of(size));
      assertEquals("rate: " + size
          + " a second, but it must be from 64 KiB to 1024 GiB; a slower one holds up flushes, and"
          + " writes behind them, for very long", message);
    }
    RateLimiter.Options slow = RateLimiter.Options.of(ByteSize.mib(1));
    assertTrue(refusal(IllegalArgumentException.class, () -> slow.autoTuned(true)).startsWith("rate: 1 MiB a second"));
    assertEquals(
        "refillPeriod: PT0S, but it must be from PT0.01S to PT1S",
        refusal(IllegalArgumentException.class, () -> slow.refillPeriod(Duration.ZERO)));
    assertThrowsExactly(IllegalArgumentException.class, () -> slow.refillPeriod(Duration.ofSeconds(Long.MAX_VALUE)));
    assertThrowsExactly(IllegalArgumentException.class, () -> slow.refillPeriod(Duration.ofSeconds(-1)));
    assertEquals(
        "fairness: 0, but it must be from 1 to 100", refusal(IllegalArgumentException.class, () -> slow.fairness(0)));
    assertThrowsExactly(IllegalArgumentException.class, () -> slow.fairness(101));
    try (RateLimiter limiter = RateLimiter.of(ByteSize.mib(1))) {
      assertTrue(refusal(IllegalArgumentException.class, () -> limiter.rate(ByteSize.bytes(0)))
          .startsWith("aSecond: 0"));
      assertEquals(ByteSize.mib(1), limiter.rate());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyKindOfRateLimiterFlushesAndCompacts(boolean tuned) {
    for (RateLimiter.Options.Limits limits : RateLimiter.Options.Limits.values()) {
      RateLimiter.Options options =
          RateLimiter.Options.of(ByteSize.mib(20)).limits(limits).autoTuned(tuned).fairness(1)
              .refillPeriod(Duration.ofSeconds(1));
      try (RateLimiter limiter = RateLimiter.of(options);
          RocksDb db = open(limits + "-" + tuned, DatabaseOptions.defaults().rateLimiter(limiter))) {
        fill(db, ByteSize.mib(1));
        db.flush();
        fill(db, ByteSize.mib(1));
        db.flush();
        db.compact(KeyRange.all());
        assertTrue(limiter.bytesThrough().bytes() > 1_000_000, limits + ": " + limiter.bytesThrough());
        if (tuned) {
          assertEquals(
              "the rate limiter tunes itself: make one that does not, to set its rate",
              refusal(IllegalStateException.class, () -> limiter.rate(ByteSize.mib(1))));
        }
      }
    }
  }

  @Test
  void aSpaceLimitEndsWritesUntilItIsRaised() {
    assertTimeoutPreemptively(LONG, () -> {
      try (SstFileManager manager = SstFileManager.create();
          RocksDb db = open("db", DatabaseOptions.defaults().sstFileManager(manager), UNCOMPRESSED)) {
        assertFalse(manager.isSpaceLimitReached());
        manager.spaceLimit(ByteSize.mib(1));
        fill(db, ByteSize.mib(2));
        try {
          db.flush();
        } catch (RocksDbException e) {
          assertEquals(SubCode.SPACE_LIMIT, e.subCode());
        }
        assertTrue(manager.isSpaceLimitReached());
        assertTrue(manager.totalSize().bytes() > 2_000_000, manager.totalSize().toString());
        RocksDbException full = assertThrowsExactly(RocksDbException.class, () -> db.put(KEY, KEY));
        assertEquals(SubCode.SPACE_LIMIT, full.subCode(), full.getMessage());
        assertNotEquals(null, db.get(key(1)));
        manager.spaceLimit(ByteSize.bytes(0));
        assertFalse(manager.isSpaceLimitReached());
        awaitWrites(db);
      }
    });
  }

  @Test
  void atASpaceLimitRoomIsMadeByDeletingFiles() {
    FamilyOptions small =
        FamilyOptions.defaults().compression(Compression.NONE).writeBufferSize(ByteSize.mib(1))
            .option("target_file_size_base", 100_000);
    assertTimeoutPreemptively(LONG, () -> {
      try (SstFileManager manager = SstFileManager.create();
          RocksDb db = open("db", DatabaseOptions.defaults().sstFileManager(manager), small)) {
        fill(db, ByteSize.mib(3));
        db.compact(KeyRange.all());
        manager.spaceLimit(ByteSize.mib(2));
        RocksDbException full =
            assertThrowsExactly(
                RocksDbException.class,
                () -> {
                  db.put(KEY, KEY);
                  db.flush();
                  db.put(KEY, KEY);
                });
        assertEquals(SubCode.SPACE_LIMIT, full.subCode(), full.getMessage());
        assertEquals(SubCode.SPACE_LIMIT, db.metrics().health().refusal().orElseThrow().subCode());
        db.files().deleteWithin(key(0), key(8));
        while (manager.isSpaceLimitReached()) {
          Thread.onSpinWait(); // files that a compaction reads are deleted after it
        }
        awaitWrites(db);
      }
    });
  }

  private static void awaitWrites(RocksDb db) throws InterruptedException {
    while (true) {
      try {
        db.put(KEY, KEY);
        return;
      } catch (RocksDbException e) {
        assertEquals(SubCode.SPACE_LIMIT, e.subCode());
        Thread.sleep(100);
      }
    }
  }

  @Test
  void filesAreDeletedSlowlyAndNotWaitedFor() {
    try (SstFileManager manager = SstFileManager.create()) {
      assertEquals(ByteSize.bytes(0), manager.deletionRate());
      manager.deletionRate(ByteSize.kib(64));
      manager.trashRatio(1000);
      assertEquals(ByteSize.kib(64), manager.deletionRate());
      assertEquals(1000, manager.trashRatio());
      DatabaseOptions options = DatabaseOptions.defaults().sstFileManager(manager);
      assertTimeoutPreemptively(LONG, () -> {
        try (RocksDb db = open("db", options, UNCOMPRESSED)) {
          for (int i = 0; i < 3; i++) {
            fill(db, ByteSize.mib(2));
            db.flush();
          }
          db.compact(KeyRange.all());
          assertTrue(manager.trashSize().bytes() > 1_000_000, manager.trashSize().toString());
          assertTrue(manager.totalSize().bytes() > 2_000_000, manager.totalSize().toString());
        }
      });
      try (RocksDb db = open("db", DatabaseOptions.defaults())) {
        assertEquals(10_000, db.get(key(1)).length);
      }
      manager.deletionRate(ByteSize.bytes(0));
    }
    assertEquals(java.util.List.of(), RocksDb.destroy(folder.resolve("db")));
  }

  /** The engine ends the process if two threads set the first rate concurrently. */
  @Test
  void manyThreadsSetTheFirstDeletionRateTogether() throws Exception {
    for (int round = 0; round < 50; round++) {
      try (SstFileManager manager = SstFileManager.create()) {
        CountDownLatch go = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
          for (int i = 0; i < 4; i++) {
            threads.submit(() -> {
              go.await();
              manager.deletionRate(ByteSize.mib(1));
              return null;
            });
          }
          go.countDown();
        }
        assertEquals(ByteSize.mib(1), manager.deletionRate());
      }
    }
  }

  @Test
  void figuresThatMakeNoSenseAreRefused() {
    try (SstFileManager files = SstFileManager.create()) {
      assertThrowsExactly(IllegalArgumentException.class, () -> files.deletionRate(ByteSize.bytes(1)));
      assertThrowsExactly(IllegalArgumentException.class, () -> files.trashRatio(Double.NaN));
      assertThrowsExactly(IllegalArgumentException.class, () -> files.trashRatio(-0.1));
      files.trashRatio(0);
    }
  }

  @Test
  void aLimitBesideAnOptionForTheSameIsRefused() {
    try (RateLimiter limiter = RateLimiter.of(ByteSize.mib(1))) {
      DatabaseOptions rates =
          DatabaseOptions.defaults().option("rate_limiter_bytes_per_sec", 1 << 20).rateLimiter(limiter);
      assertEquals(
          "option rate_limiter_bytes_per_sec: beside DatabaseOptions.rateLimiter it has no effect; leave one out",
          refusal(IllegalArgumentException.class, () -> open("db", rates)));
    }
  }

  @Test
  void aClosedLimitIsRefusedWhereADatabaseIsOpened() {
    RateLimiter limiter = RateLimiter.of(ByteSize.mib(1));
    SstFileManager files = SstFileManager.create();
    RocksDb db = open("db", DatabaseOptions.defaults().rateLimiter(limiter).sstFileManager(files));
    limiter.close();
    files.close();
    fill(db, ByteSize.mib(1));
    db.flush();
    db.close();
    assertEquals(
        "rate limiter is closed",
        refusal(IllegalStateException.class, () -> open("db", DatabaseOptions.defaults().rateLimiter(limiter))));
    assertEquals(
        "SST file manager is closed",
        refusal(IllegalStateException.class, () -> open("db", DatabaseOptions.defaults().sstFileManager(files))));
  }

  @Test
  void optionsWithAndWithoutALimitDiffer() {
    try (SstFileManager one = SstFileManager.create();
        SstFileManager other = SstFileManager.create()) {
      assertEquals(DatabaseOptions.defaults().sstFileManager(one), DatabaseOptions.defaults().sstFileManager(one));
      assertNotEquals(DatabaseOptions.defaults().sstFileManager(one), DatabaseOptions.defaults().sstFileManager(other));
      assertNotEquals(DatabaseOptions.defaults().sstFileManager(one), DatabaseOptions.defaults());
      assertTrue(DatabaseOptions.defaults().sstFileManager(one).toString().contains("sstFileManager="));
    }
  }
}
