/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

import org.openjdk.jmh.infra.Blackhole;

/**
 * A thread's gets by one engine: each method reads the same number of the next keys, and returns the sum of the values'
 * {@linkplain Checksum checksums}. A way to read that an engine lacks throws an UnsupportedOperationException.
 */
public abstract class GetLoop {
  /** Up to which size a value is copied where a loop has the choice, as in the core. */
  public static final int COPY_LIMIT = 2048;

  public final KeyCycle keys;
  public final int count;

  public GetLoop(KeyCycle keys, int count) {
    this.keys = keys;
    this.count = count;
  }

  /** Each value in a new array; in C, in new memory that is freed again. */
  public abstract long array(Blackhole blackhole) throws Exception;

  /** Keys and values in arrays that are used again and again. */
  public abstract long intoArray() throws Exception;

  /** Keys and values in direct buffers. */
  public abstract long intoDirect() throws Exception;

  /** Keys and values in native segments. */
  public long intoSegment() {
    throw lacks("segments");
  }

  /** Values where the engine has them; the key is an array. */
  public long pinned() {
    throw lacks("pinned values");
  }

  /** Pinned, and seen through a view as by a thread that was handed the value. */
  public long pinnedView() {
    throw lacks("views");
  }

  /** Values where the engine has them, for as long as a function runs. */
  public long callback() {
    throw lacks("callbacks");
  }

  /** Small values in a segment that is used again and again, and large ones pinned, by one call that decides. */
  public long fillOrPin() {
    throw lacks("fill-or-pin");
  }

  /** Small values copied and large ones pinned, for as long as an arena lives, which each value has for itself. */
  public long inArena() {
    throw lacks("arenas");
  }

  private UnsupportedOperationException lacks(String what) {
    return new UnsupportedOperationException(getClass().getSimpleName() + " has no " + what);
  }
}
