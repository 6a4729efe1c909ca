/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

import org.openjdk.jmh.infra.Blackhole;

/**
 * A thread's multi-gets by one engine: each method asks for the next keys in one call, and returns the sum of the
 * values' {@linkplain Checksum checksums}.
 */
public interface MultiGetLoop {
  /** A list of arrays for a list of arrays; in C, values in new memory. */
  long list(Blackhole blackhole) throws Exception;

  /** Values where the engine has them. */
  default long pinned() {
    throw new UnsupportedOperationException(getClass().getSimpleName() + " has no pinned values");
  }

  /** Keys and values in direct buffers. */
  default long directBuffers() throws Exception {
    throw new UnsupportedOperationException(getClass().getSimpleName() + " has no direct buffers");
  }
}
