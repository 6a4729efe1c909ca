/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

import org.openjdk.jmh.infra.Blackhole;

/**
 * A thread's multi-gets with an engine: each method reads the next keys in one call, and returns the sum of the values'
 * {@linkplain Checksum checksums}.
 */
public interface MultiGetLoop {
  /** Reads a list of arrays into a list of new arrays; in C, into new memory. */
  long list(Blackhole blackhole) throws Exception;

  /** Pins values. */
  default long pinned() {
    throw new UnsupportedOperationException(getClass().getSimpleName() + " has no pinned values");
  }

  /** Uses direct buffers for keys and values. */
  default long directBuffers() throws Exception {
    throw new UnsupportedOperationException(getClass().getSimpleName() + " has no direct buffers");
  }
}
