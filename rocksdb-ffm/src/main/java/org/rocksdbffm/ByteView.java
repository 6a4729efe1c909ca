/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.util.Objects;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * Bytes of the engine's, a key or a value, as a callback sees them where they are: <em>borrowed until</em> the
 * callback returns. The same object shows other bytes to the next callback, so bytes to be kept are copied. Used
 * after the callback it is empty of meaning and throws, and so it does on any thread but the callback's.
 *
 * <p>The order of views is that of their bytes as unsigned numbers, the engine's default.
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
   * How many bytes there are.
   *
   * @return the size
   */
  public long size() {
    return checkedSize();
  }

  /**
   * A byte.
   *
   * @param offset from 0 to the size, exclusively
   * @return the byte
   */
  public byte get(long offset) {
    return Memory.byteAt(address + Objects.checkIndex(offset, checkedSize()));
  }

  /**
   * A number of four bytes, the highest first.
   *
   * @param offset of the first of them
   * @return the number; as an unsigned one it is ordered like the bytes
   */
  public int getInt(long offset) {
    return Memory.bigEndianIntAt(address + Objects.checkFromIndexSize(offset, Integer.BYTES, checkedSize()));
  }

  /**
   * A number of eight bytes, the highest first.
   *
   * @param offset of the first of them
   * @return the number; as an unsigned one it is ordered like the bytes
   */
  public long getLong(long offset) {
    return Memory.bigEndianLongAt(address + Objects.checkFromIndexSize(offset, Long.BYTES, checkedSize()));
  }

  /**
   * A copy, which may be kept.
   *
   * @return a new array
   */
  public byte[] toArray() {
    return Memory.toArray(address, checkedSize());
  }

  /**
   * Copies some of the bytes.
   *
   * @param offset of the first byte
   * @param target where they go
   * @param start where they go there
   * @param length how many
   */
  public void copyTo(long offset, byte[] target, int start, int length) {
    Objects.checkFromIndexSize(offset, length, checkedSize());
    Objects.checkFromIndexSize(start, length, target.length);
    Memory.copy(address + offset, target, start, length);
  }

  /**
   * Compares the bytes, as unsigned numbers; what begins the other comes before it.
   *
   * @param other of the same callback
   * @return negative, zero or positive
   */
  @Override
  public int compareTo(ByteView other) {
    long mine = checkedSize();
    long its = other.checkedSize();
    long common = Math.min(mine, its);
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
    return Long.compare(mine, its);
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

  /** Whether it is the same object; bytes are compared by {@link #compareTo}. */
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
