/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.tools;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/** The kinds of memory that can contain a key. */
public enum KeyKind {
  ARRAY,
  HEAP_SEGMENT,
  NATIVE_SEGMENT,
  READ_ONLY_SEGMENT,
  HEAP_BUFFER,
  DIRECT_BUFFER,
  READ_ONLY_BUFFER,
  SLICED_BUFFER;

  private static final int MARGIN = 3;

  /** Returns the bytes as a {@code byte[]} or a segment, if possible as a part of larger memory. */
  public Object of(byte[] bytes) {
    return switch (this) {
      case ARRAY -> bytes.clone();
      case HEAP_SEGMENT -> MemorySegment.ofArray(within(bytes)).asSlice(MARGIN, bytes.length);
      case NATIVE_SEGMENT -> Arena.ofAuto().allocateFrom(ValueLayout.JAVA_BYTE, bytes);
      case READ_ONLY_SEGMENT -> MemorySegment.ofArray(bytes.clone()).asReadOnly();
      case HEAP_BUFFER -> MemorySegment.ofBuffer(ByteBuffer.wrap(within(bytes), MARGIN, bytes.length));
      case DIRECT_BUFFER -> MemorySegment.ofBuffer(direct(bytes));
      case READ_ONLY_BUFFER -> MemorySegment.ofBuffer(direct(bytes).asReadOnlyBuffer());
      case SLICED_BUFFER ->
          MemorySegment.ofBuffer(
              ByteBuffer.wrap(within(bytes))
                  .slice(1, bytes.length + 2 * MARGIN - 1)
                  .position(MARGIN - 1)
                  .limit(MARGIN - 1 + bytes.length));
    };
  }

  private static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length + 2 * MARGIN)
        .put(within(bytes))
        .limit(MARGIN + bytes.length)
        .position(MARGIN);
  }

  private static byte[] within(byte[] bytes) {
    byte[] wider = new byte[bytes.length + 2 * MARGIN];
    java.util.Arrays.fill(wider, (byte) 0x7e);
    System.arraycopy(bytes, 0, wider, MARGIN, bytes.length);
    return wider;
  }
}
