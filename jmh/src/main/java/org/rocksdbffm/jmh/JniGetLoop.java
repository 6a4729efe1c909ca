/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh;

import java.nio.ByteBuffer;
import org.openjdk.jmh.infra.Blackhole;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** A thread's gets by rocksdbjni. */
final class JniGetLoop extends GetLoop {
  private final RocksDB db;
  private final ReadOptions readOptions;
  private final byte[] array;
  private final ByteBuffer buffer;

  JniGetLoop(RocksDB db, ReadOptions readOptions, KeyCycle keys, int valueSize, int count) {
    super(keys, count);
    this.db = db;
    this.readOptions = readOptions;
    array = new byte[valueSize];
    buffer = ByteBuffer.allocateDirect(valueSize);
  }

  @Override
  long array(Blackhole blackhole) throws RocksDBException {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      byte[] value = db.get(keys.array());
      blackhole.consume(value);
      sum += Look.at(value);
    }
    return sum;
  }

  @Override
  long intoArray() throws RocksDBException {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Look.at(db.get(keys.array(), array), array);
    }
    return sum;
  }

  @Override
  long intoDirect() throws RocksDBException {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Look.at(db.get(readOptions, keys.buffer(), buffer.clear()), buffer);
    }
    return sum;
  }
}
