/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.ByteSize;

/**
 * How full a cache is. A cache that families or databases share is reported whole by each of them.
 *
 * @param capacity how much it may have
 * @param used how much it has
 * @param pinned how much of that is in use at the moment, and cannot be evicted
 */
public record CacheUse(ByteSize capacity, ByteSize used, ByteSize pinned) {
  /** Refuses null. */
  public CacheUse {
    requireNonNull(capacity, "capacity");
    requireNonNull(used, "used");
    requireNonNull(pinned, "pinned");
  }
}
