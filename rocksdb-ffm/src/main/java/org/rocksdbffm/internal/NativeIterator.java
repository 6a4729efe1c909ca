/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.c.RocksDbC;

/** An iterator of the engine's with the options that it borrows. Used by one thread at a time, destroyed by any. */
final class NativeIterator {
  private final Database database;
  private final MemorySegment iterator;

  // Used by the native iterator for as long as it lives.
  @SuppressWarnings({"unused", "FieldCanBeLocal"})
  private final NativeReadOptions options;

  private final long bufferSize;
  private boolean kept;
  private boolean destroyed;

  /** Called within a call that keeps the source. */
  NativeIterator(Source source, NativeReadOptions options, long bufferSize) {
    this.database = source.database();
    this.options = options;
    this.iterator =
        RocksDbC.rocksdb_create_iterator_cf(database.pointer(), options.pointer(), source.family().pointer());
    this.bufferSize = bufferSize;
    LiveObjects.ITERATORS.made(bufferSize);
  }

  MemorySegment pointer() {
    return iterator;
  }

  /** Keeps the native database until the iterator is destroyed, as a pinned value does; true for the first time. */
  synchronized boolean keep() {
    if (kept || destroyed) {
      return false;
    }
    kept = true;
    database.pinned(0);
    return true;
  }

  /** Idempotent. */
  synchronized void destroy() {
    if (!destroyed) {
      destroyed = true;
      RocksDbC.rocksdb_iter_destroy(iterator);
      LiveObjects.ITERATORS.gone(bufferSize);
      if (kept) {
        database.unpinned(0);
      }
    }
  }
}
