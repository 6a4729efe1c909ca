/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines.ffm;

import java.util.List;
import org.openjdk.jmh.infra.Blackhole;
import org.rocksdbffm.MultiGet;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.jmh.work.Checksum;
import org.rocksdbffm.jmh.work.KeyLists;
import org.rocksdbffm.jmh.work.MultiGetLoop;

/** A thread's multi-gets with this library. */
final class FfmMultiGetLoop implements MultiGetLoop {
  private final RocksDb db;
  private final KeyLists requests;
  private final MultiGet request;

  FfmMultiGetLoop(RocksDb db, KeyLists requests) {
    this.db = db;
    this.requests = requests;
    request = db.multiGet();
  }

  @Override
  public long list(Blackhole blackhole) {
    List<byte[]> values = db.multiGet(requests.next());
    blackhole.consume(values);
    long sum = 0;
    for (byte[] value : values) {
      sum += Checksum.at(value);
    }
    return sum;
  }

  @Override
  public long pinned() {
    request.clear();
    for (byte[] key : requests.next()) {
      request.add(key);
    }
    long sum = 0;
    try (PinnedValues found = request.get()) {
      for (int i = 0; i < found.count(); i++) {
        sum += Checksum.at(found.segment(i));
      }
    }
    return sum;
  }
}
