/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rocksdbffm.internal.c.RocksDbC;

/**
 * The engine's memory of what an overlay has written, which lies elsewhere when there is more of it. An iterator of the
 * overlay has one, and asks it in a turn with the overlay; the engine's batch is <em>borrowed</em> for that.
 */
public final class WrittenBytes {
  private final MemorySegment batch;
  private final boolean ownsPointer;
  private final MemorySegment size;

  private WrittenBytes(MemorySegment batch, boolean ownsPointer) {
    this.batch = batch;
    this.ownsPointer = ownsPointer;
    this.size = Memory.allocate(Long.BYTES);
  }

  /** For a batch that is there as long as this. */
  public static WrittenBytes of(MemorySegment batch) {
    return new WrittenBytes(batch, false);
  }

  /** Takes a pointer to a batch, which was made for the caller. */
  public static WrittenBytes ofPointer(MemorySegment batch) {
    return new WrittenBytes(batch, true);
  }

  /**
   * Whether a key that the iterator shows, by its address, is one that the overlay has written. If so, it and its value
   * lie elsewhere after the next change; if not, they stay for as long as the iterator does not move.
   */
  public boolean contain(long key) {
    long start = RocksDbC.rocksdb_writebatch_wi_data(batch, size).address();
    return Long.compareUnsigned(key - start, size.get(ValueLayout.JAVA_LONG, 0)) <= 0;
  }

  /** Frees what is its own, which the batch is not. */
  public void free() {
    Memory.free(size);
    if (ownsPointer) {
      RocksDbC.rocksdb_free(batch);
    }
  }
}
