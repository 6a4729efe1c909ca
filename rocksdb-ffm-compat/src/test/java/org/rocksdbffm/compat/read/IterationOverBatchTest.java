/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WriteBatchInterface;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;

/** Tests iterators over a batch, which moves its entries when it grows, and over the database below it. */
final class IterationOverBatchTest {
  @TempDir Path folder;

  private StringAppendOperator appending;
  private Options options;
  private TransactionDBOptions transactionDbOptions;
  private WriteOptions write;
  private ReadOptions read;
  private TransactionDB db;

  @BeforeEach
  void open() throws RocksDBException {
    appending = new StringAppendOperator();
    options = new Options().setCreateIfMissing(true).setMergeOperator(appending);
    transactionDbOptions = new TransactionDBOptions();
    write = new WriteOptions();
    read = new ReadOptions();
    db = TransactionDB.open(options, transactionDbOptions, folder.toString());
  }

  @AfterEach
  void close() {
    db.close();
    read.close();
    write.close();
    transactionDbOptions.close();
    options.close();
    appending.close();
  }

  private static byte[] bytes(int first, int size) {
    byte[] bytes = new byte[size];
    Arrays.fill(bytes, (byte) (first * 7 + size));
    if (size > 0) {
      bytes[0] = (byte) first;
    }
    return bytes;
  }

  /** Small entries are copied to the heap, as are keys up to a size; others stay in the engine's memory. */
  @ParameterizedTest
  @CsvSource(
      {"4, 0", "4, 10", "4, 780", "4, 790", "4, 1020", "4, 1025", "4, 5000", "300, 500", "300, 5000", "256, 900"})
  void aRowIsTheSameAfterTheBatchHasGrown(int keySize, int valueSize) throws RocksDBException {
    byte[] below = bytes(1, keySize);
    byte[] written = bytes(2, keySize);
    byte[] merged = bytes(3, keySize);
    db.put(below, bytes(11, valueSize));
    db.put(merged, bytes(13, valueSize));
    try (WriteBatchWithIndex batch = new WriteBatchWithIndex(true);
        Transaction transaction = db.beginTransaction(write)) {
      for (WriteBatchInterface over : new WriteBatchInterface[] {batch, null}) {
        if (over == null) {
          transaction.put(written, bytes(12, valueSize));
          transaction.merge(merged, bytes(14, valueSize));
        } else {
          over.put(written, bytes(12, valueSize));
          over.merge(merged, bytes(14, valueSize));
        }
        byte[] afterMerge = new byte[2 * valueSize + 1];
        System.arraycopy(bytes(13, valueSize), 0, afterMerge, 0, valueSize);
        afterMerge[valueSize] = ',';
        System.arraycopy(bytes(14, valueSize), 0, afterMerge, valueSize + 1, valueSize);
        try (RocksIterator rows =
            over == null ? transaction.getIterator(read) : batch.newIteratorWithBase(db.newIterator(read), read)) {
          for (boolean forward : new boolean[] {true, false}) {
            if (forward) {
              rows.seekToFirst();
            } else {
              rows.seekToLast();
            }
            for (int i = 0; i < 3; i++) {
              int row = forward ? 1 + i : 3 - i;
              byte[] value = row == 3 ? afterMerge : bytes(10 + row, valueSize);
              assertRow(rows, bytes(row, keySize), value);
              for (int n = 0; n < 300; n++) { // keys after all others, so that the batch grows
                byte[] far = new byte[] {100, (byte) n, (byte) row, (byte) (forward ? 1 : 0)};
                if (over == null) {
                  transaction.put(far, new byte[1000]);
                } else {
                  over.put(far, new byte[1000]);
                }
              }
              assertRow(rows, bytes(row, keySize), value);
              if (forward) {
                rows.next();
              } else {
                rows.prev();
              }
            }
            if (forward) {
              assertTrue(rows.isValid());
              assertEquals(100, rows.key()[0]);
              deleteFar(over, transaction);
            } else {
              assertFalse(rows.isValid());
            }
          }
        }
      }
    }
  }

  /** Deletes entries, so that the last entry is the third again. */
  private static void deleteFar(WriteBatchInterface batch, Transaction transaction) throws RocksDBException {
    for (int row = 1; row <= 3; row++) {
      for (int n = 0; n < 300; n++) {
        byte[] far = new byte[] {100, (byte) n, (byte) row, 1};
        if (batch == null) {
          transaction.delete(far);
        } else {
          batch.delete(far);
        }
      }
    }
  }

  private static void assertRow(RocksIterator rows, byte[] key, byte[] value) {
    assertTrue(rows.isValid());
    assertArrayEquals(key, rows.key());
    assertArrayEquals(value, rows.value());
    byte[] part = new byte[3];
    assertEquals(value.length, rows.value(part));
    assertArrayEquals(Arrays.copyOf(Arrays.copyOf(value, Math.min(3, value.length)), 3), part);
    ByteBuffer room = ByteBuffer.allocateDirect(value.length + 5);
    room.position(2);
    assertEquals(value.length, rows.value(room));
    assertEquals(value.length, room.remaining());
    byte[] read = new byte[room.remaining()];
    room.get(read);
    assertArrayEquals(value, read);
    ByteBuffer keyRoom = ByteBuffer.allocateDirect(key.length);
    assertEquals(key.length, rows.key(keyRoom));
    assertEquals(ByteBuffer.wrap(key), keyRoom);
  }

  @Test
  void aRowOfAClearedBatchIsRefusedWhereverItLies() throws RocksDBException {
    for (int size : new int[] {10, 5000}) {
      try (WriteBatchWithIndex batch = new WriteBatchWithIndex(true)) {
        batch.put(bytes(1, 4), bytes(2, size));
        try (RocksIterator rows = batch.newIteratorWithBase(db.newIterator(read), read)) {
          rows.seekToFirst();
          assertRow(rows, bytes(1, 4), bytes(2, size));
          batch.clear();
          assertThrows(IllegalStateException.class, rows::isValid);
          assertThrows(IllegalStateException.class, rows::key);
          assertThrows(IllegalStateException.class, rows::value);
          assertThrows(IllegalStateException.class, rows::next);
        }
      }
    }
  }
}
