/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh;

import org.openjdk.jmh.infra.Blackhole;

/**
 * A thread's gets by one engine: each method reads the same number of the next keys, looks at each value, and returns
 * the sum of the {@linkplain Look looks}. What an engine lacks, it refuses.
 */
abstract class GetLoop {
  /** Up to which size a value is copied where a loop has the choice, as in the core. */
  static final int COPY_LIMIT = 2048;

  final KeyCycle keys;
  final int count;

  GetLoop(KeyCycle keys, int count) {
    this.keys = keys;
    this.count = count;
  }

  /** Each value in a new array; in C, in new memory that is freed again. */
  abstract long array(Blackhole blackhole) throws Exception;

  /** Keys and values in arrays that are used again and again. */
  abstract long intoArray() throws Exception;

  /** Keys and values in direct buffers. */
  abstract long intoDirect() throws Exception;

  /** Keys and values in native segments. */
  long intoSegment() {
    throw lacks("segments");
  }

  /** Values where the engine has them; the key is an array. */
  long pinned() {
    throw lacks("pinned values");
  }

  /** Pinned, and seen through a view as by a thread that was handed the value. */
  long pinnedView() {
    throw lacks("views");
  }

  /** Values where the engine has them, for as long as a function runs. */
  long callback() {
    throw lacks("callbacks");
  }

  /** Small values in a segment that is used again and again, and large ones pinned, by one call that decides. */
  long fillOrPin() {
    throw lacks("fill-or-pin");
  }

  /** Small values copied and large ones pinned, for as long as an arena lives, which each value has for itself. */
  long inArena() {
    throw lacks("arenas");
  }

  private UnsupportedOperationException lacks(String what) {
    return new UnsupportedOperationException(getClass().getSimpleName() + " has no " + what);
  }
}
