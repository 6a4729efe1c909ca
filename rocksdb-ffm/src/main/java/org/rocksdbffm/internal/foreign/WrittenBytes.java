/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rocksdbffm.internal.c.RocksDbC;

/**
 * Locates the engine's buffer of an overlay's write batch, which moves when it grows. Belongs to an iterator over the
 * overlay, and is used with exclusive access to the overlay; the engine's batch is <em>borrowed</em>.
 *
 * @param memory room for a size, and if needed for the C API's struct around a batch
 * @param batch the batch
 * @param ownsPointer whether {@link #free} frees the pointer to the batch
 */
public record WrittenBytes(MemorySegment memory, MemorySegment batch, boolean ownsPointer) {
  /** The offset of an address outside of the buffer. */
  public static final long ELSEWHERE = -1;

  /** Returns the location of a batch that lives at least as long as the returned object. */
  public static WrittenBytes of(MemorySegment batch) {
    return new WrittenBytes(Memory.allocate(Long.BYTES), batch, false);
  }

  /**
   * Returns the location of a batch, given by a pointer that was allocated for the caller; takes ownership of the
   * pointer.
   */
  public static WrittenBytes ofPointer(MemorySegment batch) {
    return new WrittenBytes(Memory.allocate(Long.BYTES), batch, true);
  }

  /**
   * Returns the location of a batch, given by the address of the engine's C++ object, without the C API's struct around
   * it.
   */
  public static WrittenBytes ofEnginesOwn(long batch) {
    MemorySegment memory = Memory.allocate(2 * Long.BYTES);
    MemorySegment struct = memory.asSlice(Long.BYTES);
    struct.set(ValueLayout.JAVA_LONG, 0, batch);
    return new WrittenBytes(memory, struct, false);
  }

  /**
   * Whether the key at this address is in the overlay's buffer. If so, the next write moves the key and its value;
   * otherwise they stay valid until the iterator moves.
   */
  public boolean contain(long key) {
    return offsetOf(key) != ELSEWHERE;
  }

  /**
   * Returns the offset of an address in the buffer, or {@link #ELSEWHERE}. A growing buffer moves, but offsets stay
   * the same.
   */
  public long offsetOf(long address) {
    long offset = address - start();
    return isWithin(offset) ? offset : ELSEWHERE;
  }

  /** Whether the offset was in the buffer when its size was last read. */
  public boolean isWithin(long offset) {
    return Long.compareUnsigned(offset, size()) <= 0;
  }

  /** Returns the current address of the bytes at an offset. */
  public long at(long offset, long length) {
    long start = start();
    if ((offset | length | size() - offset - length) < 0) {
      throw new IllegalStateException("the row is not there any more: what was written was cleared");
    }
    return start + offset;
  }

  /** Returns the address of the buffer, and stores its size in {@link #memory}. */
  private long start() {
    return HotCalls.writtenBytes(batch.address(), memory.address());
  }

  private long size() {
    return memory.get(ValueLayout.JAVA_LONG, 0);
  }

  /** Frees the memory of this object, but not the batch. */
  public void free() {
    Memory.free(memory);
    if (ownsPointer) {
      RocksDbC.rocksdb_free(batch);
    }
  }
}
