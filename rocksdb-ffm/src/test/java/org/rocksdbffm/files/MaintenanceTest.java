/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.random;
import static org.rocksdbffm.tools.Bytes.text;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.CompactOptions;
import org.rocksdbffm.CompactionStyle;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.FlushOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.Row;
import org.rocksdbffm.Scan;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.StoredOptions;
import org.rocksdbffm.TableFilter;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.tools.DatabaseCase;

/** Tests snapshots, flushes, compactions, properties, changes of options, and shared caches. */
class MaintenanceTest extends DatabaseCase {
  private static final byte[] KEY = bytes("key");

  @Test
  void aSnapshotSeesWhatWas() {
    ColumnFamily other = db.createFamily("other", FamilyOptions.defaults());
    db.put(KEY, bytes("old"));
    other.put(KEY, bytes("other old"));
    long number = db.files().latestSequenceNumber();
    try (Snapshot snapshot = db.snapshot();
        Snapshot ofOther = other.snapshot()) {
      db.put(KEY, bytes("new"));
      db.put(bytes("k2"), bytes("new"));
      other.delete(KEY);
      db.flush();
      other.flush();
      db.compact(KeyRange.all());
      assertEquals("old", text(snapshot.get(KEY)));
      assertEquals("other old", text(snapshot.of(other).get(KEY)));
      assertEquals("other old", text(ofOther.get(KEY)));
      assertNull(snapshot.get(bytes("k2")));
      assertEquals("old", text(snapshot.with(ReadOptions.defaults().fillCache(false)).get(KEY)));
      assertEquals(1, snapshot.stream(KeyRange.all(), Row::keySize).count());
      assertEquals(number, snapshot.sequenceNumber());
      assertEquals(1, snapshot.of(other).stream(KeyRange.all(), Row::keySize).count());
      assertEquals("new", text(db.get(KEY)));
    }
  }

  @Test
  void aClosedSnapshotSaysSo() {
    db.put(KEY, KEY);
    Snapshot snapshot = db.snapshot();
    Cursor cursor = snapshot.cursor();
    KeyReader derived = snapshot.with(ReadOptions.defaults());
    snapshot.close();
    snapshot.close();
    String message = "snapshot of database " + folder + " is closed";
    assertEquals(message, assertThrows(IllegalStateException.class, () -> snapshot.get(KEY)).getMessage());
    assertThrows(IllegalStateException.class, () -> derived.get(KEY));
    assertThrows(IllegalStateException.class, snapshot::cursor);
    assertThrows(IllegalStateException.class, snapshot::sequenceNumber);
    assertThrows(IllegalStateException.class, () -> snapshot.multiGet().add(KEY).get());
    assertTrue(cursor.first(), "a cursor keeps what it sees");
    db.close();
    assertThrows(IllegalStateException.class, () -> snapshot.get(KEY));
  }

  @Test
  void sequenceNumbersCountWrites() {
    long before = db.files().latestSequenceNumber();
    db.put(KEY, KEY);
    WriteBatch batch = new WriteBatch();
    batch.put(KEY, KEY);
    batch.delete(KEY);
    db.write(batch);
    assertEquals(before + 3, db.files().latestSequenceNumber());
  }

  private OptionalLong files(int level) {
    String count = db.metrics().property("rocksdb.num-files-at-level" + level);
    return count == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(count));
  }

  @Test
  void aFlushWritesAFileAndACompactionMovesIt() {
    for (int i = 0; i < 3; i++) {
      db.put(bytes("k" + i), random(1000, i));
      db.put(KEY, random(1000, i));
      db.flush(FlushOptions.defaults().allowWriteStall(true));
    }
    assertEquals(OptionalLong.of(3), files(0));
    db.compact(
        KeyRange.all(),
        CompactOptions.defaults()
            .exclusive(true)
            .bottommost(CompactOptions.Bottommost.FORCE)
            .targetLevel(2)
            .maxSubcompactions(2));
    assertEquals(OptionalLong.of(0), files(0));
    long deeper = 0;
    for (int level = 1; level < 7; level++) {
      deeper += files(level).orElseThrow();
    }
    assertTrue(deeper > 0, "the rows lie below level 0");
    assertEquals(4, db.stream(KeyRange.all(), Row::keySize).count());
  }

  @Test
  void aCompactionOfARangeLeavesTheOthers() {
    for (String key : new String[] {"a", "m", "z"}) {
      db.put(bytes(key), KEY);
      db.flush();
    }
    db.compact(KeyRange.between(bytes("l"), bytes("n")));
    assertEquals(OptionalLong.of(2), files(0));
    db.compact(KeyRange.until(new byte[0]));
    assertEquals(OptionalLong.of(2), files(0), "nothing lies before the empty key");
  }

  @Test
  void aFlushThatDoesNotWaitComes() {
    db.put(KEY, KEY);
    db.flush(FlushOptions.defaults().waitForFlush(false));
    db.flush();
    assertEquals(OptionalLong.of(1), files(0));
  }

  @Test
  void propertiesAreTextsOrNumbers() {
    db.put(KEY, KEY);
    assertEquals(OptionalLong.of(1), db.metrics().longProperty("rocksdb.estimate-num-keys"));
    assertTrue(db.metrics().property("rocksdb.stats").contains("Compaction Stats"));
    assertNull(db.metrics().property("rocksdb.options-statistics"), "there are none");
    assertEquals(OptionalLong.empty(), db.metrics().longProperty("rocksdb.estimate-oldest-key-time"));
    assertThrows(IllegalArgumentException.class, () -> db.metrics().longProperty("rocksdb.stats"), "it is no number");
  }

  @Test
  void optionsChangeWhileTheDatabaseIsOpen() {
    ColumnFamily other = db.createFamily("other", FamilyOptions.defaults());
    other.setOptions(Map.of("write_buffer_size", "123456", "disable_auto_compactions", "true"));
    db.setDatabaseOptions(Map.of("max_background_jobs", "7"));
    StoredOptions stored = StoredOptions.load(folder);
    assertEquals("123456", stored.families().get("other").settings().get("write_buffer_size"));
    assertEquals("true", stored.families().get("other").settings().get("disable_auto_compactions"));
    assertEquals("67108864", stored.families().get("default").settings().get("write_buffer_size"));
    assertEquals("7", stored.database().settings().get("max_background_jobs"));
  }

  @Test
  void badChangesAreRefusedWithTheOption() {
    assertRefused("unknown option 'write_bufer_size'; did you mean 'write_buffer_size'?",
        () -> db.setOptions(Map.of("write_bufer_size", "1")));
    assertRefused("option write_buffer_size: 'many' is no whole number",
        () -> db.setOptions(Map.of("write_buffer_size", "many")));
    assertRefused("option comparator: x, but it must be one of ", () -> db.setOptions(Map.of("comparator", "x")));
    assertRefused("option num_levels: it cannot be changed while", () -> db.setOptions(Map.of("num_levels", "3")));
    assertRefused("option max_open_files: it is the database's; ", () -> db.setOptions(Map.of("max_open_files", "-1")));
    assertRefused("option ttl: it is a column family's; ", () -> db.setDatabaseOptions(Map.of("ttl", "1")));
    assertRefused("option wal_dir: it cannot be changed while", () -> db.setDatabaseOptions(Map.of("wal_dir", "x")));
    assertRefused("unknown option 'max_open_file'; did you mean 'max_open_files'?",
        () -> db.setDatabaseOptions(Map.of("max_open_file", "1")));
    refused(() -> db.setOptions(Map.of()), Code.INVALID_ARGUMENT, "empty");
    var e =
        assertThrows(
            IllegalArgumentException.class, () -> db.setOptions(Map.of("write_buffer_size", "9\0000")));
    assertTrue(e.getMessage().contains("NUL"), e.getMessage());
    db.put(KEY, KEY);
  }

  private static void assertRefused(String message, org.junit.jupiter.api.function.Executable change) {
    String refusal = assertThrows(IllegalArgumentException.class, change).getMessage();
    assertTrue(refusal.startsWith(message), refusal);
  }

  private static void refused(org.junit.jupiter.api.function.Executable change, Code code, String part) {
    var e = assertThrows(RocksDbException.class, change);
    assertEquals(code, e.code());
    assertTrue(e.getMessage().contains(part), e.getMessage());
  }

  @Test
  void anUnloggedFlushOfTheLogIsNoError() {
    db.files().flushWal();
    db.files().syncWal();
  }

  @Test
  void numbersThatCannotBeAreRefused() {
    var e = assertThrows(IllegalArgumentException.class, () -> CompactOptions.defaults().targetLevel(-2));
    assertEquals("targetLevel: -2 is negative", e.getMessage());
    assertThrows(IllegalArgumentException.class, () -> CompactOptions.defaults().maxSubcompactions(-1));
    assertThrows(NullPointerException.class, () -> CompactOptions.defaults().bottommost(null));
  }

  @Test
  void aLevelThatTheFamilyHasNotIsRefused() {
    db.put(KEY, KEY);
    var e =
        assertThrows(IllegalArgumentException.class,
            () -> db.compact(KeyRange.all(), CompactOptions.defaults().targetLevel(100)));
    assertTrue(e.getMessage().startsWith("targetLevel: 100, but ")
        && e.getMessage().endsWith(" has levels 0 to 6"), e.getMessage());
    ColumnFamily fifo = db.createFamily("fifo", FamilyOptions.defaults().compactionStyle(CompactionStyle.FIFO));
    assertThrows(IllegalArgumentException.class,
        () -> fifo.compact(KeyRange.all(), CompactOptions.defaults().targetLevel(0)));
    db.compact(KeyRange.all(), CompactOptions.defaults().targetLevel(6));
    assertEquals("1", db.metrics().property("rocksdb.num-files-at-level6"));
  }

  @Test
  void noBufferIsAskedForThatNobodyHas() {
    var e = assertThrows(IllegalArgumentException.class, () -> ReadOptions.defaults().readahead(ByteSize.gib(1024)));
    assertTrue(e.getMessage().startsWith("readahead: 1099511627776, but it must be from 0 to 268435456"),
        e.getMessage());
    db.put(KEY, KEY);
    db.flush();
    try (Scan scan = db.with(ReadOptions.defaults().readahead(ByteSize.mib(256))).scan(KeyRange.all())) {
      assertTrue(scan.next());
    }
    assertThrows(IllegalArgumentException.class, () -> CompactOptions.defaults().maxSubcompactions(1 << 20));
  }

  @Test
  void aDestroyedDatabaseIsGone() throws Exception {
    db.put(KEY, KEY);
    db.close();
    RocksDb.destroy(folder);
    try (Stream<Path> files = Files.exists(folder) ? Files.list(folder) : Stream.empty()) {
      assertEquals(0, files.count());
    }
    RocksDb.destroy(folder);
    try (RocksDb fresh = RocksDb.open(folder)) {
      assertNull(fresh.get(KEY));
    }
  }

  @Test
  void databasesShareACacheThatIsClosedBeforeThem() {
    BlockCache cache = BlockCache.lru(ByteSize.mib(8));
    FamilyOptions cached =
        FamilyOptions.defaults()
            .table(TableOptions.defaults().blockCache(cache).blockSize(ByteSize.kib(8)).filter(TableFilter.bloom(10)));
    try (RocksDb first = RocksDb.at(folder.resolve("first")).defaults(cached).open();
        RocksDb second = RocksDb.at(folder.resolve("second")).defaults(cached).open()) {
      long empty = cache.usage().bytes();
      for (RocksDb each : new RocksDb[] {first, second}) {
        each.put(KEY, random(100_000, 1));
        each.flush();
        long before = cache.usage().bytes();
        each.get(KEY);
        assertTrue(cache.usage().bytes() > before + 90_000, cache.usage() + " after " + before);
      }
      assertTrue(cache.usage().bytes() > empty + 180_000);
      try (PinnedValue pinned = first.getPinned(KEY)) {
        assertTrue(cache.pinnedUsage().bytes() > pinned.size());
      }
      assertEquals(ByteSize.mib(8), cache.capacity());
      cache.capacity(ByteSize.mib(4));
      assertEquals(ByteSize.mib(4), cache.capacity());
      cache.close();
      cache.close();
      assertEquals(
          "LRU cache is closed", assertThrows(IllegalStateException.class, cache::usage).getMessage());
      assertThrows(IllegalStateException.class, () -> RocksDb.at(folder.resolve("third")).defaults(cached).open());
      assertEquals(100_000, second.get(KEY).length);
    }
  }

  @Test
  void aClockCacheCachesToo() {
    try (BlockCache cache = BlockCache.hyperClock(ByteSize.mib(4));
        RocksDb cached =
            RocksDb.at(folder.resolve("clock"))
                .defaults(FamilyOptions.defaults().table(TableOptions.defaults().blockCache(cache))).open()) {
      cached.put(KEY, random(100_000, 1));
      cached.flush();
      long before = cache.usage().bytes();
      cached.get(KEY);
      assertTrue(cache.usage().bytes() > before);
    }
  }

  @Test
  void allFamiliesAreFlushedAndADroppedOneIsLeftOut() {
    ColumnFamily other = db.createFamily("other", FamilyOptions.defaults());
    ColumnFamily dropped = db.createFamily("dropped", FamilyOptions.defaults());
    for (KeySpace space : new KeySpace[] {db, other, dropped}) {
      space.put(KEY, KEY);
    }
    db.dropFamily(dropped);
    db.flushAll();
    assertEquals(OptionalLong.of(0), db.metrics().longProperty("rocksdb.num-entries-active-mem-table"));
    assertEquals(OptionalLong.of(0), other.metrics().longProperty("rocksdb.num-entries-active-mem-table"));
  }

  @Test
  void unloggedWritesOfAllFamiliesReachTheDiskTogether() {
    Path path = folder.resolve("atomic");
    DatabaseOptions atomic = DatabaseOptions.defaults().option("atomic_flush", true);
    WriteOptions unlogged = WriteOptions.defaults().disableWal(true);
    try (RocksDb all = RocksDb.at(path).options(atomic.option("avoid_flush_during_shutdown", true)).open()) {
      ColumnFamily other = all.createFamily("other", FamilyOptions.defaults());
      all.with(unlogged).put(KEY, KEY);
      other.with(unlogged).put(KEY, KEY);
      all.flushAll(FlushOptions.defaults().allowWriteStall(true));
      all.with(unlogged).put(bytes("later"), KEY);
    }
    try (RocksDb all = RocksDb.at(path).options(atomic).open()) {
      assertTrue(all.contains(KEY));
      assertTrue(all.family("other").contains(KEY));
      assertFalse(all.contains(bytes("later")));
    }
  }
}
