/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.openjdk.jmh.infra.Blackhole;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.Compression;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.Options;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Scan;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.WriteOptions;

/** A database that this library has open. */
final class FfmBinding implements Binding {
  private final BlockCache cache;
  private final RocksDb db;
  private final KeySpace writer;

  FfmBinding(Path folder, Tuning tuning) {
    cache = BlockCache.lru(ByteSize.bytes(tuning.cacheSize()));
    db = RocksDb.open(folder, options(tuning));
    writer = db.with(WriteOptions.defaults().disableWal(!tuning.wal()));
  }

  private Options options(Tuning tuning) {
    return Options.defaults()
        .createIfMissing(true)
        .compression(Compression.NONE)
        .table(TableOptions.defaults().blockCache(cache))
        .mergeOperator(MergeOperator.uint64Add())
        .writeBufferSize(ByteSize.bytes(tuning.writeBufferSize()))
        .maxWriteBufferNumber(Tuning.WRITE_BUFFERS)
        .disableAutoCompactions(true)
        .option("level0_slowdown_writes_trigger", Tuning.NO_LIMIT)
        .option("level0_stop_writes_trigger", Tuning.NO_LIMIT);
  }

  RocksDb db() {
    return db;
  }

  @Override
  public byte[] get(byte[] key) {
    return db.get(key);
  }

  @Override
  public long getInto(byte[] key, byte[] target) {
    return db.getInto(key, target);
  }

  @Override
  public long getInto(ByteBuffer key, ByteBuffer target) {
    return db.getInto(key, target.clear());
  }

  @Override
  public List<byte[]> multiGet(List<byte[]> keys) {
    return db.multiGet(keys);
  }

  @Override
  public void scanArrays(byte[] from, int rows, Blackhole blackhole) {
    try (Scan scan = db.scan(KeyRange.from(from))) {
      for (int left = rows; left > 0 && scan.next(); left--) {
        blackhole.consume(scan.keyBytes());
        blackhole.consume(scan.valueBytes());
      }
    }
  }

  @Override
  public void put(byte[] key, byte[] value) {
    writer.put(key, value);
  }

  @Override
  public void put(ByteBuffer key, ByteBuffer value) {
    writer.put(key, value);
  }

  @Override
  public void merge(byte[] key, byte[] operand) {
    writer.merge(key, operand);
  }

  @Override
  public void delete(byte[] key) {
    writer.delete(key);
  }

  @Override
  public Batch newBatch() {
    WriteBatch batch = new WriteBatch();
    return new Batch() {
      @Override
      public void put(byte[] key, byte[] value) {
        batch.put(key, value);
      }

      @Override
      public void clear() {
        batch.clear();
      }

      @Override
      public void write() {
        writer.write(batch);
      }

      @Override
      public void close() {
        // A batch of this library needs no closing.
      }
    };
  }

  @Override
  public void flushAndCompact() {
    db.flush();
    db.compact(KeyRange.all());
  }

  @Override
  public void close() {
    db.close();
    cache.close();
  }
}
