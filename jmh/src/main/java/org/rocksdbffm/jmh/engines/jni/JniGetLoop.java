/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines.jni;

import java.nio.ByteBuffer;
import org.openjdk.jmh.infra.Blackhole;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.jmh.work.Checksum;
import org.rocksdbffm.jmh.work.GetLoop;
import org.rocksdbffm.jmh.work.KeyCycle;

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
  public long array(Blackhole blackhole) throws RocksDBException {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      byte[] value = db.get(keys.array());
      blackhole.consume(value);
      sum += Checksum.at(value);
    }
    return sum;
  }

  @Override
  public long intoArray() throws RocksDBException {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Checksum.at(db.get(keys.array(), array), array);
    }
    return sum;
  }

  @Override
  public long intoDirect() throws RocksDBException {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Checksum.at(db.get(readOptions, keys.buffer(), buffer.clear()), buffer);
    }
    return sum;
  }
}
