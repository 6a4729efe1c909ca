/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat;

import org.rocksdbffm.internal.Call;

/** Managers of SST files. */
public final class FileManagers {
  private FileManagers() {}

  /** C takes neither a logger nor a size of chunks to delete; the engine's own are used. */
  public static long create(long env, long logger, long rate, double trashRatio, long chunk) {
    Call call = Scratch.enter();
    try {
      long manager = rocksdb_sst_file_manager_create(Scratch.wrap(call, 0, env));
      rocksdb_sst_file_manager_set_delete_rate_bytes_per_second(manager, rate);
      rocksdb_sst_file_manager_set_max_trash_db_ratio(manager, trashRatio);
      return manager;
    } finally {
      call.exit();
    }
  }

  private static native long rocksdb_sst_file_manager_create(long env);

  private static native void rocksdb_sst_file_manager_set_delete_rate_bytes_per_second(long manager, long rate);

  private static native void rocksdb_sst_file_manager_set_max_trash_db_ratio(long manager, double ratio);
}
