/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Holder;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** The first steps of a program with {@code org.rocksdb}. Passes with rocksdbjni too. */
@Tag("oracle")
class DatabaseTest {
  @TempDir Path folder;

  @BeforeAll
  static void load() {
    RocksDB.loadLibrary();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private RocksDB open(Options options) throws RocksDBException {
    return RocksDB.open(options.setCreateIfMissing(true), folder.toString());
  }

  @Test
  void valuesOfAnySizeComeBackAsTheyWerePut() throws RocksDBException {
    try (Options options = new Options();
        RocksDB db = open(options)) {
      for (int size : new int[] {0, 1, 2047, 2048, 2049, 20_000, 1 << 20}) {
        byte[] key = bytes("key" + size);
        byte[] value = new byte[size];
        IntStream.range(0, size).forEach(i -> value[i] = (byte) i);
        db.put(key, value);
        assertArrayEquals(value, db.get(key));
        byte[] target = new byte[size + 7];
        assertEquals(size, db.get(key, target));
      }
      assertNull(db.get(bytes("absent")));
      assertEquals(RocksDB.NOT_FOUND, db.get(bytes("absent"), new byte[3]));
    }
  }

  @Test
  void whereThereIsNoDatabaseThereAreNoFamilies() throws RocksDBException {
    try (Options options = new Options()) {
      assertEquals(List.of(), RocksDB.listColumnFamilies(options, folder.resolve("nothing").toString()));
      open(options).close();
      assertEquals(1, RocksDB.listColumnFamilies(options, folder.toString()).size());
    }
  }

  @Test
  void aValueIsCutToTheRoomThatThereIs() throws RocksDBException {
    try (Options options = new Options();
        RocksDB db = open(options)) {
      db.put(bytes("k"), bytes("0123456789"));
      byte[] target = bytes("abcdef");
      assertEquals(10, db.get(bytes("xkx"), 1, 1, target, 2, 3));
      assertEquals("ab012f", new String(target, UTF_8));
    }
  }

  @Test
  void buffersOfBothKindsAreReadAndWrittenFromTheirPosition() throws RocksDBException {
    try (Options options = new Options();
        RocksDB db = open(options);
        WriteOptions write = new WriteOptions();
        ReadOptions read = new ReadOptions()) {
      for (boolean direct : new boolean[] {true, false}) {
        ByteBuffer key = buffer(direct, "..key..").position(2).limit(5);
        ByteBuffer value = buffer(direct, "..value..").position(2).limit(7);
        db.put(write, key, value);
        assertEquals(5, key.position());
        assertArrayEquals(bytes("value"), db.get(bytes("key")));
        ByteBuffer target = buffer(direct, "##########").position(3);
        assertEquals(5, db.get(read, key.position(2), target));
        assertEquals(3, target.position());
        assertEquals(8, target.limit());
        assertEquals('v', target.get(3));
        assertEquals('e', target.get(7));
      }
    }
  }

  private static ByteBuffer buffer(boolean direct, String text) {
    ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(text.length()) : ByteBuffer.allocate(text.length());
    return buffer.put(bytes(text)).clear();
  }

  @Test
  void anIteratorGoesForwardBackwardAndToAKey() throws RocksDBException {
    try (Options options = new Options();
        RocksDB db = open(options)) {
      for (String key : List.of("a", "b", "c", "d")) {
        db.put(bytes(key), bytes("value of " + key));
      }
      try (RocksIterator rows = db.newIterator()) {
        List<String> seen = new ArrayList<>();
        for (rows.seekToFirst(); rows.isValid(); rows.next()) {
          seen.add(new String(rows.key(), UTF_8) + "=" + new String(rows.value(), UTF_8));
        }
        rows.status();
        assertEquals(List.of("a=value of a", "b=value of b", "c=value of c", "d=value of d"), seen);
        rows.seek(bytes("bb"));
        assertEquals("c", new String(rows.key(), UTF_8));
        rows.seekForPrev(bytes("bb"));
        assertEquals("b", new String(rows.key(), UTF_8));
        rows.prev();
        assertEquals("a", new String(rows.key(), UTF_8));
        rows.prev();
        assertFalse(rows.isValid());
      }
    }
  }

  @Test
  void aBatchIsWrittenAsAWhole() throws RocksDBException {
    try (Options options = new Options();
        RocksDB db = open(options);
        WriteOptions write = new WriteOptions();
        WriteBatch batch = new WriteBatch()) {
      db.put(bytes("gone"), bytes("soon"));
      batch.put(bytes("a"), bytes("1"));
      batch.delete(bytes("gone"));
      assertEquals(2, batch.count());
      assertNull(db.get(bytes("a")));
      db.write(write, batch);
      assertArrayEquals(bytes("1"), db.get(bytes("a")));
      assertNull(db.get(bytes("gone")));
      try (WriteBatch copy = new WriteBatch(batch.data())) {
        assertEquals(2, copy.count());
      }
    }
  }

  @Test
  void columnFamiliesAreCreatedListedReopenedAndDropped() throws RocksDBException {
    try (Options options = new Options();
        RocksDB db = open(options);
        ColumnFamilyOptions family = new ColumnFamilyOptions()) {
      ColumnFamilyHandle first = db.createColumnFamily(new ColumnFamilyDescriptor(bytes("first"), family));
      db.createColumnFamilies(family, List.of(bytes("second"), bytes("third")));
      db.put(first, bytes("k"), bytes("v"));
      assertNull(db.get(bytes("k")));
      assertArrayEquals(bytes("v"), db.get(first, bytes("k")));
      assertEquals("first", new String(first.getName(), UTF_8));
    }
    try (Options options = new Options()) {
      assertEquals(
          List.of("default", "first", "second", "third"),
          RocksDB.listColumnFamilies(options, folder.toString()).stream().map(name -> new String(name, UTF_8))
              .toList());
    }
    List<ColumnFamilyHandle> families = new ArrayList<>();
    try (DBOptions options = new DBOptions();
        ColumnFamilyOptions family = new ColumnFamilyOptions();
        RocksDB db = RocksDB.open(
            options,
            folder.toString(),
            List.of("default", "first", "second", "third").stream()
                .map(name -> new ColumnFamilyDescriptor(bytes(name), family))
                .toList(),
            families)) {
      assertArrayEquals(bytes("v"), db.get(families.get(1), bytes("k")));
      db.dropColumnFamily(families.get(3));
      assertEquals(folder.toString(), db.getName());
    }
  }

  @Test
  void aSnapshotSeesWhatWas() throws RocksDBException {
    try (Options options = new Options();
        RocksDB db = open(options);
        ReadOptions read = new ReadOptions()) {
      db.put(bytes("k"), bytes("old"));
      Snapshot snapshot = db.getSnapshot();
      db.put(bytes("k"), bytes("new"));
      read.setSnapshot(snapshot);
      assertArrayEquals(bytes("old"), db.get(read, bytes("k")));
      read.setSnapshot(null);
      db.releaseSnapshot(snapshot);
      assertArrayEquals(bytes("new"), db.get(read, bytes("k")));
    }
  }

  @Test
  void theKeysThatMayExistAreTold() throws RocksDBException {
    try (Options options = new Options();
        RocksDB db = open(options)) {
      db.put(bytes("k"), bytes("value"));
      Holder<byte[]> value = new Holder<>();
      assertTrue(db.keyMayExist(bytes("k"), value));
      assertArrayEquals(bytes("value"), value.getValue());
      assertFalse(db.keyMayExist(bytes("absent"), null));
      assertTrue(db.keyExists(bytes("k")));
      assertFalse(db.keyExists(bytes("absent")));
    }
  }

  @Test
  void aFailureHasItsCodeSubcodeAndState() throws RocksDBException {
    try (Options options = new Options()) {
      RocksDBException failure =
          assertThrows(RocksDBException.class, () -> RocksDB.open(options, folder.resolve("none").toString()));
      assertEquals(Status.Code.InvalidArgument, failure.getStatus().getCode());
      assertEquals(Status.SubCode.None, failure.getStatus().getSubCode());
      assertTrue(failure.getMessage().endsWith("does not exist (create_if_missing is false)"), failure.getMessage());
      assertEquals(failure.getMessage(), failure.getStatus().getState());
    }
  }

  @Test
  void whatIsLargerThanItsRoomIsCutOff(@TempDir Path folder) throws RocksDBException {
    byte[] key = "key".getBytes(UTF_8);
    try (Options options = new Options().setCreateIfMissing(true);
        ReadOptions read = new ReadOptions();
        RocksDB db = RocksDB.open(options, folder.toString())) {
      for (int size : new int[] {1, 100, 2048, 2049, 20_000}) {
        byte[] value = new byte[size];
        Arrays.fill(value, (byte) 7);
        db.put(key, value);
        for (int room : new int[] {0, size - 1, size, size + 1, 2047, 2048, 2049, 30_000}) {
          byte[] array = new byte[room];
          assertEquals(size, db.get(key, array));
          assertHolds(array, size);
          ByteBuffer buffer = ByteBuffer.allocateDirect(room + 3).position(2).limit(room + 2);
          assertEquals(size, db.get(read, ByteBuffer.allocateDirect(3).put(key).flip(), buffer));
          assertEquals(2 + Math.min(size, room), buffer.limit());
          byte[] copy = new byte[room];
          buffer.limit(room + 2).get(2, copy);
          assertHolds(copy, size);
          assertEquals(0, buffer.get(0) + buffer.get(1) + buffer.clear().get(room + 2));
        }
      }
      assertEquals(RocksDB.NOT_FOUND, db.get("none".getBytes(UTF_8), new byte[0]));
      assertEquals(RocksDB.NOT_FOUND, db.get("none".getBytes(UTF_8), new byte[10]));
    }
  }

  private static void assertHolds(byte[] room, int size) {
    for (int i = 0; i < room.length; i++) {
      assertEquals(i < size ? 7 : 0, room[i]);
    }
  }
}
