/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines.ffm;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.jmh.work.KeyCycle;
import org.rocksdbffm.jmh.work.SendLoop;

/** A thread's sends with this library, from the engine's memory. */
final class FfmSendLoop implements SendLoop {
  private final RocksDb db;
  private final KeyCycle keys;
  private final int count;
  private final SocketChannel stream;

  FfmSendLoop(RocksDb db, KeyCycle keys, int count, Path socket) throws IOException {
    this.db = db;
    this.keys = keys;
    this.count = count;
    stream = SocketChannel.open(UnixDomainSocketAddress.of(socket));
  }

  @Override
  public long send() throws IOException {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      try (PinnedValue value = db.getPinned(keys.array())) {
        sum += value.writeTo(stream);
      }
    }
    return sum;
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
