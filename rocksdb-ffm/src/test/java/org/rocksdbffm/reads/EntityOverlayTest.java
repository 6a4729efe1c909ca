/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.reads;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.reads.EntityTest.columns;
import static org.rocksdbffm.reads.EntityTest.map;
import static org.rocksdbffm.reads.EntityTest.text;
import static org.rocksdbffm.reads.EntityTest.utf8;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.Entity;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.IndexedBatch;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.OptimisticTransactionDb;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionOptions;
import org.rocksdbffm.TransactionalDb;

/** Tests entities in transactions and indexed batches, and merge operands. */
class EntityOverlayTest {
  @TempDir Path folder;

  @Test
  void aTransactionWithLocksReadsItsEntitiesAndCommitsThem() {
    try (TransactionDb db = TransactionDb.open(folder)) {
      readsAndCommits(db);
      db.put(utf8("k"), utf8("v"));
      try (Transaction first = db.begin();
          Transaction second =
              db.begin(TransactionOptions.defaults().lockTimeout(Duration.ofMillis(1)))) {
        assertEquals(Map.of("", "v"), map(first.forUpdate(), "k"));
        RocksDbException refused =
            assertThrows(RocksDbException.class, () -> second.putEntity(utf8("k"), columns("a", "1")));
        assertTrue(refused.isConflict(), refused.getMessage());
        assertThrows(RocksDbException.class, () -> map(second.toShare(), "k"));
        first.putEntity(utf8("k"), columns("a", "2"));
        first.commit();
      }
      assertEquals(Map.of("a", "2"), map(db, "k"));
    }
  }

  @Test
  void anOptimisticTransactionReadsItsEntitiesAndFindsConflicts() {
    try (OptimisticTransactionDb db = OptimisticTransactionDb.open(folder)) {
      readsAndCommits(db);
      try (Transaction transaction = db.begin()) {
        transaction.putEntity(utf8("k"), columns("a", "1"));
        db.putEntity(utf8("k"), columns("b", "2"));
        assertTrue(assertThrows(RocksDbException.class, transaction::commit).isConflict());
      }
      assertEquals(Map.of("b", "2"), map(db, "k"));
    }
  }

  private static void readsAndCommits(TransactionalDb db) {
    db.putEntity(utf8("below"), columns("x", "0"));
    try (Transaction transaction = db.begin()) {
      transaction.putEntity(utf8("new"), columns("b", "2", "a", "1"));
      transaction.put(utf8("plain"), utf8("v"));
      assertEquals(Map.of("a", "1", "b", "2"), map(transaction, "new"));
      assertEquals(Map.of("x", "0"), map(transaction, "below"));
      assertNull(map(transaction, "none"));
      assertNull(map(db, "new"));
      List<Entity> many =
          transaction.entities().only("a").multiGet(List.of(utf8("new"), utf8("none"), utf8("below")));
      assertEquals("1", text(many.get(0).value(0)));
      assertNull(many.get(1));
      assertNull(many.get(2).value(0));
      many.get(0).close();
      many.get(2).close();
      Map<String, Map<String, String>> rows = new TreeMap<>();
      transaction.entities().forEach(KeyRange.all(), (key, entity) -> rows.put(text(key), map(entity)));
      assertEquals(
          Map.of("below", Map.of("x", "0"), "new", Map.of("a", "1", "b", "2"), "plain", Map.of("", "v")), rows);
      try (Cursor cursor = transaction.cursor()) {
        assertTrue(cursor.seek(utf8("new")));
        Entity row = cursor.entity();
        transaction.putEntity(utf8("new"), columns("c", "3"));
        transaction.put(utf8("filler"), new byte[1 << 20]);
        assertEquals("1", text(row.value("a")));
        assertThrows(IllegalStateException.class, cursor::entity);
      }
      assertThrows(UnsupportedOperationException.class, () -> transaction.mergeOperands(utf8("new")));
      transaction.setSavePoint();
      transaction.putEntity(utf8("undone"), columns("a", "1"));
      transaction.rollbackToSavePoint();
      transaction.commit();
    }
    assertEquals(Map.of("c", "3"), map(db, "new"));
    assertNull(map(db, "undone"));
  }

  @Test
  void aPreparedTransactionWithAnEntityIsRecovered() {
    try (TransactionDb db = TransactionDb.open(folder)) {
      Transaction transaction = db.begin();
      transaction.putEntity(utf8("k"), columns("a", "1"));
      transaction.prepare("two");
      transaction.close();
    }
    try (TransactionDb db = TransactionDb.open(folder)) {
      assertNull(map(db, "k"));
      db.prepared().getFirst().commit();
      assertEquals(Map.of("a", "1"), map(db, "k"));
    }
  }

  @Test
  void anIndexedBatchReadsItsEntitiesAndWritesThem() {
    try (RocksDb db = RocksDb.open(folder)) {
      db.putEntity(utf8("below"), columns("x", "0"));
      try (IndexedBatch batch = db.indexedBatch()) {
        batch.putEntity(utf8("new"), columns("b", "2", "", "0"));
        assertEquals(Map.of("", "0", "b", "2"), map(batch, "new"));
        assertEquals(Map.of("x", "0"), map(batch, "below"));
        assertArrayEquals(utf8("0"), batch.get(utf8("new")));
        Map<String, Map<String, String>> rows = new TreeMap<>();
        batch.entities().forEach(KeyRange.all(), (key, entity) -> rows.put(text(key), map(entity)));
        assertEquals(Map.of("below", Map.of("x", "0"), "new", Map.of("", "0", "b", "2")), rows);
        batch.delete(utf8("below"));
        assertNull(map(batch, "below"));
        assertThrows(UnsupportedOperationException.class, () -> batch.mergeOperands(utf8("new")));
        batch.write();
      }
      assertEquals(Map.of("", "0", "b", "2"), map(db, "new"));
      assertNull(map(db, "below"));
    }
  }

  @Test
  void operandsAreListedOldestFirstAfterTheBaseValue() {
    FamilyOptions options = FamilyOptions.defaults().mergeOperator(MergeOperator.stringAppend(','));
    try (RocksDb db = RocksDb.at(folder).defaults(options).open()) {
      assertEquals(List.of(), operands(db, "none"));
      db.put(utf8("k"), utf8("0"));
      assertEquals(List.of("0"), operands(db, "k"));
      List<String> expected = new ArrayList<>(List.of("0"));
      for (int i = 1; i <= 100; i++) {
        db.merge(utf8("k"), utf8("" + i));
        expected.add("" + i);
      }
      db.merge(utf8("only"), utf8("x"));
      db.merge(utf8("only"), new byte[0]);
      assertEquals(expected, operands(db, "k"));
      assertEquals(List.of("x", ""), operands(db, "only"));
      try (Snapshot snapshot = db.snapshot()) {
        db.delete(utf8("k"));
        assertEquals(expected, operands(snapshot, "k"));
      }
      assertEquals(List.of(), operands(db, "k"));
      db.putEntity(utf8("entity"), columns("", "base", "a", "1"));
      db.merge(utf8("entity"), utf8("more"));
      assertEquals(List.of("base", "more"), operands(db, "entity"));
      assertEquals(Map.of("", "base,more", "a", "1"), map(db, "entity"));
      db.flush();
      db.compact(KeyRange.all());
      assertEquals(Map.of("", "base,more", "a", "1"), map(db, "entity"));
      assertArrayEquals(utf8("base,more"), db.get(utf8("entity")));
      assertEquals(List.of("x,"), operands(db, "only"));
    }
  }

  private static List<String> operands(KeyReader reader, String key) {
    return reader.mergeOperands(utf8(key)).stream().map(String::new).toList();
  }
}
