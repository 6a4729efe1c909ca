/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.settings.NativeCache;

/** Memory that several databases may share: for what was read, blocks and blobs or rows, or for memtables too. */
abstract sealed class SharedCache implements AutoCloseable permits BlockCache, MemoryBudget, RowCache {
  private final NativeCache cache;
  private final LeakWatch watch;

  SharedCache(NativeCache cache) {
    this.cache = cache;
    this.watch = LeakWatch.over(this, cache);
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

  /** Gives up this share of the cache; idempotent. */
  @Override
  public void close() {
    cache.close();
    watch.end();
  }
}
