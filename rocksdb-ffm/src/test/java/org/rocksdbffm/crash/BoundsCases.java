/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.crash;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Scan;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.tools.Bytes;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Reads and writes through memory between two guard pages; see {@link BoundsTest}. */
final class BoundsCases {
  private static final int PAGE = GuardedMemory.PAGE;
  private static final int[] SIZES = {
    0, 1, 2, 7, 8, 9, 15, 16, 17, 1023, 1024, 1025, 2047, 2048, 2049, PAGE - 1, PAGE, PAGE + 1,
    16_383, 16_384, 16_385, 65_535, 65_536, 65_537
  };

  private final RocksDb db;

  private BoundsCases(RocksDb db) {
    this.db = db;
  }

  public static void main(String[] arguments) {
    try (RocksDb db = RocksDb.open(Path.of("").toAbsolutePath().resolve("db"))) {
      BoundsCases cases = new BoundsCases(db);
      switch (arguments[0]) {
        case "sizes" -> cases.allSizes();
        case "bytes" -> cases.everyByte();
        case "huge" -> cases.huge();
        case "beyond" -> beyond();
        default -> throw new IllegalArgumentException(arguments[0]);
      }
    }
    LiveObjectsCheck.assertNone();
    System.out.println(arguments[0] + " done");
  }

  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }

  private interface Guarded {
    MemorySegment of(GuardedMemory memory, byte[] bytes);
  }

  private void allSizes() {
    for (Guarded side : List.<Guarded>of(GuardedMemory::atEnd, GuardedMemory::atStart)) {
      for (int keySize : SIZES) {
        for (int valueSize : new int[] {0, 1, 1536, 1537, 2049, PAGE, 16_385, 65_537}) {
          rows(keySize, valueSize, side, keySize % 3 == 0);
        }
      }
      for (int valueSize : SIZES) {
        rows(5, valueSize, side, true);
      }
    }
  }

  private void rows(int keySize, int valueSize, Guarded side, boolean flushed) {
    byte[] key = Bytes.random(keySize, keySize);
    byte[] value = Bytes.random(valueSize, valueSize + 31L * keySize);
    try (GuardedMemory keys = new GuardedMemory(keySize);
        GuardedMemory values = new GuardedMemory(valueSize)) {
      MemorySegment guardedKey = side.of(keys, key);
      MemorySegment guardedValue = side.of(values, value);
      write(guardedKey, guardedValue);
      if (flushed && keySize == 5) {
        db.flush();
      }
      read(guardedKey, key, value, side);
      db.delete(guardedKey);
      require(db.get(guardedKey) == null, "deleted");
    }
  }

  private void write(MemorySegment key, MemorySegment value) {
    db.put(MemorySegment.ofBuffer(key.asByteBuffer()), MemorySegment.ofBuffer(value.asByteBuffer()));
    WriteBatch batch = new WriteBatch();
    batch.put(key, value);
    batch.delete(key);
    batch.put(key, value);
    db.write(batch);
    db.deleteRange(key, key);
    db.put(key, value);
  }

  private void read(MemorySegment key, byte[] plainKey, byte[] value, Guarded side) {
    require(Arrays.equals(value, db.get(key)), "get");
    require(Arrays.equals(value, db.multiGet(List.of(plainKey)).get(0)), "multi-get");
    require(db.mayExist(key), "may exist");
    try (PinnedValue pinned = db.getPinned(key)) {
      require(same(value, pinned.segment()), "pinned");
    }
    try (PinnedValues pinned = db.multiGet().add(key).add(key).get()) {
      require(same(value, pinned.segment(0)) && same(value, pinned.segment(1)), "multi-get of segments");
    }
    try (Arena arena = Arena.ofConfined()) {
      require(same(value, db.get(key, arena)), "in an arena");
    }
    try (Cursor cursor = db.cursor()) {
      require(cursor.seek(key) && same(plainKey, cursor.key()) && same(value, cursor.value()), "seek");
      require(cursor.seekForPrevious(key) && same(value, cursor.value()), "seek for previous");
    }
    into(key, value, side);
  }

  /** Reads into targets of the value's size, one byte less, and one byte more. */
  private void into(MemorySegment key, byte[] value, Guarded side) {
    for (int size : new int[] {value.length - 1, value.length, value.length + 1}) {
      if (size < 0) {
        continue;
      }
      try (GuardedMemory memory = new GuardedMemory(size)) {
        MemorySegment target = side.of(memory, new byte[size]);
        checkInto(db.getInto(key, target), target, value, size);
        PinnedValue[] otherwise = new PinnedValue[1];
        MemorySegment room = side.of(memory, new byte[size]);
        checkInto(db.getInto(key, room, pinned -> otherwise[0] = pinned), room, value, size);
        if (size < value.length) {
          require(same(value, otherwise[0].segment()), "what did not fit");
          otherwise[0].close();
        }
      }
    }
  }

  private static void checkInto(long found, MemorySegment target, byte[] value, int size) {
    require(found == value.length, "size of a value: " + found);
    byte[] expected = size < value.length ? new byte[size] : Arrays.copyOf(value, size);
    require(same(expected, target), "what was copied to " + size + " bytes");
  }

  private static boolean same(byte[] expected, MemorySegment actual) {
    return MemorySegment.ofArray(expected).mismatch(actual) == -1;
  }

  private void everyByte() {
    for (int length = 1; length <= 3; length++) {
      for (int b = 0; b < 256; b++) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) b);
        db.put(bytes, bytes);
      }
    }
    db.flush();
    int rows = 0;
    byte[] before = new byte[0];
    try (Scan scan = db.scan(KeyRange.all())) {
      while (scan.next()) {
        byte[] key = scan.keyBytes();
        require(Arrays.compareUnsigned(before, key) < 0, "order");
        require(Arrays.equals(key, scan.valueBytes()) && Arrays.equals(key, db.get(key)), "row");
        before = key;
        rows++;
      }
    }
    require(rows == 3 * 256, rows + " rows");
  }

  /** Values of about 2 GiB, which are too large for an array. */
  private void huge() {
    for (long size : new long[] {(1L << 31) - 1, 1L << 31, (1L << 31) + 1}) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment value = arena.allocate(size);
        value.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
        value.set(ValueLayout.JAVA_BYTE, size - 1, (byte) 2);
        db.put(MemorySegment.ofArray(new byte[1]), value);
      }
      try (PinnedValue pinned = db.getPinned(new byte[1])) {
        require(pinned.size() == size, "size " + pinned.size());
        require(pinned.segment().get(ValueLayout.JAVA_BYTE, 0) == 1, "first byte");
        require(pinned.segment().get(ValueLayout.JAVA_BYTE, size - 1) == 2, "last byte");
      }
      require(db.getInto(new byte[1], new byte[10]) == size, "the size of what does not fit");
      try {
        require(db.get(new byte[1]).length == size, "array");
      } catch (OutOfMemoryError e) {
        require(size >= Integer.MAX_VALUE - 8 || e.getMessage().contains("heap"), e.toString());
      }
    }
  }

  /** Accesses a guard page, which must end the process. */
  private static void beyond() {
    try (GuardedMemory memory = new GuardedMemory(1)) {
      MemorySegment end = memory.atEnd(new byte[1]);
      MemorySegment.ofAddress(end.address()).reinterpret(2).get(ValueLayout.JAVA_BYTE, 1);
    }
  }
}
