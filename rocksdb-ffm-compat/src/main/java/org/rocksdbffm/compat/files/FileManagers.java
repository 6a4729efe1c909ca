/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.files;

import org.rocksdb.RocksDBException;

/** Creates managers of SST files. */
public final class FileManagers {
  /** The JNI entry point casts a Java logger to a wrong class, and crashes; so the manager does not log. */
  private static final long NO_LOGGER = 0;

  private FileManagers() {}

  public static long create(long env, long logger, long rate, double trashRatio, long chunk) throws RocksDBException {
    return Java_org_rocksdb_SstFileManager_newSstFileManager(env, NO_LOGGER, rate, trashRatio, chunk);
  }

  private static native long Java_org_rocksdb_SstFileManager_newSstFileManager(
      long env, long logger, long rate, double trashRatio, long chunk) throws RocksDBException;
}
