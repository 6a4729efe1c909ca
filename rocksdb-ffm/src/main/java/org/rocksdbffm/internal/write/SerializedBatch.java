/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.write;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A batch in the engine's serialized form that comes from somewhere else, and is looked through byte by byte before
 * anything of it is believed. Records that carry no rows, such as texts for the log, are left out.
 */
public final class SerializedBatch {
  private static final int HEADER_SIZE = 12;
  private static final int COUNT_OFFSET = 8;
  private static final int LOG_DATA = 3;
  private static final int NOTHING = 13;
  private static final int VARINT_BITS = 7;
  private static final int MOST_SHIFT = 28;
  private static final VarHandle COUNT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private int at = HEADER_SIZE;

  private SerializedBatch(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Copies what is in the bytes; they may have an address or lie in the heap. */
  public static BatchBytes read(MemorySegment bytes) {
    if (bytes.byteSize() < HEADER_SIZE || bytes.byteSize() > Integer.MAX_VALUE - 8) {
      throw refused(bytes.byteSize() + " bytes, but a batch has from " + HEADER_SIZE + " to less than 2 GiB");
    }
    // A copy, which nobody changes while it is looked through.
    return new SerializedBatch(bytes.toArray(ValueLayout.JAVA_BYTE)).read();
  }

  /** Records stay where they are, unless one before them is left out. */
  private BatchBytes read() {
    int size = HEADER_SIZE;
    int count = 0;
    boolean needsCheck = false;
    while (at < bytes.length) {
      int start = at;
      byte tag = (byte) next();
      Operation operation = BatchBytes.operationOf(tag);
      if (operation == null) {
        leaveOut(tag);
        continue;
      }
      int family = operation.tag == tag ? 0 : varint();
      for (int string = 0; string < operation.strings; string++) {
        passString();
      }
      needsCheck |= BatchBytes.needsCheck(operation, family);
      if (size < start) {
        System.arraycopy(bytes, start, bytes, size, at - start);
      }
      size += at - start;
      count++;
    }
    int told = (int) COUNT.get(bytes, COUNT_OFFSET);
    if (count != told) {
      throw refused("it says that it has " + Integer.toUnsignedLong(told) + " operations, and has " + count);
    }
    return BatchBytes.of(bytes, size, count, needsCheck);
  }

  private void leaveOut(byte tag) {
    if (tag == LOG_DATA) {
      passString();
    } else if (tag != NOTHING) {
      throw refused(
          "at " + (at - 1) + " it has a record of kind " + Byte.toUnsignedInt(tag) + ", which this library does not write");
    }
  }

  private int next() {
    if (at >= bytes.length) {
      throw refused("it is cut off");
    }
    return bytes[at++] & 0xff;
  }

  private int varint() {
    long value = 0;
    for (int shift = 0; shift <= MOST_SHIFT; shift += VARINT_BITS) {
      int next = next();
      value |= (long) (next & (1 << VARINT_BITS) - 1) << shift;
      if (next < 1 << VARINT_BITS) {
        if (value > Integer.MAX_VALUE) {
          break;
        }
        return (int) value;
      }
    }
    throw refused("at " + at + " it has a number that is too large");
  }

  private void passString() {
    int length = varint();
    if (length > bytes.length - at) {
      throw refused("it is cut off");
    }
    at += length;
  }

  private static IllegalArgumentException refused(String why) {
    return new IllegalArgumentException("bytes: they are no batch: " + why);
  }
}
