/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines.jni;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.openjdk.jmh.infra.Blackhole;
import org.rocksdb.ByteBufferGetStatus;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.jmh.work.Checksum;
import org.rocksdbffm.jmh.work.KeyLists;
import org.rocksdbffm.jmh.work.MultiGetLoop;

/** A thread's multi-gets with rocksdbjni, which has no parameter for sorted keys. */
final class JniMultiGetLoop implements MultiGetLoop {
  private final RocksDB db;
  private final KeyLists requests;
  private final List<ByteBuffer> targets;
  private List<List<ByteBuffer>> buffers;

  JniMultiGetLoop(RocksDB db, KeyLists requests, int valueSize, int count) {
    this.db = db;
    this.requests = requests;
    targets = IntStream.range(0, count).mapToObj(i -> ByteBuffer.allocateDirect(valueSize)).toList();
  }

  @Override
  public long list(Blackhole blackhole) throws RocksDBException {
    List<byte[]> values = db.multiGetAsList(requests.next());
    blackhole.consume(values);
    long sum = 0;
    for (byte[] value : values) {
      sum += Checksum.at(value);
    }
    return sum;
  }

  @Override
  public long directBuffers() throws RocksDBException {
    if (buffers == null) {
      buffers = requests.directBuffers();
    }
    List<ByteBuffer> keys = buffers.get(requests.nextIndex());
    for (int i = 0; i < keys.size(); i++) {
      keys.get(i).rewind();
      targets.get(i).clear();
    }
    long sum = 0;
    for (ByteBufferGetStatus status : db.multiGetByteBuffers(keys, targets)) {
      sum += Checksum.at(status.requiredSize, status.value);
    }
    return sum;
  }
}
