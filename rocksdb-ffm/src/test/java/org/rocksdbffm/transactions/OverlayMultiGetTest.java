/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.transactions;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.Columns;
import org.rocksdbffm.Entity;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.IndexedBatch;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.KeyWriter;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.MultiGet;
import org.rocksdbffm.OptimisticTransactionDb;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionalDb;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests that many keys are read together through transactions and indexed batches like single keys. */
@ExtendWith(LiveObjectsCheck.class)
class OverlayMultiGetTest {
  private static final FamilyOptions MERGING =
      FamilyOptions.defaults().mergeOperator(MergeOperator.stringAppend(','));
  private static final int KEYS = 200;

  @TempDir Path folder;

  private static byte[] key(int number) {
    return bytes("key%04d".formatted(number));
  }

  private static byte[] value(int number, int size) {
    byte[] value = new byte[size];
    new Random(number).nextBytes(value);
    return value;
  }

  /** Writes rows of each size: pinned in a block, in a memtable, and empty. */
  private static void fill(RocksDb db, KeyWriter keys) {
    for (int i = 0; i < KEYS; i += 2) {
      keys.put(key(i), value(i, i % 7 == 0 ? 5_000 : i % 5));
      if (i == KEYS / 2) {
        db.flush();
      }
    }
  }

  /** Changes rows that exist, and rows that do not. */
  private static void change(KeyWriter overlay) {
    for (int i = 0; i < KEYS; i += 3) {
      switch (i % 5) {
        case 0 -> overlay.put(key(i), value(-i, i % 2 == 0 ? 3_000 : 3));
        case 1 -> overlay.delete(key(i));
        case 2 -> overlay.merge(key(i), bytes("one"));
        case 3 -> {
          overlay.merge(key(i), bytes("one"));
          overlay.merge(key(i), bytes("two"));
        }
        default -> overlay.putEntity(key(i), new Columns().add("", bytes("default")).add("c", bytes("" + i)));
      }
    }
  }

  /** Returns keys in no order, some of them twice. */
  private static List<byte[]> keys(int count) {
    List<byte[]> keys = new ArrayList<>();
    Random random = new Random(count);
    for (int i = 0; i < count; i++) {
      keys.add(key(random.nextInt(KEYS + 20)));
    }
    return keys;
  }

  private static void assertSame(KeyReader reader) {
    for (int count : new int[] {0, 1, 2, 31, 32, 33, 64, 300}) {
      List<byte[]> keys = keys(count);
      List<byte[]> found = reader.multiGet(keys);
      List<Entity> entities = reader.entities().multiGet(keys);
      assertEquals(count, found.size());
      assertEquals(count, entities.size());
      for (int i = 0; i < count; i++) {
        assertArrayEquals(reader.get(keys.get(i)), found.get(i), new String(keys.get(i)));
        try (Entity each = entities.get(i);
            Entity single = reader.entities().get(keys.get(i))) {
          assertEquals(single == null, each == null);
          assertArrayEquals(single == null ? null : single.get(""), each == null ? null : each.get(""));
          assertArrayEquals(single == null ? null : single.get("c"), each == null ? null : each.get("c"));
        }
      }
    }
  }

  private static void assertSameInFamilies(KeyReader reader, KeyReader other, ColumnFamily family) {
    MultiGet request = reader.multiGet();
    List<byte[]> expected = new ArrayList<>();
    for (byte[] key : keys(100)) {
      request.add(key).add(family, key);
      expected.add(reader.get(key));
      expected.add(other.get(key));
    }
    try (PinnedValues found = request.get()) {
      for (int i = 0; i < expected.size(); i++) {
        assertArrayEquals(expected.get(i), found.get(i));
      }
    }
  }

  @Test
  void aTransactionReadsManyKeysTogetherAsOneByOne() {
    try (TransactionDb locking = TransactionDb.open(folder.resolve("locking"));
        OptimisticTransactionDb optimistic = OptimisticTransactionDb.open(folder.resolve("optimistic"))) {
      for (TransactionalDb each : List.of(locking, optimistic)) {
        RocksDb db = each;
        ColumnFamily family = db.createFamily("merging", MERGING);
        fill(db, family);
        try (Transaction transaction = each.begin()) {
          assertSame(transaction.in(family));
          change(transaction.in(family));
          assertSame(transaction.in(family));
          assertSame(transaction.in(family).with(ReadOptions.defaults().deadline(Duration.ofMinutes(5))));
          db.put(key(1), bytes("of the default family"));
          assertSameInFamilies(transaction, transaction.in(family), family);
        }
      }
    }
  }

  @Test
  void anIndexedBatchReadsManyKeysTogetherAsOneByOne() {
    try (RocksDb db = RocksDb.at(folder).defaults(MERGING).open()) {
      fill(db, db);
      ColumnFamily family = db.createFamily("other", MERGING);
      fill(db, family);
      try (IndexedBatch batch = db.indexedBatch()) {
        assertSame(batch);
        change(batch);
        change(batch.in(family));
        assertSame(batch);
        assertSameInFamilies(batch, batch.in(family), family);
      }
    }
  }

  @Test
  void valuesThatWereReadTogetherOutliveTheirTransaction() {
    byte[] large = value(1, 100_000);
    try (TransactionDb db = TransactionDb.open(folder)) {
      db.put(bytes("table"), large);
      db.flush();
      db.put(bytes("memtable"), large);
      PinnedValues values;
      try (Transaction transaction = db.begin()) {
        transaction.put(bytes("transaction"), large);
        transaction.put(bytes("small"), bytes("s"));
        values =
            transaction.multiGet().add(bytes("table")).add(bytes("memtable")).add(bytes("transaction"))
                .add(bytes("small")).add(bytes("none")).get();
      }
      try (values) {
        for (int i = 0; i < 3; i++) {
          assertArrayEquals(large, values.get(i));
        }
        assertArrayEquals(bytes("s"), values.get(3));
        assertNull(values.get(4));
      }
      assertEquals(0, db.pins().count());
    }
  }
}
