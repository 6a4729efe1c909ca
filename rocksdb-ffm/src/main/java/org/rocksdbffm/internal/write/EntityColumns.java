/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.write;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.rocksdbffm.internal.format.Fields;
import org.rocksdbffm.internal.format.Fields.Unreadable;

/** The columns of an entity, in the order of their names, and their serialized form of version 1. */
public final class EntityColumns {
  private static final int VERSION = 1;
  private static final int MOST_BYTES = Integer.MAX_VALUE - 64;
  private static final int VARINT_BITS = 7;

  private final TreeMap<byte[], MemorySegment> columns = new TreeMap<>(Arrays::compareUnsigned);

  /** Adds a column; returns false if the name is there already. */
  public boolean add(byte[] name, MemorySegment value) {
    return columns.putIfAbsent(name, value) == null;
  }

  public int count() {
    return columns.size();
  }

  /** Returns the version, the count, the names and sizes of the columns, and then their values. */
  public byte[] serialized() {
    long size = varintSize(VERSION) + varintSize(columns.size());
    for (Map.Entry<byte[], MemorySegment> column : columns.entrySet()) {
      byte[] name = column.getKey();
      long value = column.getValue().byteSize();
      size += varintSize(name.length) + name.length + varintSize(value) + value;
    }
    if (size > MOST_BYTES) {
      throw new IllegalArgumentException("columns: " + size + " bytes, but an entity has less than 2 GiB");
    }
    byte[] bytes = new byte[(int) size];
    int at = putVarint(bytes, putVarint(bytes, 0, VERSION), columns.size());
    for (Map.Entry<byte[], MemorySegment> column : columns.entrySet()) {
      byte[] name = column.getKey();
      at = putVarint(bytes, at, name.length);
      System.arraycopy(name, 0, bytes, at, name.length);
      at = putVarint(bytes, at + name.length, (int) column.getValue().byteSize());
    }
    for (MemorySegment value : columns.values()) {
      MemorySegment.copy(value, ValueLayout.JAVA_BYTE, 0, bytes, at, (int) value.byteSize());
      at += (int) value.byteSize();
    }
    return bytes;
  }

  /** Throws unless the bytes are a serialized entity: the engine writes others, and fails to read them. */
  static void requireValid(byte[] bytes) {
    Fields fields = new Fields(bytes, 0, bytes.length);
    if (fields.smallNumber() != VERSION) {
      throw new Unreadable("it has an entity of another version than " + VERSION);
    }
    byte[] last = null;
    long values = 0;
    for (int left = fields.smallNumber(); left > 0; left--) {
      byte[] name = fields.bytes(fields.smallNumber());
      if (last != null && Arrays.compareUnsigned(last, name) >= 0) {
        throw new Unreadable("it has an entity whose columns are not sorted by their names");
      }
      last = name;
      values += fields.smallNumber();
    }
    if (values > Integer.MAX_VALUE) {
      throw new Unreadable("it has an entity that is cut off");
    }
    fields.skip((int) values);
    if (!fields.isAtEnd()) {
      throw new Unreadable("it has an entity with bytes after its columns");
    }
  }

  /** Returns a struct {@code rocksdb_ffm_cxx_columns} with copies of the columns. */
  MemorySegment slices(Arena arena) {
    MemorySegment ends = arena.allocate(ValueLayout.JAVA_LONG, 2);
    MemorySegment words = arena.allocate(ValueLayout.JAVA_LONG, 4L * columns.size());
    long word = 0;
    for (Map.Entry<byte[], MemorySegment> column : columns.entrySet()) {
      word = putSlice(words, word, MemorySegment.ofArray(column.getKey()), arena);
      word = putSlice(words, word, column.getValue(), arena);
    }
    ends.setAtIndex(ValueLayout.JAVA_LONG, 0, words.address());
    ends.setAtIndex(ValueLayout.JAVA_LONG, 1, words.address() + words.byteSize());
    return ends;
  }

  private static long putSlice(MemorySegment words, long word, MemorySegment bytes, Arena arena) {
    MemorySegment copy = arena.allocate(Math.max(1, bytes.byteSize()));
    MemorySegment.copy(bytes, 0, copy, 0, bytes.byteSize());
    words.setAtIndex(ValueLayout.JAVA_LONG, word, copy.address());
    words.setAtIndex(ValueLayout.JAVA_LONG, word + 1, bytes.byteSize());
    return word + 2;
  }

  private static int varintSize(long value) {
    return (Long.SIZE - Long.numberOfLeadingZeros(value | 1) + VARINT_BITS - 1) / VARINT_BITS;
  }

  private static int putVarint(byte[] bytes, int start, int value) {
    int at = start;
    int rest = value;
    while (rest >>> VARINT_BITS != 0) {
      bytes[at++] = (byte) (rest | 1 << VARINT_BITS);
      rest >>>= VARINT_BITS;
    }
    bytes[at++] = (byte) rest;
    return at;
  }
}
