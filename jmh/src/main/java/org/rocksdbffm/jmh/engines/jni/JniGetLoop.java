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

/** A thread's gets with rocksdbjni. */
final class JniGetLoop extends GetLoop {
  private static final long MILLIS = 60_000;
  private static final long MICROS_IN_MILLI = 1000;

  private final RocksDB db;
  private final ReadOptions readOptions;
  private final ReadOptions timed;
  private final byte[] array;
  private final ByteBuffer buffer;

  /**
   * Creates a loop with an optional deadline for each get of an array.
   *
   * @param timed options that only this loop uses; null for no deadline
   */
  JniGetLoop(RocksDB db, ReadOptions readOptions, ReadOptions timed, KeyCycle keys, int valueSize, int count) {
    super(keys, count);
    this.timed = timed;
    this.db = db;
    this.readOptions = readOptions;
    array = new byte[valueSize];
    buffer = ByteBuffer.allocateDirect(valueSize);
  }

  @Override
  public long array(Blackhole blackhole) throws RocksDBException {
    return timed == null ? untimedArray(blackhole) : timedArray(blackhole);
  }

  /** Sets a deadline a minute after the start of each get; the engine requires a point in time. */
  private long timedArray(Blackhole blackhole) throws RocksDBException {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      timed.setDeadline((System.currentTimeMillis() + MILLIS) * MICROS_IN_MILLI);
      byte[] value = db.get(timed, keys.array());
      blackhole.consume(value);
      sum += Checksum.at(value);
    }
    return sum;
  }

  private long untimedArray(Blackhole blackhole) throws RocksDBException {
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
