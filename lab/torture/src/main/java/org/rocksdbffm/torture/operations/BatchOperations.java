/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.IndexedBatch;
import org.rocksdbffm.IndexedBatchKeys;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.KeyWriter;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Scan;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.torture.world.Attempt;
import org.rocksdbffm.torture.world.ClientBytes;
import org.rocksdbffm.torture.world.FamilyModel;
import org.rocksdbffm.torture.world.Held;
import org.rocksdbffm.torture.world.Operation;
import org.rocksdbffm.torture.world.Place;

/**
 * Write batches of one client, checked against the model; shared batches, which all clients use concurrently; batches
 * with an index, which are read together with the database.
 */
public final class BatchOperations {
  static final List<Operation> ALL =
      List.of(
          new Operation("writeBatch", 150, BatchOperations::write),
          new Operation("newBatch", 20, BatchOperations::make),
          new Operation("fillBatch", 60, BatchOperations::fill),
          new Operation("useBatch", 60, BatchOperations::use),
          new Operation("indexedBatch", 20, BatchOperations::useIndexed));

  private static final int LARGE = 100_000;
  private static final int MOST_CHANGES = 12;

  private BatchOperations() {}

  /** Writes changes to the default family and another family; all changes must be visible afterwards. */
  private static void write(Attempt attempt) {
    Place place = attempt.world.anyWritable(attempt.random);
    WriteBatch batch = attempt.oneIn(2) ? new WriteBatch() : new WriteBatch(ByteSize.bytes(attempt.random.nextInt(99)));
    List<Runnable> effects = new ArrayList<>();
    FamilyModel defaults = place.store.family("default");
    append(batch, defaults.of(attempt.client.number), attempt, effects);
    Place other = attempt.world.anyPlace(attempt.random);
    // The write options may ignore dropped families, whose rows can still be read: the result would be unknown.
    boolean mayIgnore = place.object.getClass() == KeySpace.class;
    if (!mayIgnore && other.object instanceof ColumnFamily family && other.database == place.database) {
      attempt.touch(other);
      attempt.touch(new FamilyOperations.Dropped(other));
      attempt.allow(IllegalStateException.class, "(?s)batch: it writes to the column family .*has no more");
      append(batch.in(family), other.family.of(attempt.client.number), attempt, effects);
    }
    if (attempt.oneIn(3)) {
      batch.setSavePoint();
      append(batch, FamilyModel.empty(), attempt, new ArrayList<>());
      batch.rollbackToSavePoint();
    }
    attempt.use(place.database);
    attempt.touch(place);
    attempt.touch(new FamilyOperations.Dropped(place));
    attempt.allow(org.rocksdbffm.RocksDbException.Code.INCOMPLETE);
    place.keySpace().write(batch);
    effects.forEach(Runnable::run);
  }

  private static void append(
      KeyWriter writer, NavigableMap<byte[], byte[]> rows, Attempt attempt, List<Runnable> effects) {
    for (int i = attempt.random.nextInt(6); i > 0; i--) {
      byte[] key = WriteOperations.anyKey(attempt);
      byte[] value = attempt.oneIn(4) ? ClientBytes.value(attempt.random) : new byte[] {1, 2, 3};
      switch (attempt.random.nextInt(8)) {
        case 0 -> {
          writer.delete(key);
          effects.add(() -> rows.remove(key));
        }
        case 1 -> {
          writer.merge(ClientBytes.segment(key, attempt), ClientBytes.segment(new byte[] {7}, attempt));
          effects.add(() -> rows.put(key, WriteOperations.merged(rows.get(key), new byte[] {7})));
        }
        case 2 -> {
          byte[] until =
              ClientBytes.key(attempt.client.number, Math.min(ClientBytes.KEYS - 1, (key[3] & 0xff) / 5 + 2));
          if (attempt.oneIn(2)) {
            writer.deleteRange(KeyRange.between(key, until));
          } else {
            writer.deleteRange(ClientBytes.buffer(key, attempt), ClientBytes.buffer(until, attempt));
          }
          effects.add(() -> rows.subMap(key, until).clear());
        }
        case 3 -> {
          writer.put(ClientBytes.segment(key, attempt), ClientBytes.segment(value, attempt));
          effects.add(() -> rows.put(key, value));
        }
        default -> {
          writer.put(key, value);
          effects.add(() -> rows.put(key, value));
        }
      }
    }
  }

  private static void make(Attempt attempt) {
    attempt.world.add(attempt.world.batches, new Held<>(new WriteBatch()), attempt);
  }

  /** Adds changes to a batch that other clients fill, clear and read concurrently, and that is never written. */
  private static void fill(Attempt attempt) {
    Held<WriteBatch> held = attempt.world.batches.any(attempt.random);
    if (held == null) {
      return;
    }
    WriteBatch batch = attempt.share(held);
    if (batch.size().bytes() > LARGE) {
      batch.clear();
    }
    KeyWriter writer = batch;
    Place place = attempt.world.anyPlace(attempt.random);
    if (place.object instanceof ColumnFamily family) {
      attempt.allow(IllegalArgumentException.class, "(?s)columnFamily: .*, but the batch already has others of .*");
      writer = batch.in(family);
    }
    byte[] key = WriteOperations.anyKey(attempt);
    switch (attempt.random.nextInt(12)) {
      case 0 -> writer.put(key, key);
      case 1 -> writer.put(ClientBytes.segment(key, attempt), ClientBytes.segment(key, attempt));
      case 2 -> writer.put(ClientBytes.buffer(key, attempt), ClientBytes.buffer(key, attempt));
      case 3 -> writer.merge(key, key);
      case 4 -> writer.merge(ClientBytes.buffer(key, attempt), ClientBytes.buffer(key, attempt));
      case 5 -> writer.delete(ClientBytes.segment(key, attempt));
      case 6 -> writer.delete(ClientBytes.buffer(key, attempt));
      case 7 -> writer.singleDelete(key);
      case 8 -> writer.singleDelete(ClientBytes.segment(key, attempt));
      case 9 -> writer.singleDelete(ClientBytes.buffer(key, attempt));
      case 10 -> writer.deleteRange(key, key);
      default -> writer.deleteRange(ClientBytes.segment(key, attempt), ClientBytes.segment(key, attempt));
    }
  }

  private static void use(Attempt attempt) {
    Held<WriteBatch> held = attempt.world.batches.any(attempt.random);
    if (held == null) {
      return;
    }
    WriteBatch batch = attempt.share(held);
    attempt.allow(IllegalStateException.class, "the batch has no save point.*");
    switch (attempt.random.nextInt(6)) {
      case 0 -> batch.setSavePoint();
      case 1 -> batch.rollbackToSavePoint();
      case 2 -> batch.popSavePoint();
      case 3 -> batch.clear();
      case 4 -> attempt.check(batch.count() >= 0 && batch.size().bytes() >= 0, "a negative size");
      default ->
          batch.forEach((operation, family, key, value) -> {
            read(batch, key);
            read(batch, value);
          });
    }
  }

  /** Reads a segment that was passed to a visitor, and calls the batch's methods during the visit. */
  private static void read(WriteBatch batch, MemorySegment bytes) {
    if (bytes != null && bytes.byteSize() > 0) {
      bytes.get(ValueLayout.JAVA_BYTE, bytes.byteSize() - 1);
    }
    batch.count();
  }

  private static void useIndexed(Attempt attempt) {
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
