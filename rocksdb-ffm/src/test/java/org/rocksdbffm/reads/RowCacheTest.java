/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reads;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.CompactOptions;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.RowCache;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.reports.StatisticsLevel;
import org.rocksdbffm.reports.Ticker;
import org.rocksdbffm.tools.LiveObjectsCheck;
import org.rocksdbffm.tools.Sweeps;

/**
 * Reads with a row cache return the same rows as without; a database in which they would differ cannot have a row
 * cache.
 */
@ExtendWith(LiveObjectsCheck.class)
class RowCacheTest {
  private static final FamilyOptions CREATE =
      FamilyOptions.defaults().mergeOperator(MergeOperator.stringAppend(','));
  private static final int KEYS = 40;

  @TempDir Path folder;

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  /** A snapshot of a family, with its expected rows. */
  private record Taken(Snapshot snapshot, Map<String, String> rows) {}

  /** A pinned value with its expected bytes. */
  private record Kept(PinnedValue value, String text) {}

  /** Writes and reads a family randomly, and compares it with a map. */
  private static final class Client {
    private final RocksDb db;
    private final ColumnFamily family;
    private final Random random;
    private final Map<String, String> rows = new HashMap<>();
    private final Deque<Taken> allTaken = new ArrayDeque<>();
    private final Deque<Kept> pins = new ArrayDeque<>();

    Client(RocksDb db, ColumnFamily family, long seed) {
      this.db = db;
      this.family = family;
      this.random = new Random(seed);
    }

    private String anyKey() {
      return "key" + random.nextInt(KEYS);
    }

    void step() {
      String key = anyKey();
      String value = "value of " + random.nextInt() + "x".repeat(random.nextInt(10) == 0 ? 20_000 : random.nextInt(50));
      switch (random.nextInt(40)) {
        case 0, 1, 2 -> {
          family.put(bytes(key), bytes(value));
          rows.put(key, value);
        }
        case 3, 4 -> {
          family.merge(bytes(key), bytes(value));
          rows.merge(key, value, (a, b) -> a + "," + b);
        }
        case 5 -> {
          family.delete(bytes(key));
          rows.remove(key);
        }
        case 6 -> family.flush();
        case 7 -> {
          if (random.nextInt(4) == 0) {
            family.compact(KeyRange.all());
          }
        }
        case 8 -> allTaken.add(new Taken(db.snapshot(), Map.copyOf(rows)));
        case 9 -> {
          if (!allTaken.isEmpty()) {
            allTaken.remove().snapshot().close();
          }
        }
        case 10, 11 -> pin(key);
        case 12, 13 -> closeAll();
        default -> read(key);
      }
    }

    private void pin(String key) {
      PinnedValue pinned = family.getPinned(bytes(key));
      assertEquals(rows.get(key) == null, pinned == null);
      if (pinned != null) {
        pins.add(new Kept(pinned, rows.get(key)));
      }
    }

    private void closeAll() {
      if (!pins.isEmpty()) {
        Kept kept = pins.remove();
        assertEquals(kept.text(), text(kept.value().segment()));
        kept.value().close();
      }
    }

    private static String text(MemorySegment segment) {
      return new String(segment.toArray(ValueLayout.JAVA_BYTE), UTF_8);
    }

    private static String text(byte[] bytes) {
      return bytes == null ? null : new String(bytes, UTF_8);
    }

    private void read(String key) {
      Taken taken = allTaken.peekLast();
      boolean then = taken != null && random.nextInt(3) == 0;
      KeyReader reader = then ? taken.snapshot().of(family) : family;
      Map<String, String> expected = then ? taken.rows() : rows;
      switch (random.nextInt(4)) {
        case 0 -> assertEquals(expected.get(key), text(reader.get(bytes(key))));
        case 1 -> assertEquals(expected.get(key), reader.get(bytes(key), Client::text));
        case 2 -> {
          byte[] room = new byte[100_000];
          long size = reader.getInto(bytes(key), room);
          String expectedValue = expected.get(key);
          assertEquals(expectedValue == null ? KeyReader.ABSENT : expectedValue.length(), size);
          if (size >= 0 && size <= room.length) {
            assertEquals(expectedValue, new String(room, 0, (int) size, UTF_8));
          }
        }
        default -> {
          List<String> keys = new ArrayList<>();
          for (int i = 0; i < 12; i++) {
            keys.add(anyKey());
          }
          List<byte[]> values = reader.multiGet(keys.stream().map(RowCacheTest::bytes).toList());
          for (int i = 0; i < keys.size(); i++) {
            assertEquals(expected.get(keys.get(i)), text(values.get(i)), keys.get(i));
          }
        }
      }
    }

    void close() {
      while (!pins.isEmpty()) {
        closeAll();
      }
      allTaken.forEach(taken -> taken.snapshot().close());
      rows.forEach((key, value) -> assertEquals(value, text(family.get(bytes(key)))));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void readsAreThoseOfAMap(long seed) {
    boolean blobs = seed % 2 == 0;
    ByteSize size = seed % 3 == 0 ? ByteSize.kib(40) : ByteSize.mib(4);
    try (RowCache rows = RowCache.lru(size);
        BlockCache blobCache = BlockCache.lru(size)) {
      DatabaseOptions counted = with(rows).statistics(StatisticsLevel.TICKERS);
      FamilyOptions options = CREATE.enableBlobFiles(blobs).blobCache(blobCache);
      try (RocksDb one = RocksDb.at(folder.resolve("one")).options(counted).defaults(options).open();
          RocksDb other = RocksDb.at(folder.resolve("other")).options(counted).defaults(options).open()) {
        List<Client> clients = new ArrayList<>();
        for (RocksDb db : List.of(one, other)) {
          clients.add(new Client(db, db.family("default"), seed));
          clients.add(new Client(db, db.createFamily("family", options), seed + 100));
        }
        for (int i = 0; i < Sweeps.of(1000, 4000); i++) {
          clients.forEach(Client::step);
        }
        clients.forEach(Client::close);
        assertTrue(one.metrics().statistics().count(Ticker.ROW_CACHE_HIT) > 100, () -> "hits: "
            + one.metrics().statistics().count(Ticker.ROW_CACHE_HIT));
      }
      assertEquals(0, rows.pinnedUsage().bytes());
    }
  }

  @Test
  void aPinnedRowStaysWhenItLeavesTheCache() {
    try (RowCache rows = RowCache.lru(ByteSize.mib(1), 0)) {
      byte[] large = new byte[100_000];
      large[99_999] = 7;
      PinnedValue pinned;
      try (RocksDb db = RocksDb.at(folder).options(with(rows)).defaults(CREATE).open()) {
        db.put(bytes("key"), large);
        db.flush();
        db.get(bytes("key"));
        pinned = db.getPinned(bytes("key"));
        assertTrue(rows.pinnedUsage().bytes() >= large.length, rows.pinnedUsage()::toString);
        rows.capacity(ByteSize.bytes(0));
        db.delete(bytes("key"));
        db.flush();
        db.compact(KeyRange.all());
      }
      rows.close();
      assertEquals(7, pinned.segment().get(ValueLayout.JAVA_BYTE, 99_999));
      pinned.close();
    }
  }

  @Test
  void aRangeIsNotDeletedWhereRowsAreCached() {
    try (RowCache rows = RowCache.lru(ByteSize.mib(1));
        RocksDb db = RocksDb.at(folder).options(with(rows)).defaults(CREATE).open()) {
      db.put(bytes("key"), bytes("value"));
      RocksDbException refused =
          assertThrowsExactly(RocksDbException.class, () -> db.deleteRange(bytes("a"), bytes("z")));
      assertEquals(Code.NOT_SUPPORTED, refused.code());
      WriteBatch batch = new WriteBatch();
      batch.deleteRange(bytes("a"), bytes("z"));
      assertEquals(Code.NOT_SUPPORTED, assertThrowsExactly(RocksDbException.class, () -> db.write(batch)).code());
      assertArrayEquals(bytes("value"), db.get(bytes("key")));
      db.files().deleteWithin(bytes("a"), bytes("z"));
    }
  }

  private static DatabaseOptions with(RowCache rows) {
    return DatabaseOptions.defaults().rowCache(rows);
  }

  private void refused(String why, DatabaseOptions options) {
    RocksDbException refused =
        assertThrowsExactly(RocksDbException.class, () -> RocksDb.at(folder).options(options).defaults(CREATE).open());
    assertEquals(Code.NOT_SUPPORTED, refused.code());
    assertTrue(refused.getMessage().contains(why), refused.getMessage());
  }

  @Test
  void aDatabaseWithDeletedRangesIsRefusedARowCache() {
    try (RowCache rows = RowCache.lru(ByteSize.mib(1))) {
      DatabaseOptions cached = with(rows);
      try (RocksDb db = RocksDb.at(folder).defaults(CREATE).open()) {
        ColumnFamily family = db.createFamily("family", CREATE);
        family.put(bytes("key"), bytes("value"));
        family.flush();
        family.deleteRange(bytes("a"), bytes("z"));
      }
      refused("'family' of database " + folder + " may have deleted ranges in its files", cached);
      try (RocksDb db = RocksDb.at(folder).defaults(CREATE).open()) {
        db.family("family")
            .compact(KeyRange.all(), CompactOptions.defaults().bottommost(CompactOptions.Bottommost.FORCE));
      }
      RocksDb.at(folder).options(cached).defaults(CREATE).open().close();
      RocksDb.at(folder).options(cached).defaults(CREATE).openReadOnly().close();
    }
  }

  @Test
  void deletedRangesInTheLogAreRefusedToo() {
    try (RowCache rows = RowCache.lru(ByteSize.mib(1))) {
      DatabaseOptions late = DatabaseOptions.defaults().option("avoid_flush_during_recovery", true)
          .option("avoid_flush_during_shutdown", true);
      try (RocksDb db = RocksDb.at(folder).options(late).defaults(CREATE).open()) {
        db.put(bytes("key"), bytes("value"));
        db.flush();
        db.deleteRange(bytes("a"), bytes("z"));
      }
      refused("may have deleted ranges in the log", late.rowCache(rows));
      RocksDbException refused =
          assertThrowsExactly(RocksDbException.class,
              () -> RocksDb.at(folder).options(late.rowCache(rows)).defaults(CREATE).openReadOnly());
      assertTrue(refused.getMessage().contains("may have deleted ranges in the log"), refused.getMessage());
      assertTrue(refused.getMessage().contains("leave out DatabaseOptions.rowCache where it is opened for reading"),
          refused.getMessage());
      refused("may have deleted ranges in its files", with(rows));
    }
  }

  @Test
  void filesWithDeletedRangesAreNotTakenIn() {
    Path file = folder.resolve("ranges.sst");
    try (TableWriter table = TableWriter.create(file, CREATE)) {
      table.put(bytes("key"), bytes("value"));
      table.deleteRange(bytes("a"), bytes("b"));
      table.finish();
    }
    try (RowCache rows = RowCache.lru(ByteSize.mib(1));
        RocksDb plain = RocksDb.at(folder.resolve("plain")).defaults(CREATE).open();
        RocksDb db = RocksDb.at(folder.resolve("db")).options(with(rows)).defaults(CREATE).open()) {
      RocksDbException refused = assertThrowsExactly(RocksDbException.class, () -> db.files().ingest(file));
      assertEquals(Code.NOT_SUPPORTED, refused.code());
      assertTrue(refused.getMessage().contains(file + " has deleted ranges"), refused.getMessage());
      plain.files().ingest(file);
      plain.deleteRange(bytes("c"), bytes("d"));
      plain.put(bytes("e"), bytes("f"));
      try (FamilyFiles.ExportedFamily exported = plain.files().export(folder.resolve("export"))) {
        RocksDbException notImported =
            assertThrowsExactly(RocksDbException.class,
                () -> db.importFamily("new", CREATE, exported, FamilyFiles.ExportedFamily.Transfer.COPY));
        assertEquals(Code.NOT_SUPPORTED, notImported.code());
      }
      assertEquals(1, db.families().size());
    }
  }

  @Test
  void transactionsReadThroughIt() {
    try (RowCache rows = RowCache.lru(ByteSize.mib(1));
        TransactionDb db = RocksDb.at(folder).options(with(rows)).defaults(CREATE).openTransactional()) {
      db.put(bytes("key"), bytes("value"));
      db.flush();
      for (int i = 0; i < 3; i++) {
        try (Transaction transaction = db.begin()) {
          assertArrayEquals(bytes("value" + ",more".repeat(i)), transaction.getForUpdate(bytes("key")));
          transaction.merge(bytes("key"), bytes("more"));
          assertArrayEquals(bytes("value" + ",more".repeat(i + 1)), transaction.get(bytes("key")));
          transaction.commit();
        }
        db.flush();
      }
      assertTrue(rows.usage().bytes() > 0, rows.usage()::toString);
    }
  }
}
