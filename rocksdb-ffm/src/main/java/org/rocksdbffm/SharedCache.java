/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.internal.settings.NativeCache;

/** A cache that several databases may share: for blocks and blobs, for rows, or for blocks and memtables. */
abstract sealed class SharedCache extends Resource permits BlockCache, MemoryBudget, RowCache {
  private final NativeCache cache;

  SharedCache(NativeCache cache) {
    super(cache);
    this.cache = cache;
  }

  NativeCache nativeCache() {
    return cache;
  }

  /**
   * Returns the maximum size of the entries.
   *
   * @return the capacity
   */
  public ByteSize capacity() {
    return ByteSize.bytes(cache.capacity());
  }

  /**
   * Changes the maximum size of the entries.
   *
   * @param capacity the new capacity
   */
  public void capacity(ByteSize capacity) {
    cache.setCapacity(requireNonNull(capacity, "capacity").bytes());
  }

  /**
   * Returns the current size of the entries.
   *
   * @return the usage
   */
  public ByteSize usage() {
    return ByteSize.bytes(cache.usage());
  }

  /**
   * Returns the size of entries that cannot be evicted, because reads, cursors or pinned values use them.
   *
   * @return the pinned usage
   */
  public ByteSize pinnedUsage() {
    return ByteSize.bytes(cache.pinnedUsage());
  }
}
