/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.openjdk.jmh.infra.Blackhole;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.UInt64AddOperator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** A database that rocksdbjni has open. */
final class JniBinding implements Binding {
  private static final double NO_UNIFORM_CV_THRESHOLD = -1;

  private final LRUCache cache;
  private final UInt64AddOperator mergeOperator;
  private final Options options;
  private final ReadOptions readOptions;
  private final WriteOptions writeOptions;
  private final RocksDB db;

  JniBinding(Path folder, Tuning tuning) throws RocksDBException {
    RocksDB.loadLibrary();
    cache = new LRUCache(tuning.cacheSize());
    mergeOperator = new UInt64AddOperator();
    options = options(tuning);
    readOptions = new ReadOptions();
    writeOptions = new WriteOptions().setDisableWAL(!tuning.wal());
    db = RocksDB.open(options, folder.toString());
  }

  private Options options(Tuning tuning) {
    // The one setting in which the Java class differs from the engine's own default.
    BlockBasedTableConfig table =
        new BlockBasedTableConfig().setBlockCache(cache).setUniformCvThreshold(NO_UNIFORM_CV_THRESHOLD);
    return new Options()
        .setCreateIfMissing(true)
        .setCompressionType(CompressionType.NO_COMPRESSION)
        .setTableFormatConfig(table)
        .setMergeOperator(mergeOperator)
        .setWriteBufferSize(tuning.writeBufferSize())
        .setMaxWriteBufferNumber(Tuning.WRITE_BUFFERS)
        .setDisableAutoCompactions(true)
        .setLevel0SlowdownWritesTrigger(Tuning.NO_LIMIT)
        .setLevel0StopWritesTrigger(Tuning.NO_LIMIT);
  }

  RocksDB db() {
    return db;
  }

  ReadOptions readOptions() {
    return readOptions;
  }

  @Override
  public byte[] get(byte[] key) throws RocksDBException {
    return db.get(key);
  }

  @Override
  public long getInto(byte[] key, byte[] target) throws RocksDBException {
    return db.get(key, target);
  }

  @Override
  public long getInto(ByteBuffer key, ByteBuffer target) throws RocksDBException {
    return db.get(readOptions, key.rewind(), target.clear());
  }

  @Override
  public List<byte[]> multiGet(List<byte[]> keys) throws RocksDBException {
    return db.multiGetAsList(keys);
  }

  @Override
  public void scanArrays(byte[] from, int rows, Blackhole blackhole) throws RocksDBException {
    try (RocksIterator iterator = db.newIterator(readOptions)) {
      int left = rows;
      for (iterator.seek(from); iterator.isValid() && left > 0; iterator.next()) {
        blackhole.consume(iterator.key());
        blackhole.consume(iterator.value());
        left--;
      }
      iterator.status();
    }
  }

  @Override
  public void put(byte[] key, byte[] value) throws RocksDBException {
    db.put(writeOptions, key, value);
  }

  @Override
  public void put(ByteBuffer key, ByteBuffer value) throws RocksDBException {
    db.put(writeOptions, key.rewind(), value.rewind());
  }

  @Override
  public void merge(byte[] key, byte[] operand) throws RocksDBException {
    db.merge(writeOptions, key, operand);
  }

  @Override
  public void delete(byte[] key) throws RocksDBException {
    db.delete(writeOptions, key);
  }

  @Override
  public Batch newBatch() {
    WriteBatch batch = new WriteBatch();
    return new Batch() {
      @Override
      public void put(byte[] key, byte[] value) throws RocksDBException {
        batch.put(key, value);
      }

      @Override
      public void clear() {
        batch.clear();
      }

      @Override
      public void write() throws RocksDBException {
        db.write(writeOptions, batch);
      }

      @Override
      public void close() {
        batch.close();
      }
    };
  }

  @Override
  public void flushAndCompact() throws RocksDBException {
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      db.flush(flush);
    }
    db.compactRange();
  }

  @Override
  public void close() {
    db.close();
    writeOptions.close();
    readOptions.close();
    options.close();
    mergeOperator.close();
    cache.close();
  }
}
