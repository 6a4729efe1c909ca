/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.settings.MemoryShare;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Databases with a common memory budget stay within it together, and no database makes another one wait. */
@ExtendWith(LiveObjectsCheck.class)
class MemoryBudgetTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int ROW = 10_000;
  private static final FamilyOptions UNCOMPRESSED = FamilyOptions.defaults().compression(Compression.NONE);

  @TempDir Path folder;

  private static DatabaseOptions within(MemoryBudget budget) {
    return DatabaseOptions.defaults().memoryBudget(budget);
  }

  private RocksDb open(String name, DatabaseOptions options) {
    return RocksDb.at(folder.resolve(name)).options(options).defaults(UNCOMPRESSED).open();
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  private static byte[] key(int number) {
    return "key%06d".formatted(number).getBytes(UTF_8);
  }

  private static void fill(KeyWriter keys, ByteSize size) {
    byte[] value = random(ROW);
    for (int i = 0; (long) i * ROW < size.bytes(); i++) {
      keys.put(key(i), value);
    }
  }

  /**
   * Pins values until the memory is certainly above the limit: most small pins are not compared with the budget, and
   * the engine may free a memtable during the loop.
   */
  private static void pinBeyondTheLimit(RocksDb db, List<PinnedValue> pinned) {
    for (int i = 0; i < 64; i++) {
      try {
        pinned.add(db.getPinned(key(1000 + i)));
      } catch (PinLimitException compared) {
        continue;
      }
    }
  }

  private static void await(BooleanSupplier condition) {
    assertTimeoutPreemptively(LONG, () -> {
      while (!condition.getAsBoolean()) {
        Thread.onSpinWait();
      }
    });
  }

  /** Waits until the usage is within the budget, because the engine's threads may briefly use more. */
  private static void requireKept(MemoryBudget budget) {
    await(() -> budget.usage().compareTo(budget.capacity()) <= 0);
  }

  private static String refusal(Class<?
      extends RuntimeException> type, org.junit.jupiter.api.function.Executable code) {
    return assertThrowsExactly(type, code).getMessage();
  }

  @Test
  void writesReadsAndIteratorsOfSeveralDatabasesStayWithinIt() throws Exception {
    try (MemoryBudget budget = MemoryBudget.of(ByteSize.mib(16))) {
      List<RocksDb> databases = new ArrayList<>();
      List<FutureTask<Void>> loads = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        RocksDb db = open("db" + i, within(budget));
        databases.add(db);
        loads.add(new FutureTask<>(() -> load(db, budget), null));
      }
      assertEquals(4, budget.databases());
      loads.forEach(load -> Thread.ofPlatform().daemon().start(load));
      for (FutureTask<Void> load : loads) {
        assertTimeoutPreemptively(LONG, () -> load.get());
      }
      assertTrue(budget.usage().bytes() > 4 << 20, "it is made use of: " + budget.usage());
      databases.forEach(RocksDb::close);
      assertEquals(0, budget.databases());
      assertEquals(ByteSize.bytes(0), budget.memtables());
      assertEquals(ByteSize.bytes(0), budget.pinnedUsage());
    }
  }

  /** Writes and reads more than the database's share, in an existing and in a new family. */
  private static void load(RocksDb db, MemoryBudget budget) {
    ColumnFamily later = db.createFamily("later", UNCOMPRESSED);
    fill(db, ByteSize.mib(6));
    requireKept(budget);
    fill(later, ByteSize.mib(6));
    requireKept(budget);
    db.flush();
    for (KeyReader keys : List.of(db, later)) {
      try (Cursor cursor = keys.cursor()) {
        for (boolean row = cursor.first(); row; row = cursor.next()) {
          assertEquals(ROW, cursor.valueSize());
        }
        fill(db, ByteSize.mib(1));
      }
      requireKept(budget);
    }
  }

  @Test
  void memtablesHaveHalfOfItInSharesThatChangeAsDatabasesOpenAndClose() {
    try (MemoryBudget budget = MemoryBudget.of(ByteSize.mib(24));
        RocksDb first = open("first", within(budget))) {
      assertEquals(12 << 20, share(first));
      try (RocksDb second = open("second", DatabaseOptions.defaults().memoryBudget(budget, 3))) {
        assertEquals(3 << 20, share(first));
        assertEquals(9 << 20, share(second));
        fill(first, ByteSize.mib(40));
        assertTrue(budget.memtables().bytes() <= (12 << 20) + (1 << 20), budget.memtables().toString());
        budget.capacity(ByteSize.mib(16));
        assertEquals(2 << 20, share(first));
      }
      assertEquals(8 << 20, share(first), "the closed one gives its share back");
    }
  }

  @Test
  void aDatabaseUsesWhatOthersLeaveUntilTheyNeedIt() {
    try (MemoryBudget budget = MemoryBudget.of(ByteSize.mib(64));
        RocksDb busy = open("busy", within(budget));
        RocksDb other = open("other", DatabaseOptions.defaults().memoryBudget(budget, 7))) {
      budget.stallAtMost(Duration.ofHours(1));
      int share = 4 << 20;
      assertEquals(share, share(busy));
      await(() -> {
        fill(busy, ByteSize.mib(1));
        return budget.memtables().bytes() > 2 * share;
      });
      for (int i = 0; i < 20; i++) {
        fill(other.with(WriteOptions.defaults().noSlowdown(true)), ByteSize.mib(1)); // the share is 28 MiB
        fill(busy, ByteSize.mib(4));
        assertTrue(budget.memtables().bytes() <= (32 << 20) + (4 << 20), budget.memtables().toString());
      }
    }
  }

  /** Flushing a small memtable takes longer than filling it. */
  @Test
  void manyFamiliesThatAreWrittenInTurnStayWithinIt() {
    try (MemoryBudget budget = MemoryBudget.of(ByteSize.mib(16));
        RocksDb db = open("db", within(budget));
        RocksDb _ = open("other", within(budget))) {
      budget.stallAtMost(Duration.ofHours(1));
      List<ColumnFamily> families =
          IntStream.range(0, 60).mapToObj(i -> db.createFamily("family" + i, UNCOMPRESSED)).toList();
      byte[] value = random(ROW);
      for (int i = 0; i < 6_000; i++) {
        families.get(i % families.size()).put(key(i), value);
        assertTrue(i % 10 != 0 || budget.memtables().bytes() <= 9 << 20, budget.memtables().toString());
      }
    }
  }

  private static long share(RocksDb db) {
    MemoryShare share = db.database().shareMemory();
    try {
      return share.limit();
    } finally {
      share.release();
    }
  }

  @Test
  void aDatabaseThatUsesUpItsShareHasNoOtherWait() {
    assertTimeoutPreemptively(LONG, () -> {
      try (MemoryBudget budget = MemoryBudget.of(ByteSize.mib(8));
          RocksDb quiet = open("quiet", within(budget))) {
        budget.stallAtMost(Duration.ofHours(1));
        RocksDb noisy = open("noisy", within(budget));
        noisy.put(KEY, random(5 << 20));
        Cursor cursor = noisy.cursor(); // retains the memtable after its flush
        FutureTask<Void> write = new FutureTask<>(() -> noisy.put(KEY, KEY), null);
        Thread.ofPlatform().daemon().start(write);
        await(() -> noisy.metrics().health().stalled());
        for (int i = 0; i < 1000; i++) {
          quiet.with(WriteOptions.defaults().noSlowdown(true)).put(key(i), KEY);
        }
        assertTrue(quiet.metrics().health().isWritable());
        assertTrue(!write.isDone());
        cursor.close();
        write.get();
        noisy.close();
      }
    });
  }

  @Test
  void aStallEndsWhenAnIteratorOfTheWriterKeepsTheMemory() {
    assertTimeoutPreemptively(LONG, () -> {
      try (MemoryBudget budget = MemoryBudget.of(ByteSize.mib(8))) {
        assertEquals(Duration.ofSeconds(1), budget.longestStall());
        budget.stallAtMost(Duration.ofMillis(900));
        assertEquals(Duration.ofMillis(900), budget.longestStall());
        try (RocksDb db = open("db", within(budget))) {
          db.put(KEY, random(5 << 20));
          try (Cursor cursor = db.cursor()) {
            assertTrue(cursor.first());
            long began = System.nanoTime();
            db.put(KEY, random(100));
            db.put(KEY, random(100));
            assertTrue(System.nanoTime() - began > 100_000_000, "it did stall");
            assertTrue(budget.memtables().bytes() > 5 << 20, "the cursor keeps the memtable");
            requireKept(budget);
            budget.stallAtMost(Duration.ZERO);
            db.put(KEY, random(5 << 20));
            db.put(KEY, KEY);
          }
        }
      }
    });
  }

  @Test
  void aDatabaseWhoseWritesStallIsClosedAtOnce() {
    assertTimeoutPreemptively(LONG, () -> {
      try (MemoryBudget budget = MemoryBudget.of(ByteSize.mib(8))) {
        budget.stallAtMost(Duration.ofHours(1));
        RocksDb busy = open("busy", within(budget));
        busy.put(KEY, random(5 << 20));
        busy.cursor();
        FutureTask<Void> write = new FutureTask<>(() -> busy.put(KEY, KEY), null);
        Thread.ofPlatform().daemon().start(write);
        await(() -> busy.metrics().health().stalled() && LiveObjects.CALLS_IN_FLIGHT.count() > 0);
        busy.close();
        write.get();
      }
    });
  }

  @Test
  void pinsAndCursorsAreRefusedWhenWhatCannotBeDroppedFillsIt() {
    try (MemoryBudget budget = MemoryBudget.of(ByteSize.mib(8));
        RocksDb db = open("db", within(budget))) {
      int rows = (16 << 20) / ROW;
      fill(db, ByteSize.mib(16));
      db.flush();
      db.files().waitForCompact(LONG); // compactions use the cache, too
      await(() -> budget.memtables().bytes() < 512 << 10);
      List<PinnedValue> pinned = new ArrayList<>();
      PinLimitException refused =
          assertThrowsExactly(
              PinLimitException.class,
              () -> {
                for (int i = 0; i < rows; i++) {
                  pinned.add(db.getPinned(key(i)));
                }
              });
      assertTrue(
          refused.getMessage().matches(
              "database .*db: of the memory budget of 8388608 bytes \\d+ are in use by pinned values, cursors and "
              + "memtables: close"
                  + " some of them, or raise the budget"),
          refused.getMessage());
      pinBeyondTheLimit(db, pinned);
      assertThrowsExactly(PinLimitException.class, db::cursor);
      assertThrowsExactly(PinLimitException.class, () -> db.scan(KeyRange.all()));
      assertTrue(pinned.size() > 500, pinned.size() + " values");
      requireKept(budget);
      assertEquals(ROW, db.get(key(rows - 1)).length, "other reads do not fail for it");
      fill(db, ByteSize.mib(4));
      db.flush(); // flushes do not fail either
      pinned.forEach(PinnedValue::close);
      requireKept(budget);
      db.cursor().close();
      db.getPinned(key(0)).close();
    }
  }

  @Test
  void memtablesGiveWayToPins() {
    assertTimeoutPreemptively(LONG, () -> {
      try (MemoryBudget budget = MemoryBudget.of(ByteSize.mib(64));
          RocksDb db = open("db", within(budget))) {
        budget.stallAtMost(Duration.ofHours(1));
        fill(db, ByteSize.mib(32));
        db.flush();
        List<PinnedValue> pinned = new ArrayList<>();
        while (budget.pinnedUsage().bytes() < 20 << 20) { // more than a quarter of the budget
          pinned.add(db.getPinned(key(pinned.size())));
        }
        Cursor cursor = db.cursor(); // retains the memtables while it is open
        FutureTask<Void> write = new FutureTask<>(() -> fill(db, ByteSize.mib(64)), null);
        Thread.ofPlatform().daemon().start(write);
        await(() -> db.metrics().health().stalled());
        assertTrue(budget.memtables().bytes() > 16 << 20, budget.memtables() + " of memtables");
        for (int i = 0; i < 100; i++) {
          db.getPinned(key(i)).close();
        }
        cursor.close();
        pinned.forEach(PinnedValue::close);
        write.get();
      }
    });
  }

  @Test
  void twentyFamiliesFitIntoHalfOfTheLeastShare() {
    try (MemoryBudget budget = MemoryBudget.of(ByteSize.mib(8));
        RocksDb other = open("other", DatabaseOptions.defaults().memoryBudget(budget, 7));
        RocksDb db = open("db", within(budget))) {
      other.put(KEY, KEY);
      for (int i = 0; i < 20; i++) {
        ColumnFamily family = db.createFamily("family" + i, UNCOMPRESSED);
        for (int row = 0; row < 3; row++) {
          family.put(key(row), random(1000));
        }
      }
      assertTrue(budget.memtables().bytes() < share(db) / 2, budget.memtables().toString());
    }
  }

  @Test
  void aFamilyOfADatabaseThatIsClosedIsNotCreated() {
    try (MemoryBudget budget = MemoryBudget.of(ByteSize.mib(8))) {
      RocksDb db = open("closed", within(budget));
      db.close();
      assertTrue(refusal(IllegalStateException.class, () -> db.familyOrCreate("late", UNCOMPRESSED))
          .endsWith("is closed"));
    }
  }

  @Test
  void databasesOfEveryKindHaveAShare() {
    try (MemoryBudget budget = MemoryBudget.of(ByteSize.mib(16))) {
      Opening opening = RocksDb.at(folder.resolve("db")).options(within(budget)).family("other", UNCOMPRESSED);
      try (TransactionDb db = opening.openTransactional()) {
        fill(db.family("other"), ByteSize.mib(16));
        try (Transaction transaction = db.begin()) {
          transaction.put(KEY, random(ROW));
          transaction.commit();
        }
        assertTrue(budget.memtables().bytes() <= 9 << 20, budget.memtables().toString());
        requireKept(budget);
      }
      try (OptimisticTransactionDb db = opening.openOptimistic()) {
        fill(db, ByteSize.mib(16));
        assertTrue(budget.memtables().bytes() <= 9 << 20, budget.memtables().toString());
        requireKept(budget);
      }
      try (RocksDb db = opening.openReadOnly();
          Follower follower = opening.openFollower()) {
        assertEquals(2, budget.databases());
        assertEquals(ROW, db.get(KEY).length);
        try (Cursor cursor = db.cursor()) {
          for (boolean row = cursor.first(); row; row = cursor.next()) {
            requireKept(budget);
          }
        }
        assertEquals(ROW, follower.read(reader -> reader.get(KEY)).length);
        assertTrue(budget.memtables().bytes() > 0, "the log is in memory");
      }
      assertEquals(ByteSize.bytes(0), budget.memtables());
    }
  }

  @Test
  void aClosedBudgetServesItsDatabasesAndNoOther() {
    MemoryBudget budget = MemoryBudget.of(ByteSize.mib(8));
    RocksDb db = open("db", within(budget));
    budget.close();
    budget.close();
    fill(db.createFamily("later", UNCOMPRESSED), ByteSize.mib(8));
    assertEquals(ROW, db.family("later").get(key(1)).length);
    assertEquals("memory budget is closed", refusal(IllegalStateException.class, () -> open("other", within(budget))));
    db.close();
  }

  @Test
  void moreDatabasesThanItHasRoomForAreRefused() {
    try (MemoryBudget budget = MemoryBudget.of(ByteSize.mib(8))) {
      List<RocksDb> databases = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        databases.add(open("db" + i, within(budget)));
      }
      assertEquals(
          "memory budget of 8388608 bytes: the memtables of one of its databases would have 466033 bytes, and the "
          + "least is 524288:"
              + " raise the budget, or have fewer databases open",
          refusal(IllegalStateException.class, () -> open("db8", within(budget))));
      databases.forEach(db -> fill(db, ByteSize.mib(2)));
      requireKept(budget);
      databases.removeLast().close();
      open("db8", within(budget)).close();
      budget.capacity(ByteSize.mib(64));
      assertThrowsExactly(IllegalStateException.class,
          () -> open("db8", DatabaseOptions.defaults().memoryBudget(budget, 1000)));
      assertTrue(refusal(IllegalArgumentException.class, () -> budget.capacity(ByteSize.mib(4)))
          .startsWith("capacity: 4194304 bytes"));
      databases.forEach(RocksDb::close);
    }
  }

  @Test
  void whatItWouldNotCountIsRefusedBesideIt() {
    try (MemoryBudget budget = MemoryBudget.of(ByteSize.mib(8));
        BlockCache blocks = BlockCache.lru(ByteSize.mib(1));
        RowCache rows = RowCache.lru(ByteSize.mib(1))) {
      TableOptions table = TableOptions.defaults();
      for (FamilyOptions families :
          List.of(
              UNCOMPRESSED.table(table.blockCache(blocks)),
              UNCOMPRESSED.table(table.noBlockCache(true)),
              UNCOMPRESSED.table(table.cacheIndexAndFilterBlocks(false)),
              UNCOMPRESSED.table(table.option("block_cache", "1048576")),
              UNCOMPRESSED.blobCache(blocks))) {
        Opening opening = RocksDb.at(folder.resolve("db")).options(within(budget));
        String message = refusal(IllegalArgumentException.class, () -> opening.defaults(families).open());
        assertTrue(message.contains("leave one out") || message.contains("set one of them"), message);
        assertEquals(message, refusal(IllegalArgumentException.class, () -> opening.family("other", families).open()));
        try (RocksDb db = open("later", within(budget))) {
          assertEquals(message, refusal(IllegalArgumentException.class, () -> db.createFamily("other", families)));
        }
      }
      assertEquals(
          "rowCache: beside DatabaseOptions.memoryBudget it would take memory that is not counted; leave one out",
          refusal(IllegalArgumentException.class, () -> open("db", within(budget).rowCache(rows))));
      assertEquals(
          "option db_write_buffer_size: beside DatabaseOptions.memoryBudget it has no effect; leave one out",
          refusal(IllegalArgumentException.class, () -> open("db", within(budget).dbWriteBufferSize(ByteSize.mib(1)))));
      assertEquals(0, budget.databases());
    }
  }

  @Test
  void figuresThatMakeNoSenseAreRefused() {
    assertEquals(
        "limit: 0 bytes, but a memory budget has from 8388608 to 1099511627776",
        refusal(IllegalArgumentException.class, () -> MemoryBudget.of(ByteSize.bytes(0))));
    assertThrowsExactly(IllegalArgumentException.class, () -> MemoryBudget.of(ByteSize.bytes(Long.MAX_VALUE)));
    try (MemoryBudget budget = MemoryBudget.of(ByteSize.mib(8))) {
      assertEquals(
          "longest: PT-1S, but writes wait from PT0.01S to PT1H, or not at all",
          refusal(IllegalArgumentException.class, () -> budget.stallAtMost(Duration.ofSeconds(-1))));
      assertThrowsExactly(IllegalArgumentException.class, () -> budget.stallAtMost(Duration.ofDays(1)));
      DatabaseOptions none = DatabaseOptions.defaults();
      assertEquals("weight: 0, but it is from 1 to 1000",
          refusal(IllegalArgumentException.class, () -> none.memoryBudget(budget, 0)));
      assertThrowsExactly(IllegalArgumentException.class, () -> none.memoryBudget(budget, 1001));
      assertEquals(within(budget), none.memoryBudget(budget, 1));
      assertNotEquals(within(budget), none.memoryBudget(budget, 2));
      assertNotEquals(within(budget), none);
    }
  }
}
