/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.files;

/**
 * Sets how fast managers of files delete them, one at a time: the engine starts a thread for the first rate that a manager
 * gets, and ends the process where two threads give it one at once.
 */
public final class DeletionRates {
  private DeletionRates() {}

  public static synchronized void set(long manager, long bytesPerSecond) {
    rocksdb_sst_file_manager_set_delete_rate_bytes_per_second(manager, bytesPerSecond);
  }

  private static native void rocksdb_sst_file_manager_set_delete_rate_bytes_per_second(
      long manager, long bytesPerSecond);
}
