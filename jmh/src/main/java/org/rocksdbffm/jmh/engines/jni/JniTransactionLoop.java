/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines.jni;

import java.nio.ByteBuffer;
import org.openjdk.jmh.infra.Blackhole;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Status;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;
import org.rocksdbffm.jmh.work.Checksum;
import org.rocksdbffm.jmh.work.KeyCycle;
import org.rocksdbffm.jmh.work.TransactionLoop;

/** A thread's transactions with rocksdbjni. */
final class JniTransactionLoop implements TransactionLoop {
  private final RocksDB db;
  private final ReadOptions readOptions;
  private final WriteOptions writeOptions;
  private final KeyCycle keys;
  private final byte[] value;
  private final int count;
  private final byte[][] group = new byte[KEYS][];
  private final Transaction open;
  private final WriteBatchWithIndex batch = new WriteBatchWithIndex(true);
  private final ByteBuffer keyRoom;
  private final ByteBuffer valueRoom;

  JniTransactionLoop(
      RocksDB db,
      ReadOptions readOptions,
      WriteOptions writeOptions,
      KeyCycle keys,
      byte[] value,
      int count,
      int pending)
      throws RocksDBException {
    this.db = db;
    this.readOptions = readOptions;
    this.writeOptions = writeOptions;
    this.keys = keys;
    this.value = value;
    this.count = count;
    keyRoom = ByteBuffer.allocateDirect(keys.size());
    valueRoom = ByteBuffer.allocateDirect(value.length);
    open = begin();
    for (int i = 0; i < pending; i++) {
      byte[] key = keys.array();
      open.put(key, value);
      batch.put(key, value);
    }
  }

  private Transaction begin() {
    return db instanceof TransactionDB locking
        ? locking.beginTransaction(writeOptions)
        : ((OptimisticTransactionDB) db).beginTransaction(writeOptions);
  }

  @Override
  public long update() throws RocksDBException {
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

  private boolean isCommitted() throws RocksDBException {
    try (Transaction transaction = begin()) {
      for (byte[] key : group) {
        transaction.getForUpdate(readOptions, key, true);
        transaction.put(key, value);
      }
      transaction.commit();
      return true;
    } catch (RocksDBException e) {
      if (!isConflict(e.getStatus().getCode())) {
        throw e;
      }
      return false;
    }
  }

  private static boolean isConflict(Status.Code code) {
    return code == Status.Code.Busy || code == Status.Code.TimedOut || code == Status.Code.TryAgain;
  }

  @Override
  public long get(Blackhole blackhole) throws RocksDBException {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      byte[] read = open.get(readOptions, keys.array());
      blackhole.consume(read);
      sum += Checksum.at(read);
    }
    return sum;
  }

  @Override
  public long scan() throws RocksDBException {
    long sum = 0;
    try (RocksIterator rows = batch.newIteratorWithBase(db.newIterator(readOptions), readOptions)) {
      for (rows.seekToFirst(); rows.isValid(); rows.next()) {
        sum += Checksum.at(rows.key(keyRoom.clear()), keyRoom) + Checksum.at(rows.value(valueRoom.clear()), valueRoom);
      }
      rows.status();
    }
    return sum;
  }

  /** If the database is already closed, its open transaction is already destroyed. */
  @Override
  public void close() {
    batch.close();
    if (!db.isClosed()) {
      open.close();
    }
  }
}
