/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines.jni;

import java.nio.ByteBuffer;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.rocksdbffm.jmh.work.KeyCycle;
import org.rocksdbffm.jmh.work.KeyLists;
import org.rocksdbffm.jmh.work.WriteLoop;

/** A thread's writes with rocksdbjni. */
final class JniWriteLoop implements WriteLoop {
  private final RocksDB db;
  private final WriteOptions writeOptions;
  private final KeyCycle keys;
  private final byte[] value;
  private final int count;
  private final ByteBuffer buffer;
  private final WriteBatch batch = new WriteBatch();

  JniWriteLoop(RocksDB db, WriteOptions writeOptions, KeyCycle keys, byte[] value, int count) {
    this.db = db;
    this.writeOptions = writeOptions;
    this.keys = keys;
    this.value = value;
    this.count = count;
    buffer = KeyLists.direct(value);
  }

  @Override
  public long put() throws RocksDBException {
    for (int i = 0; i < count; i++) {
      db.put(writeOptions, keys.array(), value);
    }
    return count;
  }

  @Override
  public long putDirect() throws RocksDBException {
    for (int i = 0; i < count; i++) {
      db.put(writeOptions, keys.buffer(), buffer.rewind());
    }
    return count;
  }

  @Override
  public long delete() throws RocksDBException {
    for (int i = 0; i < count; i++) {
      db.delete(writeOptions, keys.array());
    }
    return count;
  }

  @Override
  public long merge() throws RocksDBException {
    for (int i = 0; i < count; i++) {
      db.merge(writeOptions, keys.array(), value);
    }
    return count;
  }

  @Override
  public long fillBatch() throws RocksDBException {
    batch.clear();
    for (int i = 0; i < count; i++) {
      batch.put(keys.array(), value);
    }
    return count;
  }

  @Override
  public long writeBatch() throws RocksDBException {
    long filled = fillBatch();
    db.write(writeOptions, batch);
    return filled;
  }

  @Override
  public void close() {
    batch.close();
  }
}
