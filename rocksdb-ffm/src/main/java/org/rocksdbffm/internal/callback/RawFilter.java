/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

/** A compaction filter; called by one engine thread at a time. */
public interface RawFilter {
  /** The result that keeps a row; compared by identity. */
  byte[] KEEP = new byte[0];

  byte[] REMOVE = new byte[0];

  /** Returns the new value, {@link #KEEP} or {@link #REMOVE}. */
  byte[] filter(CallbackFrame frame, int level, long key, long keySize, long value, long valueSize);

  /** Creates the filter of each compaction; called by any engine thread. */
  interface Factory {
    /** Returns the filter; null for none. */
    RawFilter create(boolean isFull, boolean isManual);
  }
}
