/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.scans;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.IndexedBatch;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.KeyWriter;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.WriteBatch;

/** Tests keys and values in different kinds of memory, of which the key is converted to the value's kind. */
class MixedMemoryTest {
  /** The kinds of memory of an argument. */
  enum Kind {
    ARRAY {
      @Override
      MemorySegment segment(byte[] bytes, Arena arena) {
        return MemorySegment.ofArray(bytes);
      }
    },
    PART_OF_ARRAY {
      @Override
      MemorySegment segment(byte[] bytes, Arena arena) {
        byte[] around = new byte[bytes.length + 5];
        Arrays.fill(around, (byte) 'x');
        System.arraycopy(bytes, 0, around, 3, bytes.length);
        return MemorySegment.ofArray(around).asSlice(3, bytes.length);
      }
    },
    NATIVE {
      @Override
      MemorySegment segment(byte[] bytes, Arena arena) {
        return arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
      }
    },
    OTHER_ARRAY {
      @Override
      MemorySegment segment(byte[] bytes, Arena arena) {
        long[] around = new long[bytes.length / Long.BYTES + 1];
        return MemorySegment.ofArray(around).asSlice(0, bytes.length).copyFrom(MemorySegment.ofArray(bytes));
      }
    };

    abstract MemorySegment segment(byte[] bytes, Arena arena);
  }

  private static final byte[] KEY = bytes("key");

  @TempDir Path folder;

  private static void check(KeyWriter writer, KeyReader reader, Arena arena, Kind ofKey, Kind ofValue) {
    byte[] value = bytes("value of " + ofKey + " and " + ofValue);
    MemorySegment key = ofKey.segment(KEY, arena);
    writer.put(key, ofValue.segment(value, arena));
    if (reader == null) {
      return;
    }
    assertArrayEquals(value, reader.get(KEY));
    MemorySegment target = ofValue.segment(new byte[100], arena);
    assertEquals(value.length, reader.getInto(key, target));
    assertArrayEquals(value, target.asSlice(0, value.length).toArray(ValueLayout.JAVA_BYTE));
    try (PinnedValues found =
        reader.multiGet().add(KEY).add(key).add(MemorySegment.ofBuffer(ByteBuffer.wrap(KEY))).get()) {
      for (int i = 0; i < 3; i++) {
        assertArrayEquals(value, found.segment(i).toArray(ValueLayout.JAVA_BYTE));
      }
    }
  }

  private static void forAllPairs(KeyWriter writer, KeyReader reader) {
    try (Arena arena = Arena.ofConfined()) {
      for (Kind ofKey : Kind.values()) {
        for (Kind ofValue : Kind.values()) {
          check(writer, reader, arena, ofKey, ofValue);
        }
      }
    }
  }

  @Test
  void aDatabaseABatchAndATransactionTakeEachPair() {
    try (TransactionDb db = TransactionDb.open(folder);
        Transaction transaction = db.begin();
        IndexedBatch indexed = db.indexedBatch()) {
      forAllPairs(db, db);
      forAllPairs(transaction, transaction);
      forAllPairs(indexed, indexed);
      WriteBatch batch = new WriteBatch();
      forAllPairs(batch, null);
      transaction.rollback();
      db.write(batch);
      assertEquals("value of OTHER_ARRAY and OTHER_ARRAY", new String(db.get(KEY)));
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void operandsAreMergedFromEachKind(Kind kind) {
    FamilyOptions options = FamilyOptions.defaults().mergeOperator(MergeOperator.stringAppend(','));
    try (RocksDb db = RocksDb.at(folder).defaults(options).open();
        Arena arena = Arena.ofConfined()) {
      db.merge(KEY, bytes("a"));
      db.merge(MemorySegment.ofArray(KEY), kind.segment(bytes("b"), arena));
      db.merge(kind.segment(KEY, arena), MemorySegment.ofArray(bytes("c")));
      assertEquals("a,b,c", new String(db.get(KEY)));
    }
  }

  @Test
  void aBufferTakesTheValueOfAKeyInAPartOfAnArray() {
    try (RocksDb db = RocksDb.open(folder)) {
      byte[] around = bytes("<key>");
      MemorySegment key = MemorySegment.ofBuffer(ByteBuffer.wrap(around, 1, KEY.length));
      db.put(key, MemorySegment.ofBuffer(ByteBuffer.allocateDirect(8).putLong(42).flip()));
      for (ByteBuffer target : List.of(ByteBuffer.allocate(12), ByteBuffer.allocateDirect(12))) {
        assertEquals(8, db.getInto(key, MemorySegment.ofBuffer(target)));
        assertEquals(42, target.getLong(0));
      }
      assertTrue(db.contains(KEY));
      db.delete(key);
      assertEquals(KeyReader.ABSENT, db.getInto(key, MemorySegment.ofArray(new byte[8])));
    }
  }

  @Test
  void aPartBeyondTheArrayIsRefusedByTheJdk() {
    assertThrows(IndexOutOfBoundsException.class, () -> ByteBuffer.wrap(KEY, 2, 2));
    assertThrows(IndexOutOfBoundsException.class, () -> MemorySegment.ofArray(KEY).asSlice(2, 2));
  }
}
