/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.scan;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.WrittenBytes;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.read.RangeOptions;
import org.rocksdbffm.internal.read.ReadPath;
import org.rocksdbffm.internal.transaction.NativeOverlay;

/** An engine iterator with its options. Used by one thread at a time; destroyed by any thread. */
final class NativeIterator {
  private final Database database;
  private final MemorySegment iterator;

  private final RangeOptions options; // used by the iterator as long as it exists
  private final long bufferSize;

  // The overlay's writes, if rows were compared with them. Set with exclusive access, when no thread destroys this.
  private WrittenBytes written;

  private boolean kept;
  private boolean destroyed;

  /** Opens an iterator. <em>Owns</em> the options, even if this fails. Called within a call of the path. */
  static NativeIterator open(ReadPath path, RangeOptions options, long bufferSize) {
    try {
      return new NativeIterator(path, options, bufferSize);
    } catch (Throwable e) {
      options.free();
      throw e;
    }
  }

  private NativeIterator(ReadPath path, RangeOptions options, long bufferSize) {
    this.database = path.database();
    this.options = options;
    this.bufferSize = bufferSize;
    database.pins().requireRoom();
    this.iterator = path.iterator(options.pointer());
    LiveObjects.ITERATORS.made(bufferSize);
  }

  MemorySegment pointer() {
    return iterator;
  }

  /** Whether the key at this address is in the write buffer of the overlay; called with exclusive access to both. */
  boolean isWritten(NativeOverlay overlay, long key) {
    if (written == null) {
      written = overlay.written();
    }
    return written.contain(key);
  }

  /**
   * Keeps the native database until the iterator is destroyed, as a pinned value does; returns whether this was new.
   */
  synchronized boolean keep() {
    if (kept || destroyed) {
      return false;
    }
    database.pinned(0);
    kept = true;
    return true;
  }

  /** Idempotent. */
  synchronized void destroy() {
    if (!destroyed) {
      destroyed = true;
      HotCalls.destroyIterator(iterator.address());
      options.free();
      if (written != null) {
        written.free();
      }
      LiveObjects.ITERATORS.freed(bufferSize);
      if (kept) {
        database.unpinned(0);
      }
    }
  }
}
