/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.rocksdb.WriteBatch;

/** Batches within other objects: an indexed batch, or a transaction, which writes what the program adds to the batch. */
public final class LentBatches {
  private static final Map<WriteBatch, Long> ALL = Collections.synchronizedMap(new WeakHashMap<>());

  private LentBatches() {}

  static void add(WriteBatch batch) {
    ALL.put(batch, batch.getNativeHandle());
  }

  /** Whether a batch is within another object; maybe also if one at the same address was before. */
  public static boolean contains(long batch) {
    return ALL.containsValue(batch);
  }
}
