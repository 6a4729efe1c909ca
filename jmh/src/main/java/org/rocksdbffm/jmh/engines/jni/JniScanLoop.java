/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines.jni;

import java.nio.ByteBuffer;
import org.openjdk.jmh.infra.Blackhole;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdbffm.jmh.work.Checksum;
import org.rocksdbffm.jmh.work.DataSet;
import org.rocksdbffm.jmh.work.ScanLoop;

/** A thread's scans with rocksdbjni, into arrays or, if possible, direct buffers. */
final class JniScanLoop extends ScanLoop {
  private final RocksDB db;
  private final ReadOptions readOptions;
  private final ByteBuffer key = ByteBuffer.allocateDirect(DataSet.KEY_SIZE);
  private final ByteBuffer value;

  JniScanLoop(RocksDB db, ReadOptions readOptions, DataSet data, int rows) {
    super(data, rows);
    this.db = db;
    this.readOptions = readOptions;
    value = ByteBuffer.allocateDirect(data.valueSize());
  }

  @Override
  public long arrays(Blackhole blackhole) throws RocksDBException {
    long sum = 0;
    try (RocksIterator iterator = db.newIterator(readOptions)) {
      iterator.seek(data.key(nextStart()));
      for (int left = rows; left > 0 && iterator.isValid(); left--) {
        byte[] rowKey = iterator.key();
        byte[] rowValue = iterator.value();
        blackhole.consume(rowKey);
        blackhole.consume(rowValue);
        sum += Checksum.at(rowKey) + Checksum.at(rowValue);
        iterator.next();
      }
      iterator.status();
    }
    return sum;
  }

  @Override
  public long forward() throws RocksDBException {
    try (RocksIterator iterator = db.newIterator(readOptions)) {
      iterator.seek(data.key(nextStart()));
      return upward(iterator);
    }
  }

  @Override
  public long bounded() throws RocksDBException {
    int start = nextStart();
    try (ReadOptions options = new ReadOptions();
        Slice lower = new Slice(data.key(start));
        Slice upper = new Slice(data.key(start + rows))) {
      options.setIterateLowerBound(lower).setIterateUpperBound(upper);
      try (RocksIterator iterator = db.newIterator(options)) {
        iterator.seekToFirst();
        return upward(iterator);
      }
    }
  }

  private long upward(RocksIterator iterator) throws RocksDBException {
    long sum = 0;
    for (int left = rows; left > 0 && iterator.isValid(); left--) {
      sum += look(iterator);
      iterator.next();
    }
    iterator.status();
    return sum;
  }

  @Override
  public long backward() throws RocksDBException {
    long sum = 0;
    try (RocksIterator iterator = db.newIterator(readOptions)) {
      iterator.seekForPrev(data.key(nextStart() + rows - 1));
      for (int left = rows; left > 0 && iterator.isValid(); left--) {
        sum += look(iterator);
        iterator.prev();
      }
      iterator.status();
    }
    return sum;
  }

  private long look(RocksIterator iterator) {
    return Checksum.at(iterator.key(key.clear()), key) + Checksum.at(iterator.value(value.clear()), value);
  }
}
