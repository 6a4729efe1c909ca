/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.files;

/**
 * Sets the deletion rate of SST file managers, one thread at a time: the engine starts a thread at a manager's first
 * rate, and ends the process if two threads set the first rate concurrently.
 */
public final class DeletionRates {
  private DeletionRates() {}

  public static synchronized void set(long manager, long bytesPerSecond) {
    rocksdb_sst_file_manager_set_delete_rate_bytes_per_second(manager, bytesPerSecond);
  }

  private static native void rocksdb_sst_file_manager_set_delete_rate_bytes_per_second(
      long manager, long bytesPerSecond);
}
