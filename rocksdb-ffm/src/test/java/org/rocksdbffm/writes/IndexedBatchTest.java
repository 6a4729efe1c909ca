/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.writes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.random;
import static org.rocksdbffm.tools.Bytes.text;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.ByteView;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.IndexedBatch;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.KeyWriter;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Scan;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.tools.KeyKind;
import org.rocksdbffm.tools.LiveObjectsCheck;
import org.rocksdbffm.tools.ReadKind;

@ExtendWith(LiveObjectsCheck.class)
final class IndexedBatchTest {
  private static final FamilyOptions CREATE =
      FamilyOptions.defaults().mergeOperator(MergeOperator.stringAppend(','));
  private static final byte[] KEY = bytes("key");
  private static final byte[] OLD = bytes("old");
  private static final byte[] NEW = bytes("new");

  @TempDir Path folder;

  @Test
  void whatIsAddedIsReadAboveTheDatabaseAndWrittenTogether() {
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE).open()) {
      ColumnFamily family = db.createFamily("family", CREATE);
      db.put(KEY, OLD);
      try (IndexedBatch batch = db.indexedBatch()) {
        batch.put(KEY, NEW);
        batch.in(family).put(KEY, NEW);
        batch.merge(bytes("merged"), bytes("a"));
        batch.merge(bytes("merged"), bytes("b"));
        assertEquals(4, batch.count());
        assertArrayEquals(NEW, batch.get(KEY));
        assertArrayEquals(NEW, batch.in(family).get(KEY));
        assertEquals("a,b", text(batch.get(bytes("merged"))));
        assertArrayEquals(OLD, db.get(KEY));
        assertNull(family.get(KEY));
        batch.write();
        assertArrayEquals(NEW, db.get(KEY));
        assertArrayEquals(NEW, family.get(KEY));
        assertEquals(4, batch.count(), "it stays as it is");
        batch.clear();
        assertEquals(0, batch.count());
        batch.delete(KEY);
        batch.write(WriteOptions.defaults().sync(true));
        assertNull(db.get(KEY));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ReadKind.class)
  void everyFormOfReadingSeesBoth(ReadKind form) {
    if (form.pinsBehind()) {
      return;
    }
    byte[] large = random(50_000, 1);
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE).open();
        IndexedBatch batch = db.indexedBatch()) {
      db.put(bytes("below"), large);
      db.put(bytes("deleted"), large);
      db.flush();
      batch.put(bytes("above"), large);
      batch.delete(bytes("deleted"));
      for (KeyKind kind : KeyKind.values()) {
        assertArrayEquals(large, form.read(batch, kind.of(bytes("below"))));
        assertArrayEquals(large, form.read(batch, kind.of(bytes("above"))));
        assertNull(form.read(batch, kind.of(bytes("deleted"))));
      }
      assertTrue(batch.contains(bytes("above")));
      assertFalse(batch.mayExist(bytes("deleted")));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void aModelHasTheSameRows(long seed) {
    Random random = new Random(seed);
    NavigableMap<String, String> rows = new TreeMap<>();
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE).open()) {
      for (int i = 0; i < 100; i += 2) {
        db.put(key(i), bytes("below"));
        rows.put(text(key(i)), "below");
      }
      try (IndexedBatch batch = db.indexedBatch()) {
        Deque<NavigableMap<String, String>> savePoints = new ArrayDeque<>();
        for (int step = 0; step < 400; step++) {
          byte[] key = key(random.nextInt(100));
          String value = "v" + step + "x".repeat(random.nextInt(20) == 0 ? 40_000 : 3);
          switch (random.nextInt(9)) {
            case 0 -> {
              batch.delete(key);
              rows.remove(text(key));
            }
            case 1 -> {
              batch.merge(key, bytes(value));
              rows.merge(text(key), value, (before, more) -> before + "," + more);
            }
            case 2 -> {
              batch.setSavePoint();
              savePoints.push(new TreeMap<>(rows));
            }
            case 3 -> {
              if (!savePoints.isEmpty()) {
                batch.rollbackToSavePoint();
                rows = savePoints.pop();
              }
            }
            case 4 -> {
              if (!savePoints.isEmpty()) {
                batch.popSavePoint();
                savePoints.pop();
              }
            }
            default -> {
              batch.put(key, bytes(value));
              rows.put(text(key), value);
            }
          }
          if (step % 20 == 0) {
            assertRows(rows, batch);
          }
        }
        assertRows(rows, batch);
        batch.write();
      }
      assertRows(rows, db);
    }
  }

  private static byte[] key(int number) {
    return bytes("k%03d".formatted(number));
  }

  private static void assertRows(NavigableMap<String, String> rows, KeyReader reader) {
    assertEquals(rows.toString(), rows(reader.scan(KeyRange.all())).toString());
    assertEquals(rows.descendingMap().toString(), rows(reader.scanBackward(KeyRange.all())).toString());
    NavigableMap<String, String> part = rows.subMap("k020", true, "k060", false);
    KeyRange range = KeyRange.between(bytes("k020"), bytes("k060"));
    assertEquals(part.toString(), rows(reader.scan(range)).toString());
    assertEquals(part.descendingMap().toString(), rows(reader.scanBackward(range)).toString());
  }

  private static java.util.Map<String, String> rows(Scan scan) {
    java.util.Map<String, String> rows = new java.util.LinkedHashMap<>();
    try (scan) {
      while (scan.next()) {
        rows.put(text(scan.keyBytes()), text(scan.valueBytes()));
      }
    }
    return rows;
  }

  @Test
  void eachFamilyHasItsOwnOrder() {
    FamilyOptions reversed = CREATE.keyOrder(KeyOrder.REVERSE_BYTEWISE);
    FamilyOptions inJava = CREATE.keyOrder("by the last byte", (a, b) -> Byte.compare(last(a), last(b)));
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE).open()) {
      ColumnFamily backward = db.createFamily("backward", reversed);
      ColumnFamily java = db.createFamily("java", inJava);
      try (IndexedBatch batch = db.indexedBatch()) {
        for (KeyWriter writer : List.of(batch, batch.in(backward), batch.in(java))) {
          for (String key : List.of("a3", "b2", "c1")) {
            writer.put(bytes(key), NEW);
          }
        }
        assertEquals("[a3, b2, c1]", rows(batch.scan(KeyRange.all())).keySet().toString());
        assertEquals("[c1, b2, a3]", rows(batch.in(backward).scan(KeyRange.all())).keySet().toString());
        assertEquals("[c1, b2, a3]", rows(batch.in(java).scan(KeyRange.all())).keySet().toString());
        batch.write();
        assertEquals("[c1, b2, a3]", rows(java.scan(KeyRange.all())).keySet().toString());
      }
    }
  }

  private static byte last(ByteView key) {
    return key.size() == 0 ? 0 : key.get(key.size() - 1);
  }

  @Test
  void aPinnedValueOutlivesTheBatch() {
    byte[] large = random(50_000, 2);
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE).open()) {
      PinnedValue pinned;
      try (IndexedBatch batch = db.indexedBatch()) {
        batch.put(KEY, large);
        pinned = batch.getPinned(KEY);
        batch.clear();
      }
      try (pinned) {
        assertEquals(-1, pinned.segment().mismatch(MemorySegment.ofArray(large)));
      }
    }
  }

  @Test
  void itEndsWithTheDatabaseAndItsIteratorsWithIt() {
    RocksDb db = RocksDb.at(folder).defaults(CREATE).open();
    IndexedBatch batch = db.indexedBatch();
    batch.put(KEY, NEW);
    Cursor cursor = batch.cursor();
    assertTrue(cursor.first());
    batch.clear();
    assertThrows(IllegalStateException.class, cursor::first);
    Scan scan = batch.scan(KeyRange.all());
    db.close();
    assertThrows(IllegalStateException.class, scan::next);
    assertThrows(IllegalStateException.class, () -> batch.get(KEY));
    assertThrows(IllegalStateException.class, batch::write);
    batch.close();
    cursor.close();
    scan.close();
  }

  @Test
  void aDroppedFamilyIsNotWrittenInPart() {
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE).open()) {
      ColumnFamily dropped = db.createFamily("dropped", CREATE);
      try (IndexedBatch batch = db.indexedBatch()) {
        batch.put(KEY, NEW);
        batch.in(dropped).put(KEY, NEW);
        db.dropFamily(dropped);
        assertThrows(IllegalStateException.class, batch::write);
        assertThrows(IllegalStateException.class, () -> batch.in(dropped).put(KEY, OLD));
        assertNull(db.get(KEY));
        batch.clear();
        batch.put(KEY, OLD);
        batch.write();
        assertArrayEquals(OLD, db.get(KEY));
      }
      dropped.close();
    }
  }

  @Test
  void whatTheIndexLacksIsRefused(@TempDir Path elsewhere) {
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE).open();
        RocksDb another = RocksDb.at(elsewhere).defaults(CREATE).open();
        IndexedBatch batch = db.indexedBatch()) {
      assertThrows(UnsupportedOperationException.class, () -> batch.deleteRange(KEY, NEW));
      assertThrows(IllegalStateException.class, batch::rollbackToSavePoint);
      assertThrows(IllegalStateException.class, batch::popSavePoint);
      assertThrows(
          IllegalArgumentException.class, () -> batch.in(another.family(RocksDb.DEFAULT_COLUMN_FAMILY)));
    }
  }

  @Test
  void aBatchTakesTheLocksOfADatabaseThatHasThem() {
    TransactionDb.LockOptions atOnce = TransactionDb.LockOptions.defaults().writeTimeout(java.time.Duration.ZERO);
    try (TransactionDb db = RocksDb.at(folder).defaults(CREATE).openTransactional(atOnce);
        IndexedBatch batch = db.indexedBatch();
        Transaction holder = db.begin()) {
      batch.put(bytes("other"), NEW);
      batch.put(KEY, NEW);
      holder.put(KEY, OLD);
      assertTrue(assertThrows(RocksDbException.class, batch::write).isConflict());
      assertNull(db.get(bytes("other")));
      holder.commit();
      batch.write();
      assertArrayEquals(NEW, db.get(KEY));
    }
  }
}
