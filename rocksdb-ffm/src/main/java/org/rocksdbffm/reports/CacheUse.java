/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reports;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.ByteSize;

/**
 * The usage of a cache. Each family or database that shares a cache reports the whole cache.
 *
 * @param capacity the capacity of the cache
 * @param used the size of its entries
 * @param pinned the size of entries that are in use and cannot be evicted
 */
public record CacheUse(ByteSize capacity, ByteSize used, ByteSize pinned) {
  /** Refuses null. */
  public CacheUse {
    requireNonNull(capacity, "capacity");
    requireNonNull(used, "used");
    requireNonNull(pinned, "pinned");
  }
}
