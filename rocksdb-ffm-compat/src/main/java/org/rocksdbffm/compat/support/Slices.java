/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * Slices in the engine's layout: a pointer and a size. This allocates the struct for slices owned by Java objects, and
 * memory for the bytes, except for slices over a caller's buffer, which stays reachable as long as the slice.
 */
public final class Slices {
  private static final int DATA = 0;
  private static final int SIZE = 8;
  private static final int STRUCT_SIZE = 16;

  /** The offset of the address of the slice's separate bytes, after the engine's struct. The address is 0 if absent. */
  private static final int OWN_BYTES = 16;

  private static final int SIZE_OF_OURS = 24;

  /** The buffers under slices. */
  private static final ConcurrentHashMap<Long, ByteBuffer> SHOWN = new ConcurrentHashMap<>();

  private Slices() {}

  /** Creates a slice over bytes that the caller keeps valid. */
  public static long of(long data, long size) {
    MemorySegment slice = Memory.allocate(SIZE_OF_OURS);
    slice.set(ValueLayout.JAVA_LONG, DATA, data);
    slice.set(ValueLayout.JAVA_LONG, SIZE, size);
    slice.set(ValueLayout.JAVA_LONG, OWN_BYTES, 0);
    return slice.address();
  }

  public static long data(long slice) {
    return Memory.pointer(Memory.at(slice, STRUCT_SIZE), DATA);
  }

  public static long length(long slice) {
    return Memory.pointer(Memory.at(slice, STRUCT_SIZE), SIZE);
  }

  private static void set(long slice, long data, long size) {
    MemorySegment struct = Memory.at(slice, STRUCT_SIZE);
    struct.set(ValueLayout.JAVA_LONG, DATA, data);
    struct.set(ValueLayout.JAVA_LONG, SIZE, size);
  }

  public static MemorySegment bytes(long slice) {
    return Memory.at(data(slice), length(slice));
  }

  public static long create(String text) {
    return create(text.getBytes(UTF_8), 0);
  }

  /** Copies an array from an offset to its end. */
  public static long create(byte[] bytes, int offset) {
    int size = bytes.length - offset;
    MemorySegment copy = Memory.allocate(size);
    MemorySegment.copy(bytes, offset, copy, ValueLayout.JAVA_BYTE, 0, size);
    long slice = of(copy.address(), size);
    Memory.at(slice, SIZE_OF_OURS).set(ValueLayout.JAVA_LONG, OWN_BYTES, copy.address());
    return slice;
  }

  /**
   * Creates a slice over a buffer's memory, or over a copy if the memory is file-backed, because the file may shrink.
   */
  public static long show(ByteBuffer buffer, int length) {
    Objects.checkFromIndexSize(0, length, buffer.capacity());
    ByteBuffer shown =
        Buffers.isForTheEngine(Buffers.part(buffer, 0, length)) ? buffer : Buffers.copyOf(buffer, 0, length);
    long slice = of(Buffers.part(shown, 0, length).address(), length);
    SHOWN.put(slice, shown);
    return slice;
  }

  /** Creates a slice up to the first NUL, as in rocksdbjni, but not past the end of the buffer. */
  public static long show(ByteBuffer buffer) {
    int end = 0;
    while (end < buffer.capacity() && buffer.get(end) != 0) {
      end++;
    }
    return show(buffer, end);
  }

  /** Creates a slice and a copy of another's bytes in one allocation. */
  public static long copyOf(long slice) {
    long size = length(slice);
    MemorySegment copy = Memory.allocate(STRUCT_SIZE + size);
    Memory.copy(data(slice), size, copy.asSlice(STRUCT_SIZE));
    set(copy.address(), copy.address() + STRUCT_SIZE, size);
    return copy.address();
  }

  public static byte[] array(org.rocksdb.Slice receiver, long slice) {
    return Memory.toArray(data(slice), length(slice));
  }

  /** Returns a slice of the caller's buffer, which cannot dangle; without such a buffer, a copy. */
  public static ByteBuffer buffer(org.rocksdb.DirectSlice receiver, long slice) {
    ByteBuffer shown = SHOWN.get(slice);
    if (shown == null) {
      byte[] copy = Memory.toArray(data(slice), length(slice));
      return ByteBuffer.allocateDirect(copy.length).put(copy).clear();
    }
    long offset = data(slice) - MemorySegment.ofBuffer(shown.duplicate().clear()).address();
    return shown.duplicate().clear().slice((int) offset, (int) length(slice));
  }

  public static int size(long slice) {
    return (int) length(slice);
  }

  public static boolean isEmpty(long slice) {
    return length(slice) == 0;
  }

  public static String toString(long slice, boolean hex) {
    byte[] bytes = Memory.toArray(data(slice), length(slice));
    return hex ? HexFormat.of().withUpperCase().formatHex(bytes) : new String(bytes, UTF_8);
  }

  public static int compare(long slice, long other) {
    MemorySegment mine = bytes(slice);
    MemorySegment others = bytes(other);
    long difference = mine.mismatch(others);
    if (difference < 0) {
      return 0;
    }
    if (difference == Math.min(mine.byteSize(), others.byteSize())) {
      return mine.byteSize() < others.byteSize() ? -1 : 1;
    }
    int ownByte = Byte.toUnsignedInt(mine.get(ValueLayout.JAVA_BYTE, difference));
    return ownByte < Byte.toUnsignedInt(others.get(ValueLayout.JAVA_BYTE, difference)) ? -1 : 1;
  }

  public static boolean startsWith(long slice, long prefix) {
    long size = length(prefix);
    return size <= length(slice) && bytes(slice).asSlice(0, size).mismatch(bytes(prefix)) < 0;
  }

  public static byte get(long slice, int offset) {
    return bytes(slice).get(ValueLayout.JAVA_BYTE, offset);
  }

  public static void removePrefix(long slice, int length) {
    long size = length(slice);
    if (length < 0 || length > size) {
      throw new IndexOutOfBoundsException("a prefix of " + length + " bytes of a slice that has " + size);
    }
    set(slice, data(slice) + length, size - length);
  }

  /** Sets the length. Only a slice over a buffer can grow, up to the end of the buffer. */
  public static void setLength(long slice, int length) {
    ByteBuffer shown = SHOWN.get(slice);
    long start = shown == null ? 0 : data(slice) - MemorySegment.ofBuffer(shown.duplicate().clear()).address();
    long most = shown == null ? length(slice) : shown.capacity() - start;
    if (length < 0 || length > most) {
      throw new IndexOutOfBoundsException("a length of " + length + " of a slice that can have " + most);
    }
    set(slice, data(slice), length);
  }

  /** Empties a slice, and frees its bytes if it owns them. */
  public static void clear(long slice, boolean isOwner, long offset) {
    if (isOwner) {
      disposeBytes(slice, offset);
    }
    SHOWN.remove(slice);
    set(slice, 0, 0);
  }

  /**
   * Frees the slice's bytes. Ignores the slice's offset, because another object over the same slice may have moved its
   * start.
   */
  public static void disposeBytes(long slice, long offset) {
    MemorySegment ours = Memory.at(slice, SIZE_OF_OURS);
    Memory.free(ours.get(ValueLayout.JAVA_LONG, OWN_BYTES));
    ours.set(ValueLayout.JAVA_LONG, OWN_BYTES, 0);
  }

  public static void dispose(long slice) {
    SHOWN.remove(slice);
    Memory.free(slice);
  }
}
