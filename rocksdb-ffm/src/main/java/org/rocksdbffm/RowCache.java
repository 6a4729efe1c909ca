/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.internal.settings.NativeCache;

/**
 * Memory for rows that were read by their keys, which several databases may share: a row that is in it is found without a
 * look into its table's blocks. It serves gets and multi-gets, pinned ones too, and no cursor or scan. Its owner closes
 * it; databases opened with it keep their share. Thread-safe.
 *
 * <p>A database with a row cache deletes no ranges, for the engine caches rows without regard to those: it refuses a
 * {@code deleteRange} with the code NOT_SUPPORTED, and this library an opening and an ingestion where ranges may be
 * deleted already.
 */
public final class RowCache extends SharedCache {
  private RowCache(NativeCache cache) {
    super(cache);
  }

  /**
   * Makes a cache that drops what was used least recently.
   *
   * @param capacity how much it holds
   * @return the cache, which the caller <em>owns</em> and must close
   */
  public static RowCache lru(ByteSize capacity) {
    return new RowCache(NativeCache.ofRows(requireNonNull(capacity, "capacity").bytes()));
  }

  /**
   * Makes such a cache of parts, each with a lock of its own.
   *
   * @param capacity how much it holds, in all parts together
   * @param shardBits 0 for one part, 1 for two, 2 for four, and so on; at most 12
   * @return the cache, which the caller <em>owns</em> and must close
   */
  public static RowCache lru(ByteSize capacity, int shardBits) {
    return new RowCache(NativeCache.ofRows(requireNonNull(capacity, "capacity").bytes(), shardBits));
  }
}
