/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.internal.settings.NativeCache;

/** Memory that several databases may share: for what was read, blocks and blobs or rows, or for memtables too. */
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
   * How much it holds at most.
   *
   * @return the capacity
   */
  public ByteSize capacity() {
    return ByteSize.bytes(cache.capacity());
  }

  /**
   * Changes how much it holds.
   *
   * @param capacity the new capacity
   */
  public void capacity(ByteSize capacity) {
    cache.setCapacity(requireNonNull(capacity, "capacity").bytes());
  }

  /**
   * How much it holds now.
   *
   * @return the size of all that is in it
   */
  public ByteSize usage() {
    return ByteSize.bytes(cache.usage());
  }

  /**
   * How much of it cannot be dropped, because reads, cursors or pinned values use it.
   *
   * @return the size of what is in use
   */
  public ByteSize pinnedUsage() {
    return ByteSize.bytes(cache.pinnedUsage());
  }
}
