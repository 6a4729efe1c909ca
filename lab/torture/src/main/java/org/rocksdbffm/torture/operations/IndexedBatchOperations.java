/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.rocksdbffm.IndexedBatch;
import org.rocksdbffm.IndexedBatchKeys;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Scan;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.torture.world.Attempt;
import org.rocksdbffm.torture.world.ClientBytes;
import org.rocksdbffm.torture.world.Operation;
import org.rocksdbffm.torture.world.Place;

/** Batches with an index: reads them together with the database, and writes them to it. */
public final class IndexedBatchOperations {
  static final List<Operation> ALL = List.of(new Operation("indexedBatch", 20, IndexedBatchOperations::use));

  private static final int MOST_CHANGES = 12;

  private IndexedBatchOperations() {}

  private static void use(Attempt attempt) {
    Place place = attempt.world.anySlot(attempt.random).place;
    RocksDb db = attempt.use(place.database);
    NavigableMap<byte[], byte[]> rows = place.family.of(attempt.client.number);
    try (IndexedBatch batch = db.indexedBatch()) {
      NavigableMap<byte[], byte[]> above = new TreeMap<>(rows);
      Deque<NavigableMap<byte[], byte[]>> savePoints = new ArrayDeque<>();
      for (int left = attempt.random.nextInt(MOST_CHANGES); left > 0; left--) {
        change(batch, above, attempt);
        above = savePoint(batch, above, savePoints, attempt);
        look(batch, above, attempt);
      }
      scan(db, batch, above, attempt);
      if (attempt.oneIn(6)) {
        batch.clear();
        attempt.check(batch.count() == 0, "that nothing is left");
        above = rows;
      }
      if (attempt.oneIn(2)) {
        batch.write();
      } else {
        batch.write(WriteOptions.defaults().sync(attempt.oneIn(4)));
      }
      if (above != rows) {
        rows.clear();
        rows.putAll(above);
      }
    }
  }

  private static void change(IndexedBatch batch, NavigableMap<byte[], byte[]> above, Attempt attempt) {
    IndexedBatchKeys keys = attempt.oneIn(2) ? batch : batch.with(ReadOptions.defaults());
    byte[] key = WriteOperations.anyKey(attempt);
    byte[] value = ClientBytes.value(attempt.random);
    switch (attempt.random.nextInt(5)) {
      case 0 -> {
        keys.delete(key);
        above.remove(key);
      }
      case 1 -> refuseRange(keys, attempt);
      case 2 -> {
        keys.merge(ClientBytes.buffer(key, attempt), ClientBytes.buffer(value, attempt));
        above.put(key, WriteOperations.merged(above.get(key), value));
      }
      default -> {
        keys.put(ClientBytes.segment(key, attempt), ClientBytes.segment(value, attempt));
        above.put(key, value);
      }
    }
  }

  private static void refuseRange(IndexedBatchKeys keys, Attempt attempt) {
    try {
      keys.deleteRange(ClientBytes.range(attempt.client.number));
      attempt.check(false, "a range was deleted above the database");
    } catch (UnsupportedOperationException refused) {
      attempt.check(refused.getMessage().startsWith("deleteRange: "), refused.getMessage());
    }
  }

  private static NavigableMap<byte[], byte[]> savePoint(
      IndexedBatch batch,
      NavigableMap<byte[], byte[]> above,
      Deque<NavigableMap<byte[], byte[]>> savePoints,
      Attempt attempt) {
    switch (attempt.random.nextInt(12)) {
      case 0 -> {
        batch.setSavePoint();
        savePoints.push(new TreeMap<>(above));
        return above;
      }
      case 1 -> {
        if (!savePoints.isEmpty()) {
          batch.rollbackToSavePoint();
          return savePoints.pop();
        }
        return above;
      }
      case 2 -> {
        if (!savePoints.isEmpty()) {
          batch.popSavePoint();
          savePoints.pop();
        }
        return above;
      }
      default -> {
        return above;
      }
    }
  }

  private static void look(IndexedBatch batch, NavigableMap<byte[], byte[]> above, Attempt attempt) {
    byte[] key = WriteOperations.anyKey(attempt);
    attempt.check(above.get(key), batch.get(key), "above the database");
  }

  private static void scan(
      RocksDb db, IndexedBatch batch, NavigableMap<byte[], byte[]> above, Attempt attempt) {
    IndexedBatchKeys keys = batch.in(db.family(RocksDb.DEFAULT_COLUMN_FAMILY));
    byte[] first = ClientBytes.key(attempt.client.number, 0);
    byte[] end = {first[0], (byte) (first[1] + 1)};
    try (Scan scan = keys.scan(ClientBytes.range(attempt.client.number))) {
      for (var row : above.subMap(new byte[] {first[0], first[1]}, end).entrySet()) {
        attempt.check(scan.next(), "fewer rows above the database");
        attempt.check(row.getKey(), scan.keyBytes(), "a key above the database");
        attempt.check(row.getValue(), scan.valueBytes(), "a value above the database");
      }
      attempt.check(!scan.next(), "more rows above the database");
    }
  }
}
