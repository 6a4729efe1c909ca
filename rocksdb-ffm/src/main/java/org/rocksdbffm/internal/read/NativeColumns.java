/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.read;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.foreign.EntityCalls;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * An array of columns in native memory, sorted by their names: each is four words, the addresses and sizes of name and
 * value. Its owner keeps the memory while it is read.
 */
public final class NativeColumns {
  private static final long COLUMN = 4 * Long.BYTES;
  private static final long NAME_SIZE = Long.BYTES;
  private static final long VALUE = 2 * Long.BYTES;
  private static final long VALUE_SIZE = 3 * Long.BYTES;

  private final NativeFamily family; // null if the memory is not pinned
  private final long entity; // freed by release
  private final long begin;
  private final int count;
  private final long size;

  private NativeColumns(NativeFamily family, long entity, long begin, int count) {
    this.family = family;
    this.entity = entity;
    this.begin = begin;
    this.count = count;
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += nameSize(i) + valueSize(i);
    }
    this.size = sum;
  }

  /**
   * <em>Owns</em> the columns of a read, and counts them as pinned; called within a call that uses the family. Destroys
   * them if this throws.
   */
  static NativeColumns pin(NativeFamily family, long entity) {
    try {
      NativeColumns columns = new NativeColumns(family, entity, begin(entity), count(entity));
      family.pinned(columns.size);
      return columns;
    } catch (Throwable e) {
      EntityCalls.destroy(entity);
      throw e;
    }
  }

  /** Returns the columns of an iterator's row, which must not be released. */
  public static NativeColumns ofRow(long iterator) {
    long row = EntityCalls.ofRow(iterator);
    return new NativeColumns(null, 0, begin(row), count(row));
  }

  private static long begin(long columns) {
    return Memory.longAt(columns);
  }

  private static int count(long columns) {
    return Math.toIntExact((Memory.longAt(columns + Long.BYTES) - begin(columns)) / COLUMN);
  }

  /** Returns a copy in the arena's memory; it is never released. */
  public NativeColumns copyTo(Arena arena) {
    MemorySegment table = arena.allocate(count * COLUMN, Long.BYTES);
    MemorySegment bytes = arena.allocate(size, 1);
    Memory.copy(begin, count * COLUMN, table);
    long at = bytes.address();
    for (int i = 0; i < count; i++) {
      long column = table.address() + i * COLUMN;
      at = moveTo(at, column, nameSize(i));
      at = moveTo(at, column + VALUE, valueSize(i));
    }
    return new NativeColumns(null, 0, table.address(), count);
  }

  private static long moveTo(long at, long pointer, long size) {
    Memory.copy(Memory.longAt(pointer), size, at);
    Memory.longTo(pointer, at);
    return at + size;
  }

  public int count() {
    return count;
  }

  /** Returns the size of all names and values. */
  public long size() {
    return size;
  }

  public NativeFamily family() {
    return family;
  }

  private long word(int column, long offset) {
    return Memory.longAt(begin + column * COLUMN + offset);
  }

  private long nameAddress(int column) {
    return word(column, 0);
  }

  private long nameSize(int column) {
    return word(column, NAME_SIZE);
  }

  private long valueSize(int column) {
    return word(column, VALUE_SIZE);
  }

  public MemorySegment name(int column, Arena arena) {
    return Memory.view(nameAddress(column), nameSize(column), arena);
  }

  public MemorySegment value(int column, Arena arena) {
    return Memory.view(word(column, VALUE), valueSize(column), arena);
  }

  public byte[] valueBytes(int column) {
    return Memory.toArray(word(column, VALUE), valueSize(column));
  }

  /** Returns the index of a name; negative if it is missing. */
  public int find(byte[] name) {
    int low = 0;
    int high = count - 1;
    while (low <= high) {
      int middle = low + high >>> 1;
      int order = compare(middle, name);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }

  private int compare(int column, byte[] name) {
    long address = nameAddress(column);
    long length = nameSize(column);
    int common = (int) Math.min(length, name.length);
    for (int i = 0; i < common; i++) {
      int order = Byte.compareUnsigned(Memory.byteAt(address + i), name[i]);
      if (order != 0) {
        return order;
      }
    }
    return Long.compare(length, name.length);
  }

  /** Releases pinned columns; called once. */
  public void release() {
    if (family != null) {
      EntityCalls.destroy(entity);
      family.release(0, size);
    }
  }
}
