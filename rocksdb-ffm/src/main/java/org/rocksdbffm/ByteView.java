/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.util.Objects;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * Bytes of the engine, a key or a value, passed to a callback without a copy: <em>borrowed until</em> the callback
 * returns. The object is reused for later callbacks, so copy bytes that you keep. Throws if it is used after the
 * callback, or on another thread.
 *
 * <p>Views are ordered as unsigned bytes, RocksDB's default.
 */
public final class ByteView implements Comparable<ByteView> {
  private static final long NOTHING = -1;

  private final long owner = Thread.currentThread().threadId();
  private long address;
  private long size = NOTHING;

  ByteView() {}

  void show(long address, long size) {
    this.address = address;
    this.size = size;
  }

  void hide() {
    size = NOTHING;
  }

  /**
   * Returns the number of bytes.
   *
   * @return the size
   */
  public long size() {
    return checkedSize();
  }

  /**
   * Returns a byte.
   *
   * @param offset from 0 to the size, exclusive
   * @return the byte
   */
  public byte get(long offset) {
    return Memory.byteAt(address + Objects.checkIndex(offset, checkedSize()));
  }

  /**
   * Returns a big-endian number of four bytes.
   *
   * @param offset the offset of its first byte
   * @return the number; if compared as unsigned, it sorts like the bytes
   */
  public int getInt(long offset) {
    return Memory.bigEndianIntAt(address + Objects.checkFromIndexSize(offset, Integer.BYTES, checkedSize()));
  }

  /**
   * Returns a big-endian number of eight bytes.
   *
   * @param offset the offset of its first byte
   * @return the number; if compared as unsigned, it sorts like the bytes
   */
  public long getLong(long offset) {
    return Memory.bigEndianLongAt(address + Objects.checkFromIndexSize(offset, Long.BYTES, checkedSize()));
  }

  /**
   * Copies the bytes.
   *
   * @return a new array
   */
  public byte[] toArray() {
    return Memory.toArray(address, checkedSize());
  }

  /**
   * Copies a range of the bytes.
   *
   * @param offset the offset of the first byte
   * @param target the array to copy to
   * @param start the offset in {@code target}
   * @param length the number of bytes
   */
  public void copyTo(long offset, byte[] target, int start, int length) {
    Objects.checkFromIndexSize(offset, length, checkedSize());
    Objects.checkFromIndexSize(start, length, target.length);
    Memory.copy(address + offset, target, start, length);
  }

  /**
   * Compares the bytes as unsigned numbers; a prefix of the other comes first.
   *
   * @param other another view of the same callback
   * @return negative, zero or positive
   */
  @Override
  public int compareTo(ByteView other) {
    long size = checkedSize();
    long otherSize = other.checkedSize();
    long common = Math.min(size, otherSize);
    long at = 0;
    for (; at <= common - Long.BYTES; at += Long.BYTES) {
      long a = Memory.bigEndianLongAt(address + at);
      long b = Memory.bigEndianLongAt(other.address + at);
      if (a != b) {
        return Long.compareUnsigned(a, b);
      }
    }
    for (; at < common; at++) {
      int order = Byte.compareUnsigned(Memory.byteAt(address + at), Memory.byteAt(other.address + at));
      if (order != 0) {
        return order;
      }
    }
    return Long.compare(size, otherSize);
  }

  private long checkedSize() {
    if (Thread.currentThread().threadId() != owner) {
      throw new WrongThreadException("a view of a callback's bytes belongs to the thread of the callback");
    }
    long now = size;
    if (now < 0) {
      throw new IllegalStateException("a view of a callback's bytes is used after the callback: copy them in it");
    }
    return now;
  }

  /** Whether it is the same object; {@link #compareTo} compares the bytes. */
  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  @Override
  public String toString() {
    return size < 0 ? "a view of a callback that is over" : "a view of " + size + " bytes";
  }
}
