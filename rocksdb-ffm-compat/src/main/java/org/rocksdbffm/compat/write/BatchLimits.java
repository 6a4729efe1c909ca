/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.write;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Batches with a maximum size. The engine rejects an update that does not fit, but the C API drops that error, so it is
 * detected by the count of updates, which stays the same.
 */
public final class BatchLimits {
  private static final Set<Long> LIMITED = ConcurrentHashMap.newKeySet();

  private BatchLimits() {}

  public static void set(long batch, long bytes) {
    Java_org_rocksdb_WriteBatch_setMaxBytesJni(batch, bytes);
    LIMITED.add(batch);
  }

  public static void dispose(long batch) {
    LIMITED.remove(batch);
    rocksdb_writebatch_destroy(batch);
  }

  /** Returns the number of updates in a limited batch; otherwise -1. */
  static int count(long batch) {
    return LIMITED.isEmpty() || !LIMITED.contains(batch) ? -1 : rocksdb_writebatch_count(batch);
  }

  /** Throws if the batch has no more updates than before. */
  static void requireMore(long batch, int before) throws RocksDBException {
    if (before >= 0 && rocksdb_writebatch_count(batch) <= before) {
      throw new RocksDBException(new Status(Status.Code.Aborted, Status.SubCode.MemoryLimit, null));
    }
  }

  private static native void Java_org_rocksdb_WriteBatch_setMaxBytesJni(long batch, long bytes);

  private static native int rocksdb_writebatch_count(long batch);

  private static native void rocksdb_writebatch_destroy(long batch);
}
