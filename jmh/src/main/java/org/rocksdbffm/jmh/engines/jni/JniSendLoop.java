/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines.jni;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.jmh.work.KeyCycle;
import org.rocksdbffm.jmh.work.SendLoop;

/** A thread's sends with rocksdbjni, through a direct buffer. */
final class JniSendLoop implements SendLoop {
  private final RocksDB db;
  private final ReadOptions readOptions;
  private final KeyCycle keys;
  private final int count;
  private final ByteBuffer buffer;
  private final SocketChannel stream;

  JniSendLoop(RocksDB db, ReadOptions readOptions, KeyCycle keys, int valueSize, int count, Path socket)
      throws IOException {
    this.db = db;
    this.readOptions = readOptions;
    this.keys = keys;
    this.count = count;
    buffer = ByteBuffer.allocateDirect(valueSize);
    stream = SocketChannel.open(UnixDomainSocketAddress.of(socket));
  }

  @Override
  public long send() throws RocksDBException, IOException {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += db.get(readOptions, keys.buffer(), buffer.clear());
      while (buffer.hasRemaining()) {
        stream.write(buffer);
      }
    }
    return sum;
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
