/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.write;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * Batches with a maximum size. The engine rejects an update that does not fit, but the C API drops that error, so it is
 * detected by the count of updates, which stays the same.
 */
public final class BatchLimits {
  private static final Set<Long> LIMITED = ConcurrentHashMap.newKeySet();
  private static final long COUNT = NativeLibrary.find("rocksdb_writebatch_count").address();

  private static volatile boolean areKnown; // whether any batch was ever limited

  private BatchLimits() {}

  public static void set(long batch, long bytes) {
    Java_org_rocksdb_WriteBatch_setMaxBytesJni(batch, bytes);
    areKnown = true;
    LIMITED.add(batch);
  }

  public static void dispose(long batch) {
    if (areKnown) {
      LIMITED.remove(batch);
    }
    rocksdb_writebatch_destroy(batch);
  }

  /** Returns the address of the function that counts the updates of a limited batch; 0 for other batches. */
  static long counter(long batch) {
    return areKnown && LIMITED.contains(batch) ? COUNT : 0;
  }

  static RocksDBException exceeded() {
    return new RocksDBException(new Status(Status.Code.Aborted, Status.SubCode.MemoryLimit, null));
  }

  private static native void Java_org_rocksdb_WriteBatch_setMaxBytesJni(long batch, long bytes);

  private static native void rocksdb_writebatch_destroy(long batch);
}
