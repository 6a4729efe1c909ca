/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.service;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBufferManager;

/** By {@code org.rocksdb}, rocksdbjni or the drop-in: values are copies in the Java heap. */
final class JniService implements Service {
  private final Deque<AutoCloseable> owned = new ArrayDeque<>();
  private final ReadOptions readOptions;
  private final RocksDB db;

  JniService(Path folder) throws RocksDBException {
    RocksDB.loadLibrary();
    LRUCache cache = own(new LRUCache(CACHE_BYTES));
    WriteBufferManager memtables = own(new WriteBufferManager(MEMTABLE_BYTES, cache));
    BlockBasedTableConfig table =
        new BlockBasedTableConfig()
            .setBlockCache(cache)
            .setCacheIndexAndFilterBlocks(true)
            .setFilterPolicy(own(new BloomFilter(FILTER_BITS)));
    Options options =
        own(new Options())
            .setCreateIfMissing(true)
            .setTableFormatConfig(table)
            .setWriteBufferManager(memtables)
            .setWriteBufferSize(WRITE_BUFFER_BYTES)
            .setMaxBackgroundJobs(BACKGROUND_JOBS)
            .setKeepLogFileNum(INFO_LOGS)
            .setMaxOpenFiles(OPEN_FILES);
    readOptions = own(new ReadOptions());
    db = own(RocksDB.open(options, folder.toString()));
  }

  private <T extends AutoCloseable> T own(T object) {
    owned.push(object);
    return object;
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
    while (!owned.isEmpty()) {
      try {
        owned.pop().close();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception impossible) {
        throw new AssertionError(impossible);
      }
    }
  }

  private record Copied(byte[] value) implements Held {
    @Override
    public long size() {
      return value.length;
    }

    @Override
    public void close() {} // the collector has it
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
