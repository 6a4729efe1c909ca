/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.writes;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.random;
import static org.rocksdbffm.tools.Bytes.text;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.Compression;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.KeyWriter;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.tools.KeyKind;

class WriterTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(KeyKind.class)
  void everyKindOfMemoryIsWritten(KeyKind kind) {
    FamilyOptions append = FamilyOptions.defaults().mergeOperator(MergeOperator.stringAppend(','));
    try (RocksDb db = RocksDb.at(folder).defaults(append).open()) {
      everyOperation(db, kind);
      assertArrayEquals(bytes("v"), db.get(bytes("put")));
      assertEquals("a,b", text(db.get(bytes("merged"))));
      assertNull(db.get(bytes("deleted")));
      assertNull(db.get(bytes("single")));
      assertNull(db.get(bytes("r1")));
      assertNull(db.get(bytes("r2")));
      assertEquals("x", text(db.get(bytes("r3"))), "the end of a range stays");
    }
  }

  private static void everyOperation(KeyWriter writer, KeyKind kind) {
    for (String key : new String[] {"deleted", "single", "r1", "r2", "r3"}) {
      writer.put(bytes(key), bytes("x"));
    }
    Object put = kind.of(bytes("put"));
    switch (put) {
      case byte[] key -> {
        writer.put(key, bytes("v"));
        writer.merge(bytes("merged"), bytes("a"));
        writer.merge(bytes("merged"), bytes("b"));
        writer.delete(bytes("deleted"));
        writer.singleDelete(bytes("single"));
        writer.deleteRange(bytes("r1"), bytes("r3"));
      }
      case MemorySegment key -> {
        writer.put(key, segment(kind, "v"));
        writer.merge(segment(kind, "merged"), segment(kind, "a"));
        writer.merge(segment(kind, "merged"), segment(kind, "b"));
        writer.delete(segment(kind, "deleted"));
        writer.singleDelete(segment(kind, "single"));
        writer.deleteRange(segment(kind, "r1"), segment(kind, "r3"));
      }
      default -> throw new AssertionError(put);
    }
  }

  private static MemorySegment segment(KeyKind kind, String text) {
    return (MemorySegment) kind.of(bytes(text));
  }

  @Test
  void everyOperatorMergesAsItSays() {
    assertEquals("0500000000000000", merged(MergeOperator.uint64Add(), "0200000000000000", "0300000000000000"));
    assertEquals("ff01", merged(MergeOperator.max(), "ff01", "7f", "01"));
    assertEquals("02", merged(MergeOperator.put(), "05", "02"));
    assertEquals("0ff0", merged(MergeOperator.bytesXor(), "00f0", "0f00"));
    assertEquals("61", merged(MergeOperator.stringAppend('|'), "61"));
    assertEquals("617c62", merged(MergeOperator.stringAppend('|'), "61", "62"));
  }

  private String merged(MergeOperator operator, String... operands) {
    byte[] key = bytes("k");
    try (RocksDb db =
        RocksDb.at(folder.resolve(operator.id())).defaults(FamilyOptions.defaults().mergeOperator(operator)).open()) {
      db.delete(key);
      for (String operand : operands) {
        db.merge(key, HexFormat.of().parseHex(operand));
      }
      byte[] fromMemory = db.get(key);
      db.flush();
      db.compact(KeyRange.all());
      assertArrayEquals(fromMemory, db.get(key), "from a file");
      return HexFormat.of().formatHex(fromMemory);
    }
  }

  @Test
  void everyDelimiterThatIsTakenWorks() {
    for (char c = 0; c < 0x100; c++) {
      char delimiter = c;
      if (c <= ' ' || c > '~' || ";{}".indexOf(c) >= 0) {
        assertThrows(IllegalArgumentException.class, () -> MergeOperator.stringAppend(delimiter), "of " + (int) c);
      } else {
        FamilyOptions append = FamilyOptions.defaults().mergeOperator(MergeOperator.stringAppend(c));
        try (RocksDb db = RocksDb.at(folder.resolve("of " + (int) c)).defaults(append).open()) {
          db.merge(bytes("k"), bytes("1"));
          db.merge(bytes("k"), bytes("2"));
          assertEquals("1" + c + "2", text(db.get(bytes("k"))));
        }
      }
    }
  }

  @Test
  void aMergeWithoutAnOperatorIsRefusedAndWritesGoOn() {
    try (RocksDb db = RocksDb.open(folder)) {
      String message =
          "column family 'default' of database " + folder
              + " has no merge operator: open it with one, by FamilyOptions.mergeOperator";
      var e = assertThrows(IllegalStateException.class, () -> db.merge(bytes("k"), bytes("v")));
      assertEquals(message, e.getMessage());
      WriteBatch batch = new WriteBatch();
      batch.put(bytes("a"), bytes("b"));
      batch.merge(bytes("k"), bytes("v"));
      e = assertThrows(IllegalStateException.class, () -> db.write(batch));
      assertEquals(message, e.getMessage());
      assertNull(db.get(bytes("a")), "of a batch that is refused nothing is written");
      db.put(bytes("k"), bytes("goes on"));
    }
  }

  @ParameterizedTest
  @EnumSource(KeyOrder.class)
  void aRangeThatEndsBeforeItBeginsIsRefusedAndWritesGoOn(KeyOrder order) {
    byte[] first = bytes(order == KeyOrder.BYTEWISE ? "a" : "b");
    byte[] last = bytes(order == KeyOrder.BYTEWISE ? "b" : "a");
    String message =
        order == KeyOrder.BYTEWISE
            ? "until: 0x61 lies before from, 0x62, in the order of the column family; exchange them"
            : "until: 0x62 lies before from, 0x61, in the order of the column family; exchange them";
    try (RocksDb db = RocksDb.at(folder).defaults(FamilyOptions.defaults().keyOrder(order)).open()) {
      db.put(first, bytes("v"));
      var e = assertThrows(IllegalArgumentException.class, () -> db.deleteRange(last, first));
      assertEquals(message, e.getMessage());
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment end = arena.allocate(1).copyFrom(MemorySegment.ofArray(first));
        assertThrows(IllegalArgumentException.class, () -> db.deleteRange(MemorySegment.ofArray(last), end));
      }
      WriteBatch batch = new WriteBatch();
      batch.deleteRange(last, first);
      e = assertThrows(IllegalArgumentException.class, () -> db.write(batch));
      assertEquals(message, e.getMessage());

      db.deleteRange(first, first);
      assertEquals("v", text(db.get(first)), "an empty range deletes nothing");
      db.deleteRange(first, last);
      assertNull(db.get(first));
    }
  }

  @ParameterizedTest
  @CsvSource({"a, ab, true", "ab, a, false", "a\u00e9, az, false", "'', a, true", "'', '', true", "a, '', false"})
  void rangesAreOrderedAsUnsignedBytes(String from, String until, boolean ascends) {
    try (RocksDb db = RocksDb.open(folder)) {
      if (ascends) {
        db.deleteRange(bytes(from), bytes(until));
      } else {
        assertThrows(IllegalArgumentException.class, () -> db.deleteRange(bytes(from), bytes(until)));
      }
      db.put(bytes("k"), bytes("goes on"));
    }
  }

  @Test
  void writesOutliveTheDatabaseObject() {
    try (RocksDb db = RocksDb.open(folder)) {
      db.with(WriteOptions.defaults().sync(true)).put(bytes("synced"), bytes("1"));
      db.put(bytes("plain"), bytes("2"));
      KeySpace unlogged = db.with(WriteOptions.defaults().disableWal(true));
      unlogged.put(bytes("unlogged"), bytes("3"));
      assertEquals("3", text(db.get(bytes("unlogged"))));
    }
    try (RocksDb db = RocksDb.open(folder)) {
      assertEquals("1", text(db.get(bytes("synced"))));
      assertEquals("2", text(db.get(bytes("plain"))));
    }
  }

  @Test
  void aSyncedWriteNeedsTheLog() {
    try (RocksDb db = RocksDb.open(folder)) {
      KeySpace odd = db.with(WriteOptions.defaults().sync(true).disableWal(true));
      var e = assertThrows(RocksDbException.class, () -> odd.put(bytes("k"), bytes("v")));
      assertEquals(Code.INVALID_ARGUMENT, e.code());
      db.put(bytes("k"), bytes("goes on"));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1 << 10, (1 << 10) + 1, 1 << 20})
  void keysOfAnySizeAreKept(int size) {
    byte[] key = random(size, size);
    try (RocksDb db = RocksDb.open(folder)) {
      db.put(key, bytes("v"));
      assertEquals("v", text(db.get(key)));
      db.flush();
      assertEquals("v", text(db.get(key)));
      try (Cursor cursor = db.cursor()) {
        assertEquals(true, cursor.seek(key));
        assertArrayEquals(key, cursor.keyBytes());
        assertEquals(size, cursor.keySize());
      }
      db.delete(key);
      assertNull(db.get(key));
    }
  }

  @Test
  void aValueOf256MebibytesIsKept() {
    long size = 256L << 20;
    try (RocksDb db = RocksDb.at(folder).defaults(FamilyOptions.defaults().compression(Compression.NONE)).open();
        Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(size);
      for (long at = 0; at < size; at += 4093) {
        value.set(java.lang.foreign.ValueLayout.JAVA_BYTE, at, (byte) at);
      }
      MemorySegment key = MemorySegment.ofArray(bytes("large"));
      db.with(WriteOptions.defaults().disableWal(true)).put(key, value);
      try (PinnedValue pinned = db.getPinned(key)) {
        assertEquals(-1, pinned.segment().mismatch(value));
      }
      db.flush();
      try (PinnedValue pinned = db.getPinned(key)) {
        assertEquals(size, pinned.size());
        assertEquals(-1, pinned.segment().mismatch(value));
      }
      try (Cursor cursor = db.cursor()) {
        cursor.first();
        assertEquals(-1, cursor.value().mismatch(value));
      }
    }
  }

  @Test
  void aReadOnlyDatabaseRefusesToBeWritten() {
    RocksDb.open(folder).close();
    try (RocksDb db = RocksDb.openReadOnly(folder)) {
      WriteBatch batch = new WriteBatch();
      batch.put(bytes("k"), bytes("v"));
      refused(() -> db.put(bytes("k"), bytes("v")));
      refused(() -> db.delete(bytes("k")));
      refused(() -> db.singleDelete(bytes("k")));
      refused(() -> db.deleteRange(bytes("a"), bytes("b")));
      refused(() -> db.write(batch));
      refused(db::flush);
      refused(() -> db.files().syncWal());
      refused(() -> db.createFamily("x", FamilyOptions.defaults()));
    }
  }

  @Test
  void aMissingDatabaseIsNotCreatedForReading() {
    Path missing = folder.resolve("missing");
    var e = assertThrows(RocksDbException.class, () -> RocksDb.openReadOnly(missing));
    assertEquals(Code.IO_ERROR, e.code(), e.getMessage());
    assertEquals(false, Files.exists(missing), "a folder was created");
    assertThrows(NullPointerException.class, () -> RocksDb.openReadOnly(null));
  }

  private static void refused(org.junit.jupiter.api.function.Executable write) {
    var e = assertThrows(RocksDbException.class, write);
    assertEquals(Code.NOT_SUPPORTED, e.code());
    assertEquals(true, e.getMessage().contains("Not supported operation in read only mode"), e.getMessage());
  }

  @Test
  void aRangeIsDeletedAndOneThatIsOpenIsRefused() {
    try (RocksDb db = RocksDb.open(folder)) {
      for (String key : List.of("a", "b", "b1", "c")) {
        db.put(bytes(key), bytes(key));
      }
      db.deleteRange(KeyRange.prefix(bytes("b")));
      WriteBatch batch = new WriteBatch();
      batch.deleteRange(KeyRange.between(bytes("c"), bytes("d")));
      db.write(batch);
      assertEquals(List.of("a"), db.stream(KeyRange.all(), row -> text(row.key().toArray(JAVA_BYTE))).toList());
      for (KeyRange open : List.of(KeyRange.all(), KeyRange.from(bytes("a")), KeyRange.until(bytes("a")))) {
        var e = assertThrows(IllegalArgumentException.class, () -> db.deleteRange(open));
        assertEquals("range: " + open
            + " is open, and the engine deletes from one key up to another; name both", e.getMessage());
      }
    }
  }
}
