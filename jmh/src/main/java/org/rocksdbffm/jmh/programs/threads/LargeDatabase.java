/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.threads;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.CompactOptions;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.jmh.work.Owned;

/**
 * A database of rows of 1 KiB that is ten times as large as its cache, and is read without the system's cache. Half of
 * the reads are of a twentieth of the rows, which is cached.
 */
record LargeDatabase(Path folder, int mib) {
  private static final int ROWS_OF_A_MIB = 1024;
  private static final int HOT = 20;

  private long rows() {
    return (long) mib * ROWS_OF_A_MIB;
  }

  private long cacheBytes() {
    return Math.max(1, mib / 10) * ByteSize.mib(1).bytes();
  }

  void fill() {
    Random random = new Random(1);
    byte[] value = new byte[1000];
    try (RocksDb db = RocksDb.open(folder)) {
      for (long row = 0; row < rows(); row++) {
        random.nextBytes(value);
        db.put(key(row), value);
      }
      db.compact(KeyRange.all(), CompactOptions.defaults());
    }
  }

  RocksDb open() {
    try (BlockCache cache = BlockCache.lru(ByteSize.bytes(cacheBytes()))) {
      return RocksDb.at(folder)
          .options(DatabaseOptions.defaults().useDirectReads(true))
          .defaults(FamilyOptions.defaults().table(TableOptions.defaults().blockCache(cache)))
          .open();
    }
  }

  /** Opens the database with rocksdbjni, in the same way. */
  RocksDB openJni(Owned owned) throws RocksDBException {
    RocksDB.loadLibrary();
    LRUCache cache = owned.add(new LRUCache(cacheBytes()));
    Options options = owned.add(new Options());
    options.setUseDirectReads(true).setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(cache));
    return owned.add(RocksDB.open(options, folder.toString()));
  }

  private static byte[] key(long row) {
    return ByteBuffer.allocate(Long.BYTES).putLong(row).array();
  }

  byte[] randomKey(Random random) {
    return key(random.nextBoolean() ? random.nextLong(rows() / HOT) : random.nextLong(rows()));
  }

  /** A read of one row. */
  interface Read {
    byte[] get(byte[] key) throws RocksDBException;

    /** Reads a row that exists. */
    default void require(byte[] key) {
      try {
        requireFound(get(key));
      } catch (RocksDBException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  static void requireFound(byte[] value) {
    if (value == null) {
      throw new AssertionError("a row is missing");
    }
  }

  /** Reads the rows that are cached, so that each measurement starts alike. */
  void warm(Read read) {
    for (long row = 0; row < rows() / HOT; row++) {
      read.require(key(row));
    }
  }
}
