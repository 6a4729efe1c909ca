/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.fulldisk;

import java.nio.file.Path;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;

/** A database that resumes its writes after a full disk. */
interface FullDiskStore extends AutoCloseable {
  int ROOM_MIB = 6;

  /** Returns false if the disk is full. */
  boolean put(byte[] key, byte[] value);

  byte[] get(byte[] key);

  @Override
  void close();

  static FullDiskStore open(boolean isDropIn, Path folder) throws RocksDBException {
    return isDropIn ? new OfDropIn(folder) : new OfCore(folder);
  }

  /** A database of the core. */
  final class OfCore implements FullDiskStore {
    private final RocksDb db;

    OfCore(Path folder) {
      DatabaseOptions options =
          DatabaseOptions.defaults()
              .resumeWithRoom(ByteSize.mib(ROOM_MIB))
              .option("allow_fallocate", false)
              .option("keep_log_file_num", 1);
      db = RocksDb.at(folder).options(options).open();
    }

    @Override
    public boolean put(byte[] key, byte[] value) {
      try {
        db.put(key, value);
        return true;
      } catch (RocksDbException e) {
        if (e.subCode() == RocksDbException.SubCode.NO_SPACE) {
          return false;
        }
        throw e;
      }
    }

    @Override
    public byte[] get(byte[] key) {
      return db.get(key);
    }

    @Override
    public void close() {
      db.close();
    }
  }

  /** A database of the drop-in, which is opened with the system property. */
  final class OfDropIn implements FullDiskStore {
    private final Options options =
        new Options().setCreateIfMissing(true).setAllowFAllocate(false).setKeepLogFileNum(1);
    private final RocksDB db;

    OfDropIn(Path folder) throws RocksDBException {
      db = RocksDB.open(options, folder.toString());
    }

    @Override
    public boolean put(byte[] key, byte[] value) {
      try {
        db.put(key, value);
        return true;
      } catch (RocksDBException e) {
        if (e.getStatus().getSubCode() == Status.SubCode.NoSpace) {
          return false;
        }
        throw new IllegalStateException(e);
      }
    }

    @Override
    public byte[] get(byte[] key) {
      try {
        return db.get(key);
      } catch (RocksDBException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {
      db.close();
      options.close();
    }
  }
}
