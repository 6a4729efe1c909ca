/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.writes;

import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.IndexedBatch;
import org.rocksdbffm.KeyCodec;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyWriter;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.ValueCodec;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.WriteOptions;

/**
 * A kind of write, distinguished by its records in the WAL and their recovery. The database has the column families
 * "plain", "reverse" and "java", in which longer keys come before shorter ones.
 */
enum WriteKind {
  PUT((db, random) -> db.put(key(random), key(random))),
  DELETE((db, random) -> db.delete(key(random))),
  SINGLE_DELETE((db, random) -> family(db, random).singleDelete(bytes("single " + random.nextInt()))),
  MERGE((db, random) -> family(db, random).merge(key(random), key(random))),
  MANY_MERGES_OF_A_KEY((db, random) -> IntStream.range(0, 12).forEach(i -> db.merge(bytes("m"), key(random)))),
  RANGE((db, random) -> db.deleteRange(bytes("b"), bytes("d"))),
  CLOSED_RANGE((db, random) -> random(db, random).deleteRange(KeyRange.closed(bytes("e"), bytes("e")))),
  EMPTY_RANGE((db, random) -> {
    byte[] key = key(random);
    random(db, random).deleteRange(key, key.clone());
  }),
  EMPTY_RANGE_OF_SEGMENTS((db, random) -> {
    MemorySegment key = MemorySegment.ofArray(key(random));
    random(db, random).deleteRange(key, key);
  }),
  EMPTY_RANGE_AS_OBJECT((db, random) -> random(db, random).deleteRange(KeyRange.between(bytes("f"), bytes("f")))),
  EMPTY_RANGE_OF_TYPED_KEYS((db, random) -> db.typed(KeyCodec.int64(), ValueCodec.counter()).deleteRange(5L, 5L)),
  EMPTY_RANGE_SYNCED((db, random) -> db.with(WriteOptions.defaults().sync(true)).deleteRange(bytes("g"), bytes("g"))),
  NEGATIVE_RANGE((db, random) -> {
    byte[] first = bytes("a");
    byte[] last = bytes("b");
    assertThrowsExactly(IllegalArgumentException.class, () -> db.deleteRange(last, first));
    assertThrowsExactly(IllegalArgumentException.class, () -> db.family("reverse").deleteRange(first, last));
    assertThrowsExactly(IllegalArgumentException.class, () -> db.family("java").deleteRange(first, bytes("aa")));
    WriteBatch batch = new WriteBatch();
    batch.put(first, last);
    batch.deleteRange(last, first);
    assertThrowsExactly(IllegalArgumentException.class, () -> db.write(batch));
  }),
  BATCH((db, random) -> db.write(batch(db, random))),
  BATCH_OF_NOTHING((db, random) -> db.write(new WriteBatch())),
  BATCH_THAT_WAS_ROLLED_BACK((db, random) -> {
    WriteBatch batch = batch(db, random);
    batch.setSavePoint();
    batch.deleteRange(bytes("h"), bytes("h"));
    batch.put(bytes("h"), bytes("h"));
    batch.rollbackToSavePoint();
    db.write(batch);
  }),
  BATCH_OF_EMPTY_RANGES((db, random) -> {
    WriteBatch batch = new WriteBatch();
    batch.deleteRange(bytes("i"), bytes("i"));
    batch.in(db.family("java")).deleteRange(bytes("i"), bytes("i"));
    batch.in(db.family("reverse")).deleteRange(bytes("i"), bytes("i"));
    db.write(batch);
  }),
  BATCH_WITH_EMPTY_RANGES((db, random) -> db.write(withEmptyRanges(db, random))),
  BATCH_OF_BYTES((db, random) ->
      db.write(WriteBatch.from(MemorySegment.ofArray(withEmptyRanges(db, random).toBytes())))),
  LARGE_BATCH_WITH_EMPTY_RANGES((db, random) -> {
    WriteBatch batch = withEmptyRanges(db, random);
    batch.put(bytes("large"), new byte[3 << 20]);
    db.write(batch);
  }),
  INDEXED_BATCH((db, random) -> {
    try (IndexedBatch batch = db.indexedBatch()) {
      batch.put(key(random), key(random));
      batch.put(bytes("j"), key(random));
      batch.delete(bytes("j"));
      batch.in(db.family("reverse")).merge(key(random), key(random));
      batch.write();
    }
  }),
  MANY_THREADS((db, random) -> {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      long seed = random.nextLong();
      threads.add(Thread.ofPlatform().start(() -> writeOften(db, new Random(seed))));
    }
    threads.forEach(WriteKind::join);
  }),
  MISSING_FAMILY((db, random) -> {
    ColumnFamily family = db.createFamily("missing", FamilyOptions.defaults());
    WriteBatch batch = batch(db, random);
    batch.in(family).put(key(random), key(random));
    batch.in(family).deleteRange(bytes("k"), bytes("k"));
    db.dropFamily(family);
    batch.merge(bytes("m"), bytes("missing"));
    db.with(WriteOptions.defaults().ignoreMissingColumnFamilies(true)).write(batch);
  }),
  DROPPED_FAMILY((db, random) -> {
    ColumnFamily family = db.createFamily("dropped", FamilyOptions.defaults());
    family.put(key(random), key(random));
    family.deleteRange(bytes("k"), bytes("k"));
    family.deleteRange(bytes("k"), bytes("l"));
    db.dropFamily(family);
  }),
  SINGLE_DELETED_ROW((db, random) -> {
    ColumnFamily family = family(db, random);
    byte[] key = bytes("row " + random.nextInt());
    family.put(key, key);
    family.singleDelete(key);
    family.singleDelete(bytes("none"));
    family.singleDelete(bytes("none"));
  }),
  FLUSHED_FAMILY((db, random) -> {
    db.write(withEmptyRanges(db, random));
    db.family("reverse").flush();
  }),
  SNAPSHOT((db, random) -> {
    try (Snapshot _ = db.snapshot()) {
      db.put(bytes("s"), key(random));
      db.put(bytes("s"), key(random));
    }
  }),
  UNLOGGED((db, random) -> db.with(WriteOptions.defaults().disableWal(true)).write(withEmptyRanges(db, random))),
  INGESTED((db, random) -> {
    Path file = db.path().resolveSibling("ingested" + random.nextLong() + ".sst");
    try (TableWriter table = TableWriter.create(file, FamilyOptions.defaults())) {
      table.deleteRange(bytes("a"), bytes("a"));
      table.put(bytes("ingested"), key(random));
      table.finish();
    }
    db.family("plain").files().ingest(file);
  });

  private final BiConsumer<RocksDb, Random> write;

  WriteKind(BiConsumer<RocksDb, Random> write) {
    this.write = write;
  }

  void write(RocksDb db, Random random) {
    write.accept(db, random);
  }

  /** Whether the WAL contains all of its changes. */
  boolean isLogged() {
    return this != UNLOGGED && this != INGESTED;
  }

  private static byte[] key(Random random) {
    return bytes(Character.toString('a' + random.nextInt(26)));
  }

  private static ColumnFamily family(RocksDb db, Random random) {
    return db.family(List.of("plain", "reverse", "java").get(random.nextInt(3)));
  }

  private static KeyWriter random(RocksDb db, Random random) {
    return random.nextInt(3) == 0 ? db : family(db, random);
  }

  private static void writeOften(RocksDb db, Random random) {
    for (int i = 0; i < 10; i++) {
      List.of(PUT, EMPTY_RANGE, MERGE, BATCH_WITH_EMPTY_RANGES, BATCH_OF_NOTHING).get(random.nextInt(5))
          .write(db, random);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static WriteBatch batch(RocksDb db, Random random) {
    WriteBatch batch = new WriteBatch();
    for (int i = random.nextInt(5); i >= 0; i--) {
      KeyWriter writer = random.nextBoolean() ? batch : batch.in(family(db, random));
      switch (random.nextInt(4)) {
        case 0 -> writer.put(key(random), key(random));
        case 1 -> writer.merge(key(random), key(random));
        case 2 -> writer.delete(key(random));
        default -> batch.deleteRange(bytes("c"), bytes("e"));
      }
    }
    return batch;
  }

  /** Returns a batch with empty ranges, sometimes with other records before, between and after them. */
  private static WriteBatch withEmptyRanges(RocksDb db, Random random) {
    WriteBatch batch = random.nextBoolean() ? new WriteBatch() : batch(db, random);
    for (int i = random.nextInt(4); i >= 0; i--) {
      switch (random.nextInt(4)) {
        case 0 -> batch.merge(bytes("m"), key(random));
        case 1 -> batch.in(db.family("java")).deleteRange(bytes("n"), bytes("n"));
        default -> {
          byte[] key = key(random);
          batch.in(family(db, random)).deleteRange(key, key);
        }
      }
    }
    return batch;
  }
}
