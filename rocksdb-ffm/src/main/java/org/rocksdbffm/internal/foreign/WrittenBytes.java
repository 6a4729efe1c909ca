/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rocksdbffm.internal.c.RocksDbC;

/**
 * The engine's memory of what an overlay has written, which lies elsewhere when there is more of it. An iterator of the
 * overlay has one, and asks it in a turn with the overlay; the engine's batch is <em>borrowed</em> for that.
 *
 * @param memory a size, and room for the C API's struct around a batch
 * @param batch whose bytes these are
 * @param ownsPointer whether the pointer to the batch is freed with this
 */
public record WrittenBytes(MemorySegment memory, MemorySegment batch, boolean ownsPointer) {
  /** The offset of what is none of the bytes. */
  public static final long ELSEWHERE = -1;

  /** For a batch that is there as long as this. */
  public static WrittenBytes of(MemorySegment batch) {
    return new WrittenBytes(Memory.allocate(Long.BYTES), batch, false);
  }

  /** Takes a pointer to a batch, which was made for the caller. */
  public static WrittenBytes ofPointer(MemorySegment batch) {
    return new WrittenBytes(Memory.allocate(Long.BYTES), batch, true);
  }

  /** For a batch that is known as the engine's own object, without the C API's struct around it. */
  public static WrittenBytes ofEnginesOwn(long batch) {
    MemorySegment memory = Memory.allocate(2 * Long.BYTES);
    MemorySegment struct = memory.asSlice(Long.BYTES);
    struct.set(ValueLayout.JAVA_LONG, 0, batch);
    return new WrittenBytes(memory, struct, false);
  }

  /**
   * Whether a key that the iterator shows, by its address, is one that the overlay has written. If so, it and its value
   * lie elsewhere after the next change; if not, they stay for as long as the iterator does not move.
   */
  public boolean contain(long key) {
    return offsetOf(key) != ELSEWHERE;
  }

  /** How far an address lies behind the first of the bytes, or {@link #ELSEWHERE}. They move, but stay in their order. */
  public long offsetOf(long address) {
    long offset = address - start();
    return isWithin(offset) ? offset : ELSEWHERE;
  }

  /** Whether there were bytes at an offset when they were last looked at. */
  public boolean isWithin(long offset) {
    return Long.compareUnsigned(offset, size()) <= 0;
  }

  /** Where so many bytes are that were at an offset. */
  public long at(long offset, long length) {
    long start = start();
    if ((offset | length | size() - offset - length) < 0) {
      throw new IllegalStateException("the row is not there any more: what was written was cleared");
    }
    return start + offset;
  }

  /** Where they are; how many they are, is in the memory then. */
  private long start() {
    return HotCalls.writtenBytes(batch.address(), memory.address());
  }

  private long size() {
    return memory.get(ValueLayout.JAVA_LONG, 0);
  }

  /** Frees what is its own, which the batch is not. */
  public void free() {
    Memory.free(memory);
    if (ownsPointer) {
      RocksDbC.rocksdb_free(batch);
    }
  }
}
