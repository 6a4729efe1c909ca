/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.write;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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
  private static final ValueLayout.OfInt COUNT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final MemorySegment bytes;
  private long at = HEADER_SIZE;

  private SerializedBatch(MemorySegment bytes) {
    this.bytes = bytes;
  }

  /** Copies what is in the bytes; they may have an address or lie in the heap. */
  public static BatchBytes read(MemorySegment bytes) {
    if (bytes.byteSize() < HEADER_SIZE || bytes.byteSize() > Integer.MAX_VALUE - 8) {
      throw refused(bytes.byteSize() + " bytes, but a batch has from " + HEADER_SIZE + " to less than 2 GiB");
    }
    // A copy, which nobody changes while it is looked through.
    return new SerializedBatch(MemorySegment.ofArray(bytes.toArray(ValueLayout.JAVA_BYTE))).read();
  }

  private BatchBytes read() {
    BatchBytes batch = new BatchBytes((int) bytes.byteSize());
    while (at < bytes.byteSize()) {
      int tag = next();
      if (tag == LOG_DATA) {
        string();
      } else if (tag != NOTHING) {
        append(batch, tag);
      }
    }
    int count = bytes.get(COUNT, COUNT_OFFSET);
    if (batch.count() != count) {
      throw refused("it says that it has " + Integer.toUnsignedLong(count) + " operations, and has " + batch.count());
    }
    return batch;
  }

  private void append(BatchBytes batch, int tag) {
    for (Operation operation : Operation.values()) {
      if (operation.tag == tag || operation.familyTag == tag) {
        int family = operation.tag == tag ? 0 : varint();
        MemorySegment first = string();
        if (operation.strings == 1) {
          batch.append(operation, family, first);
        } else {
          batch.append(operation, family, first, string());
        }
        return;
      }
    }
    throw refused("at " + (at - 1) + " it has a record of kind " + tag + ", which this library does not write");
  }

  private int next() {
    if (at >= bytes.byteSize()) {
      throw refused("it is cut off");
    }
    return bytes.get(ValueLayout.JAVA_BYTE, at++) & 0xff;
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

  private MemorySegment string() {
    int length = varint();
    if (length > bytes.byteSize() - at) {
      throw refused("it is cut off");
    }
    MemorySegment string = bytes.asSlice(at, length);
    at += length;
    return string;
  }

  private static IllegalArgumentException refused(String why) {
    return new IllegalArgumentException("bytes: they are no batch: " + why);
  }
}
