/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.reads;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.reads.EntityTest.columns;
import static org.rocksdbffm.reads.EntityTest.map;
import static org.rocksdbffm.reads.EntityTest.utf8;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.Backups;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.Columns;
import org.rocksdbffm.CompactionFilter;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.DatabaseFiles;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.Entity;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.Follower;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.PinLimitException;
import org.rocksdbffm.Pins;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RowCache;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.WriteBatch;

/** Tests entities in other parts of the library, such as copies, filters and table files. */
class EntityElsewhereTest {
  private static final Map<String, String> COLUMNS = Map.of("", "0", "a", "1");

  @TempDir Path folder;

  @Test
  void readOnlyDatabasesFollowersBackupsAndLogsHaveTheEntities() {
    Path source = folder.resolve("db");
    try (RocksDb db = RocksDb.open(source)) {
      db.put(utf8("k"), utf8("v"));
      long before = db.files().latestSequenceNumber();
      db.putEntity(utf8("e"), columns("a", "1", "", "0"));
      try (DatabaseFiles.LogReader log = db.files().logSince(before + 1)) {
        assertTrue(log.next());
        List<WriteBatch.Operation> operations = new ArrayList<>();
        log.batch().forEach((operation, family, key, value) -> operations.add(operation));
        assertEquals(List.of(WriteBatch.Operation.PUT_ENTITY), operations);
        try (RocksDb copy = RocksDb.open(folder.resolve("copy"))) {
          copy.write(log.batch());
          assertEquals(COLUMNS, map(copy, "e"));
        }
      }
      try (Follower follower = Follower.open(source)) {
        assertEquals(COLUMNS, follower.read(reader -> map(reader, "e")));
        db.putEntity(utf8("e"), columns("b", "2"));
        follower.catchUp();
        assertEquals(Map.of("b", "2"), follower.read(reader -> map(reader, "e")));
        db.putEntity(utf8("e"), columns("a", "1", "", "0"));
      }
      try (Backups backups = Backups.open(folder.resolve("backups"))) {
        backups.create(db);
        backups.restoreLatest(folder.resolve("restored"));
      }
      try (RocksDb restored = RocksDb.open(folder.resolve("restored"))) {
        assertEquals(COLUMNS, map(restored, "e"));
      }
      db.compact(KeyRange.all());
    }
    try (RocksDb reader = RocksDb.at(source).openReadOnly()) {
      assertEquals(COLUMNS, map(reader, "e"));
      assertEquals(COLUMNS, map(reader.entities().multiGet(List.of(utf8("e"))).getFirst()));
      assertEquals(List.of("0"), reader.mergeOperands(utf8("e")).stream().map(String::new).toList());
      assertArrayEquals(utf8("0"), reader.get(utf8("e")));
      reader.entities().forEach(KeyRange.prefix(utf8("e")), (key, entity) -> assertEquals(COLUMNS, map(entity)));
      assertThrows(RuntimeException.class, () -> reader.putEntity(utf8("e"), new Columns()));
    }
  }

  @Test
  void blobFilesSnapshotsAndFamiliesHaveTheEntities() {
    FamilyOptions blobs = FamilyOptions.defaults().option("enable_blob_files", "true").option("min_blob_size", "100");
    try (RocksDb db = RocksDb.at(folder).defaults(blobs).open();
        ColumnFamily family = db.createFamily("f", blobs)) {
      String large = "x".repeat(10_000);
      WriteBatch batch = new WriteBatch();
      batch.in(family).putEntity(utf8("e"), columns("", large, "a", large, "b", "2"));
      db.write(batch);
      family.putEntity(utf8("e2"), columns("c", "3"));
      Map<String, String> expected = Map.of("", large, "a", large, "b", "2");
      try (Snapshot snapshot = db.snapshot()) {
        family.flush();
        family.compact(KeyRange.all());
        family.putEntity(utf8("e"), new Columns());
        assertEquals(expected, map(snapshot.of(family), "e"));
        assertEquals(Map.of(), map(family, "e"));
        family.flush();
        KeyRange others = KeyRange.prefix(utf8("e2"));
        snapshot.of(family).entities().forEach(others, (key, entity) -> assertEquals(1, entity.count()));
        try (Cursor cursor = snapshot.of(family).cursor()) {
          assertTrue(cursor.first());
          assertEquals(expected, map(cursor.entity()));
          assertEquals(large, new String(cursor.valueBytes()));
        }
      }
    }
  }

  @Test
  void aRowCacheAnswersEntitiesAndTheirDefaultColumns() {
    try (RowCache cache = RowCache.lru(ByteSize.mib(1));
        RocksDb db = RocksDb.at(folder).options(DatabaseOptions.defaults().rowCache(cache)).open()) {
      db.putEntity(utf8("e"), columns("a", "1", "", "0"));
      db.put(utf8("p"), utf8("v"));
      db.flush();
      for (int i = 0; i < 3; i++) {
        assertArrayEquals(utf8("0"), db.get(utf8("e")));
        assertEquals(COLUMNS, map(db, "e"));
        assertEquals(Map.of("", "v"), map(db, "p"));
        assertArrayEquals(utf8("v"), db.get(utf8("p")));
      }
    }
  }

  @Test
  void aCompactionFilterSeesNoEntities() {
    AtomicInteger seen = new AtomicInteger();
    FamilyOptions options =
        FamilyOptions.defaults()
            .compactionFilter(
                "counting",
                context ->
                    (level, key, value) -> {
                      seen.incrementAndGet();
                      return CompactionFilter.Decision.REMOVE;
                    });
    try (RocksDb db = RocksDb.at(folder).defaults(options).open()) {
      db.putEntity(utf8("e"), columns("a", "1", "", "0"));
      db.put(utf8("k"), utf8("v"));
      db.flush();
      db.compact(KeyRange.all());
      assertEquals(1, seen.get());
      assertEquals(COLUMNS, map(db, "e"));
    }
  }

  @Test
  void limitsOfPinnedBytesHoldForEntities() {
    try (RocksDb db = RocksDb.open(folder)) {
      db.putEntity(utf8("e"), new Columns().add("a", new byte[1 << 20]));
      db.pins().limit(Pins.Limits.none().maxBytes(ByteSize.mib(1)));
      assertThrows(PinLimitException.class, () -> db.entities().get(utf8("e")));
      assertThrows(PinLimitException.class, () -> db.entities().multiGet(List.of(utf8("e"))));
      db.pins().limit(Pins.Limits.none().maxBytes(ByteSize.mib(3)));
      try (Entity entity = db.entities().get(utf8("e"))) {
        assertEquals((1 << 20) + 1, db.pins().size().bytes());
        assertThrows(PinLimitException.class, () -> db.entities().multiGet(List.of(utf8("e"), utf8("e"), utf8("e"))));
        assertEquals((1 << 20) + 1, entity.size());
      }
    }
  }

  @Test
  void aTableFileAndAReadOnlyTransactionRefuseEntitiesWithAReason() {
    try (TableWriter table = TableWriter.create(folder.resolve("t.sst"), FamilyOptions.defaults())) {
      UnsupportedOperationException refused =
          assertThrows(UnsupportedOperationException.class, () -> table.putEntity(utf8("k"), new Columns()));
      assertTrue(refused.getMessage().contains("WriteBatch"), refused.getMessage());
    }
  }
}
