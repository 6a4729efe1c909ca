/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.rocksdbffm.internal.call.CallMemory;

/** Keys and values of sizes around the memory of a call, in which the value follows the key. */
class SizesTest {
  private static final int ROOM = CallMemory.VALUE_ROOM;
  private static final int OFFSET = 3;

  @TempDir Path folder;

  private interface Write {
    void write(RocksDB db, ColumnFamilyHandle family, WriteOptions options) throws RocksDBException;
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0", "0, 1", "1, 0", "7, 8", "8, 7", "9, 63", "63, 64", "64, 9", "1024, 1025", "1025, 1024",
    "1, " + (ROOM - 1), (ROOM - 1) + ", 1", "8, " + (ROOM - 7), ROOM + ", 0", (ROOM + 1) + ", 0", ROOM + ", " + ROOM,
    "100000, 1000000"
  })
  void aWriteStoresAndDeletesExactlyItsKeyAndValue(int keySize, int valueSize) throws RocksDBException {
    byte[] key = bytes(keySize);
    byte[] value = bytes(valueSize);
    byte[] longKey = within(key);
    byte[] longValue = within(value);
    try (Options options = new Options().setCreateIfMissing(true);
        WriteOptions writing = new WriteOptions();
        RocksDB opened = RocksDB.open(options, folder.toString())) {
      ColumnFamilyHandle all = opened.getDefaultColumnFamily();
      check(opened, key, value, (db, family, with) -> db.put(family, with, key, value));
      check(opened, key, value, (db, family, with) ->
          db.put(longKey, OFFSET, keySize, longValue, OFFSET, valueSize));
      check(opened, key, value, (db, family, with) -> db.put(family, with, direct(key), direct(value)));
      check(opened, key, value, (db, family, with) -> write(db, with, batch -> batch.put(family, key, value)));
      check(opened, key, value, (db, family, with) -> write(db, with, batch -> batch.put(direct(key), direct(value))));
      opened.put(key, value);
      opened.delete(all, writing, direct(key));
      assertNull(opened.get(key));
      opened.put(key, value);
      write(opened, writing, batch -> batch.delete(direct(key)));
      assertNull(opened.get(key));
    }
  }

  private interface Append {
    void to(WriteBatch batch) throws RocksDBException;
  }

  private static void write(RocksDB db, WriteOptions options, Append append) throws RocksDBException {
    try (WriteBatch batch = new WriteBatch()) {
      append.to(batch);
      db.write(options, batch);
    }
  }

  private static void check(RocksDB db, byte[] key, byte[] value, Write write) throws RocksDBException {
    try (WriteOptions options = new WriteOptions()) {
      write.write(db, db.getDefaultColumnFamily(), options);
      assertArrayEquals(value, db.get(key));
      write(db, options, batch -> batch.delete(db.getDefaultColumnFamily(), key));
      assertNull(db.get(key));
    }
  }

  private static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  /** Returns an array with other bytes before and after the given bytes. */
  private static byte[] within(byte[] bytes) {
    byte[] longer = bytes(bytes.length + 2 * OFFSET);
    System.arraycopy(bytes, 0, longer, OFFSET, bytes.length);
    return longer;
  }

  private static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }
}
