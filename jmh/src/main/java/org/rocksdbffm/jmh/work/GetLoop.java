/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

import org.openjdk.jmh.infra.Blackhole;

/**
 * A thread's gets with an engine: each method reads the same number of the next keys, and returns the sum of the
 * values' {@linkplain Checksum checksums}. Methods that an engine lacks throw UnsupportedOperationException.
 */
public abstract class GetLoop {
  /** The size up to which a loop copies values instead of pinning them, as in the core. */
  public static final int COPY_LIMIT = 2048;

  public final KeyCycle keys;
  public final int count;

  public GetLoop(KeyCycle keys, int count) {
    this.keys = keys;
    this.count = count;
  }

  /** Reads each value into a new array; in C, into new memory that is freed. */
  public abstract long array(Blackhole blackhole) throws Exception;

  /** Uses reused arrays for keys and values. */
  public abstract long intoArray() throws Exception;

  /** Uses direct buffers for keys and values. */
  public abstract long intoDirect() throws Exception;

  /** Uses native segments for keys and values. */
  public long intoSegment() {
    throw lacks("segments");
  }

  /** Pins values; the key is an array. */
  public long pinned() {
    throw lacks("pinned values");
  }

  /** Pins values, and reads them through a view, as for passing values to another thread. */
  public long pinnedView() {
    throw lacks("views");
  }

  /** Pins values while a function reads them. */
  public long callback() {
    throw lacks("callbacks");
  }

  /** Copies small values to a reused segment, and pins large ones, in one call. */
  public long fillOrPin() {
    throw lacks("fill-or-pin");
  }

  /** Copies small values and pins large ones, each in a separate arena. */
  public long inArena() {
    throw lacks("arenas");
  }

  private UnsupportedOperationException lacks(String what) {
    return new UnsupportedOperationException(getClass().getSimpleName() + " has no " + what);
  }
}
