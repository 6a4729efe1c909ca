/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.files;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;
import org.rocksdb.TableProperties;
import org.rocksdbffm.compat.lifetime.Guard;
import org.rocksdbffm.compat.lifetime.UpstreamFields;
import org.rocksdbffm.compat.support.EncryptedFiles;

/** Reads single SST files. The engine crashes if a reader without an open file is used. */
public final class TableReaders {
  private static final Set<Long> OPEN = ConcurrentHashMap.newKeySet();

  private TableReaders() {}

  /** Opens an SST file. A file that was open before is closed first, with its iterators. */
  public static void open(SstFileReader reader, String path) throws RocksDBException {
    Guard guard = UpstreamFields.guard(reader);
    Object used = Guard.use(guard, null);
    try {
      guard.closeChildren();
      long pointer = reader.getNativeHandle();
      OPEN.remove(pointer);
      open(pointer, path);
      OPEN.add(pointer);
    } finally {
      Guard.leave(used);
    }
  }

  public static void open(long reader, String path) throws RocksDBException {
    EncryptedFiles.requireFile(path);
    Java_org_rocksdb_SstFileReader_open(reader, path);
  }

  public static void dispose(long reader) {
    OPEN.remove(reader);
    Java_org_rocksdb_SstFileReader_disposeInternalJni(reader);
  }

  public static long iterate(long reader, long options) {
    requireOpen(reader);
    return Java_org_rocksdb_SstFileReader_newIterator(reader, options);
  }

  public static void verify(long reader) throws RocksDBException {
    requireOpen(reader);
    Java_org_rocksdb_SstFileReader_verifyChecksum(reader);
  }

  public static TableProperties properties(long reader) throws RocksDBException {
    requireOpen(reader);
    return Java_org_rocksdb_SstFileReader_getTableProperties(reader);
  }

  private static void requireOpen(long reader) {
    if (!OPEN.contains(reader)) {
      throw new IllegalStateException("SstFileReader has no table: open() one first");
    }
  }

  private static native void Java_org_rocksdb_SstFileReader_open(long reader, String path) throws RocksDBException;

  private static native void Java_org_rocksdb_SstFileReader_disposeInternalJni(long reader);

  private static native long Java_org_rocksdb_SstFileReader_newIterator(long reader, long options);

  private static native void Java_org_rocksdb_SstFileReader_verifyChecksum(long reader) throws RocksDBException;

  private static native TableProperties Java_org_rocksdb_SstFileReader_getTableProperties(long reader)
      throws RocksDBException;
}
