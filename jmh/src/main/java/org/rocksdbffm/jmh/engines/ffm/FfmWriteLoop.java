/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines.ffm;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.jmh.work.KeyCycle;
import org.rocksdbffm.jmh.work.KeyLists;
import org.rocksdbffm.jmh.work.WriteLoop;

/** A thread's writes with this library. */
final class FfmWriteLoop implements WriteLoop {
  private final KeySpace db;
  private final KeyCycle keys;
  private final byte[] value;
  private final int count;
  private final ByteBuffer buffer;
  private final WriteBatch batch = new WriteBatch();

  FfmWriteLoop(KeySpace db, KeyCycle keys, byte[] value, int count) {
    this.db = db;
    this.keys = keys;
    this.value = value;
    this.count = count;
    buffer = KeyLists.direct(value);
  }

  @Override
  public long put() {
    for (int i = 0; i < count; i++) {
      db.put(keys.array(), value);
    }
    return count;
  }

  @Override
  public long putDirect() {
    for (int i = 0; i < count; i++) {
      db.put(MemorySegment.ofBuffer(keys.buffer()), MemorySegment.ofBuffer(buffer));
    }
    return count;
  }

  @Override
  public long delete() {
    for (int i = 0; i < count; i++) {
      db.delete(keys.array());
    }
    return count;
  }

  @Override
  public long merge() {
    for (int i = 0; i < count; i++) {
      db.merge(keys.array(), value);
    }
    return count;
  }

  @Override
  public long fillBatch() {
    batch.clear();
    for (int i = 0; i < count; i++) {
      batch.put(keys.array(), value);
    }
    return count;
  }

  @Override
  public long writeBatch() {
    long filled = fillBatch();
    db.write(batch);
    return filled;
  }

  @Override
  public void close() {
    // A batch of this library has no close method.
  }
}
