/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines.ffm;

import org.openjdk.jmh.infra.Blackhole;
import org.rocksdbffm.IndexedBatch;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Scan;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionOptions;
import org.rocksdbffm.TransactionalDb;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.jmh.work.Checksum;
import org.rocksdbffm.jmh.work.KeyCycle;
import org.rocksdbffm.jmh.work.TransactionLoop;

/** A thread's transactions with this library. */
final class FfmTransactionLoop implements TransactionLoop {
  private final TransactionalDb db;
  private final TransactionOptions options =
      TransactionOptions.defaults().writeOptions(WriteOptions.defaults().disableWal(true));
  private final KeyCycle keys;
  private final byte[] value;
  private final int count;
  private final byte[][] group = new byte[KEYS][];
  private final Transaction open;
  private final IndexedBatch batch;

  FfmTransactionLoop(TransactionalDb db, KeyCycle keys, byte[] value, int count, int pending) {
    this.db = db;
    this.keys = keys;
    this.value = value;
    this.count = count;
    open = db.begin(options);
    batch = db.indexedBatch();
    for (int i = 0; i < pending; i++) {
      byte[] key = keys.array();
      open.put(key, value);
      batch.put(key, value);
    }
  }

  @Override
  public long update() {
    for (int i = 0; i < count; i++) {
      for (int k = 0; k < KEYS; k++) {
        group[k] = keys.array();
      }
      while (!isCommitted()) {
        Thread.onSpinWait();
      }
    }
    return count;
  }

  private boolean isCommitted() {
    try (Transaction transaction = db.begin(options)) {
      for (byte[] key : group) {
        transaction.getForUpdate(key);
        transaction.put(key, value);
      }
      transaction.commit();
      return true;
    } catch (RocksDbException e) {
      if (!e.isConflict()) {
        throw e;
      }
      return false;
    }
  }

  @Override
  public long get(Blackhole blackhole) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      byte[] read = open.get(keys.array());
      blackhole.consume(read);
      sum += Checksum.at(read);
    }
    return sum;
  }

  @Override
  public long pinned() {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      try (PinnedValue read = open.getPinned(keys.array())) {
        sum += Checksum.at(read.segment());
      }
    }
    return sum;
  }

  @Override
  public long scan() {
    long sum = 0;
    try (Scan rows = batch.scan(KeyRange.all())) {
      while (rows.next()) {
        sum += Checksum.at(rows.key()) + Checksum.at(rows.value());
      }
    }
    return sum;
  }

  /** The database may be closed already. */
  @Override
  public void close() {
    batch.close();
    open.close();
  }
}
