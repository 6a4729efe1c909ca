/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.transactions;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.RocksDbException.SubCode;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionOptions;
import org.rocksdbffm.TransactionalDb;

/** Save points of transactions. */
final class TransactionSavePointTest extends TransactionCase {
  @ParameterizedTest
  @EnumSource(Kind.class)
  void savePointsNest(Kind kind) {
    try (TransactionalDb db = kind.open(folder, CREATE);
        Transaction transaction = db.begin()) {
      transaction.put(bytes("1"), NEW);
      transaction.setSavePoint();
      transaction.put(bytes("2"), NEW);
      transaction.setSavePoint();
      transaction.put(bytes("3"), NEW);
      transaction.setSavePoint();
      transaction.put(bytes("4"), NEW);
      transaction.popSavePoint();
      assertArrayEquals(NEW, transaction.get(bytes("4")));
      transaction.rollbackToSavePoint();
      assertNull(transaction.get(bytes("4")));
      assertNull(transaction.get(bytes("3")));
      assertArrayEquals(NEW, transaction.get(bytes("2")));
      transaction.popSavePoint();
      assertThrows(IllegalStateException.class, transaction::rollbackToSavePoint);
      assertThrows(IllegalStateException.class, transaction::popSavePoint);
      transaction.commit();
      assertArrayEquals(NEW, db.get(bytes("2")));
      assertNull(db.get(bytes("3")));
    }
  }

  @Test
  void aSavePointLetsGoOfWhatWasLockedSince() {
    try (TransactionDb db = locking();
        Transaction first = db.begin();
        Transaction second = db.begin(TransactionOptions.defaults().lockTimeout(Duration.ZERO))) {
      first.put(bytes("before"), NEW);
      first.setSavePoint();
      first.put(KEY, NEW);
      assertConflict(Code.TIMED_OUT, SubCode.LOCK_TIMEOUT, () -> second.put(KEY, OLD));
      first.rollbackToSavePoint();
      second.put(KEY, OLD);
      assertConflict(Code.TIMED_OUT, SubCode.LOCK_TIMEOUT, () -> second.put(bytes("before"), OLD));
    }
  }
}
