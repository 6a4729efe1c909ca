/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.service;

import java.nio.file.Path;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBufferManager;
import org.rocksdbffm.jmh.work.Owned;

/** A service with {@code org.rocksdb}, rocksdbjni or the drop-in: values are copies on the Java heap. */
final class JniService implements Service {
  private final Owned owned = new Owned();
  private final ReadOptions readOptions;
  private final RocksDB db;

  JniService(Path folder) throws RocksDBException {
    RocksDB.loadLibrary();
    LRUCache cache = owned.add(new LRUCache(CACHE_BYTES));
    WriteBufferManager memtables = owned.add(new WriteBufferManager(MEMTABLE_BYTES, cache));
    BlockBasedTableConfig table =
        new BlockBasedTableConfig()
            .setBlockCache(cache)
            .setCacheIndexAndFilterBlocks(true)
            .setFilterPolicy(owned.add(new BloomFilter(FILTER_BITS)));
    Options options =
        owned.add(new Options())
            .setCreateIfMissing(true)
            .setTableFormatConfig(table)
            .setWriteBufferManager(memtables)
            .setWriteBufferSize(WRITE_BUFFER_BYTES)
            .setMaxBackgroundJobs(BACKGROUND_JOBS)
            .setKeepLogFileNum(INFO_LOGS)
            .setMaxOpenFiles(OPEN_FILES);
    readOptions = owned.add(new ReadOptions());
    db = owned.add(RocksDB.open(options, folder.toString()));
  }

  @Override
  public void put(byte[] key, byte[] value) throws RocksDBException {
    db.put(key, value);
  }

  @Override
  public Held get(byte[] key) throws RocksDBException {
    byte[] value = db.get(readOptions, key);
    return value == null ? null : new Copied(value);
  }

  @Override
  public Rows rows(byte[] from) {
    RocksIterator iterator = db.newIterator(readOptions);
    iterator.seek(from);
    return new IteratorRows(iterator);
  }

  @Override
  public void close() {
    owned.close();
  }

  private record Copied(byte[] value) implements Held {
    @Override
    public long size() {
      return value.length;
    }

    @Override
    public void close() {} // the value is garbage-collected
  }

  private record IteratorRows(RocksIterator iterator) implements Rows {
    @Override
    public boolean next() {
      if (!iterator.isValid()) {
        return false;
      }
      iterator.next();
      return iterator.isValid();
    }

    @Override
    public void close() {
      iterator.close();
    }
  }
}
