/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.ByteBufferGetStatus;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** Multi-gets of as many keys as fit into the memory of a call, and of more. */
class ManyKeysTest {
  private static final int ROWS = 3000;
  private static final int ROOM = 50;

  @TempDir Path folder;

  private Options options;
  private RocksDB db;
  private ColumnFamilyHandle other;

  @BeforeAll
  static void load() {
    RocksDB.loadLibrary();
  }

  /** Every third key is absent; values have up to 99 bytes, and one is large. */
  @BeforeEach
  void fill() throws RocksDBException {
    options = new Options().setCreateIfMissing(true);
    db = RocksDB.open(options, folder.toString());
    other = db.createColumnFamily(new ColumnFamilyDescriptor("other".getBytes(UTF_8)));
    for (int i = 0; i < ROWS; i++) {
      if (i % 3 != 0) {
        db.put(key(i), value(i));
        db.put(other, key(i), key(i));
      }
    }
  }

  @AfterEach
  void close() {
    other.close();
    db.close();
    options.close();
  }

  /** Keys of various lengths, not sorted. */
  private static byte[] key(int row) {
    return (Integer.reverse(row) + "k".repeat(row % 90)).getBytes(UTF_8);
  }

  private static byte[] value(int row) {
    byte[] value = new byte[row == 7 ? 100_000 : row % 100];
    Arrays.fill(value, (byte) row);
    return value;
  }

  private static List<byte[]> keys(int count) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add(key(i));
    }
    return keys;
  }

  @Tag("oracle")
  @ParameterizedTest
  @ValueSource(ints = {1, 10, 100, ROWS})
  void eachKeyHasItsValueInTheListOrNone(int count) throws RocksDBException {
    List<byte[]> values = db.multiGetAsList(keys(count));
    assertEquals(count, values.size());
    for (int i = 0; i < count; i++) {
      assertArrayEquals(i % 3 == 0 ? null : value(i), values.get(i));
    }
  }

  @Tag("oracle")
  @ParameterizedTest
  @ValueSource(ints = {2, 10, 100, ROWS})
  void eachKeyIsReadFromItsFamily(int count) throws RocksDBException {
    List<ColumnFamilyHandle> families = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      families.add(i % 2 == 0 ? db.getDefaultColumnFamily() : other);
    }
    List<byte[]> values = db.multiGetAsList(families, keys(count));
    for (int i = 0; i < count; i++) {
      assertArrayEquals(i % 3 == 0 ? null : i % 2 == 0 ? value(i) : key(i), values.get(i));
    }
  }

  /** rocksdbjni uses the limit as a length, and so reads another key, unless the position is 0. */
  @ParameterizedTest
  @ValueSource(ints = {1, 10, 100, ROWS})
  void keysInBuffersBeginAtTheirPositionAndValuesFillWhatThereIs(int count) throws RocksDBException {
    List<ByteBuffer> keys = new ArrayList<>();
    List<ByteBuffer> targets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] key = key(i);
      keys.add(ByteBuffer.allocateDirect(key.length + 9).put(5, key).position(5).limit(5 + key.length));
      targets.add(ByteBuffer.allocateDirect(ROOM));
    }
    List<ByteBufferGetStatus> results = db.multiGetByteBuffers(keys, targets);
    for (int i = 0; i < count; i++) {
      ByteBufferGetStatus result = results.get(i);
      if (i % 3 == 0) {
        assertEquals(Status.Code.NotFound, result.status.getCode());
      } else {
        assertEquals(Status.Code.Ok, result.status.getCode());
        assertEquals(value(i).length, result.requiredSize);
        assertEquals(ByteBuffer.wrap(value(i), 0, Math.min(value(i).length, ROOM)), result.value);
      }
    }
  }
}
