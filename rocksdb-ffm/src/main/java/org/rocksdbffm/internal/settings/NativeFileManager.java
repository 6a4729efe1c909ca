/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.loader.NativeLibrary;

/** RocksDB's SST file manager, which limits the space of table files and the rate of deletions. Thread-safe. */
public final class NativeFileManager extends NativeShare {
  private NativeFileManager(MemorySegment manager) {
    super(manager, "SST file manager", LiveObjects.FILE_MANAGERS);
  }

  public static NativeFileManager create() {
    NativeLibrary.load();
    MemorySegment env = RocksDbC.rocksdb_create_default_env();
    try {
      return new NativeFileManager(RocksDbC.rocksdb_sst_file_manager_create(env));
    } finally {
      RocksDbC.rocksdb_env_destroy(env); // the default environment itself stays
    }
  }

  /** Limits the total size of the files; zero for no limit. */
  public void limitSpace(long bytes) {
    use(manager -> RocksDbC.rocksdb_sst_file_manager_set_max_allowed_space_usage(manager, bytes));
  }

  public boolean isLimitReached() {
    return ask(manager -> RocksDbC.rocksdb_sst_file_manager_is_max_allowed_space_reached(manager) ? 1 : 0) != 0;
  }

  public long size() {
    return ask(RocksDbC::rocksdb_sst_file_manager_get_total_size);
  }

  public long trashSize() {
    return ask(RocksDbC::rocksdb_sst_file_manager_get_total_trash_size);
  }

  public long deletionRate() {
    return ask(RocksDbC::rocksdb_sst_file_manager_get_delete_rate_bytes_per_second);
  }

  /**
   * Limits the rate of deletions; zero for no limit. Exclusive: two concurrent calls would make RocksDB start its
   * deletion thread twice, which ends the process.
   */
  public void setDeletionRate(long bytes) {
    use(manager -> {
      synchronized (this) {
        RocksDbC.rocksdb_sst_file_manager_set_delete_rate_bytes_per_second(manager, bytes);
      }
    });
  }

  public double trashRatio() {
    return Double.longBitsToDouble(
        ask(manager -> Double.doubleToRawLongBits(RocksDbC.rocksdb_sst_file_manager_get_max_trash_db_ratio(manager))));
  }

  public void setTrashRatio(double ratio) {
    use(manager -> RocksDbC.rocksdb_sst_file_manager_set_max_trash_db_ratio(manager, ratio));
  }

  @Override
  void destroy(MemorySegment manager) {
    RocksDbC.rocksdb_sst_file_manager_destroy(manager);
  }
}
