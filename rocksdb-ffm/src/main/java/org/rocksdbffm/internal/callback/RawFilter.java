/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

/** Decides what a compaction keeps; called by one thread at a time, and that the engine's own. */
public interface RawFilter {
  /** Answers that are no new value. */
  byte[] KEEP = new byte[0];

  byte[] REMOVE = new byte[0];

  /** The new value, or one of the two answers above. */
  byte[] filter(CallbackFrame frame, int level, long key, long keySize, long value, long valueSize);

  /** Makes the filter of one compaction; called by any thread of the engine's. */
  interface Factory {
    /** Null for none. */
    RawFilter create(boolean isFull, boolean isManual);
  }
}
