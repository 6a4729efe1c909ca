/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.dropin;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * Native memory in pieces of one size, for what is closed soon as a rule: some pieces are kept, and taken and given back
 * without a call of native code. Thread-safe.
 */
final class Pieces {
  private static final int KEPT = 32; // a power of two
  private static final int PROBES = 4;
  private static final int APART = 16; // ints, so that threads have no cache line in common

  private final long size;
  private final MemorySegment kept; // freed with the class loader
  private final AtomicIntegerArray taken = new AtomicIntegerArray(KEPT * APART);

  Pieces(long size) {
    this.size = size;
    this.kept = Arena.ofAuto().allocate(KEPT * size, (long) Integer.BYTES * APART);
  }

  MemorySegment take() {
    int first = (int) Thread.currentThread().threadId();
    for (int piece = first; piece < first + PROBES; piece++) {
      int place = piece & KEPT - 1;
      if (taken.get(place * APART) == 0 && taken.compareAndSet(place * APART, 0, 1)) {
        return Memory.at(kept.address() + place * size, size);
      }
    }
    return Memory.allocate(size);
  }

  void giveBack(MemorySegment piece) {
    long offset = piece.address() - kept.address();
    if (offset >= 0 && offset < KEPT * size) {
      taken.lazySet((int) (offset / size) * APART, 0);
    } else {
      Memory.free(piece);
    }
  }
}
