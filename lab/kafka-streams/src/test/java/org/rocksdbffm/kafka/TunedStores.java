/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.kafka;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/** Makes all stores of a process share a cache and a memory limit, as Kafka's memory guide recommends. */
public class TunedStores implements RocksDBConfigSetter {
  static {
    RocksDB.loadLibrary();
  }

  static final Cache CACHE = new LRUCache(8 << 20, -1, false, 0.1);
  static final WriteBufferManager MEMTABLES = new WriteBufferManager(4 << 20, CACHE);

  static final AtomicInteger SET = new AtomicInteger();
  static final Map<Options, BloomFilter> FILTERS = new ConcurrentHashMap<>();

  @Override
  public void setConfig(String store, Options options, Map<String, Object> settings) {
    BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
    BloomFilter filter = new BloomFilter(10);
    table.setBlockCache(CACHE);
    table.setFilterPolicy(filter);
    table.setCacheIndexAndFilterBlocks(true);
    table.setCacheIndexAndFilterBlocksWithHighPriority(true);
    table.setPinTopLevelIndexAndFilter(true);
    table.setBlockSize(1024);
    options.setTableFormatConfig(table);
    options.setWriteBufferManager(MEMTABLES);
    options.setWriteBufferSize(64 << 10);
    options.setMaxWriteBufferNumber(2);
    options.setCompactionStyle(CompactionStyle.LEVEL);
    options.setCompressionType(CompressionType.LZ4_COMPRESSION);
    options.setMaxOpenFiles(100);
    FILTERS.put(options, filter);
    SET.incrementAndGet();
  }

  @Override
  public void close(String store, Options options) {
    FILTERS.remove(options).close();
  }
}
