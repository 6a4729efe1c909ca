/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.membership;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.rocksdb.WriteBatch;

/**
 * Batches that an indexed batch or a transaction contains. The containing object writes the operations that are added
 * to them.
 */
public final class LentBatches {
  private static final Map<WriteBatch, Long> ALL = Collections.synchronizedMap(new WeakHashMap<>());

  private LentBatches() {}

  public static void add(WriteBatch batch) {
    ALL.put(batch, batch.getNativeHandle());
  }

  /** Whether another object contains the batch. May also be true if an earlier batch had the same address. */
  public static boolean contains(long batch) {
    return ALL.containsValue(batch);
  }
}
