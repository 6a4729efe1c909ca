/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.transactions;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.OptimisticTransactionDb;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionOptions;
import org.rocksdbffm.WriteOptions;

/** Commits and rollbacks of transactions that fail. */
final class TransactionEndTest extends TransactionCase {
  /** Options that the engine refuses at the commit. */
  private static final TransactionOptions WRONG =
      TransactionOptions.defaults().writeOptions(WriteOptions.defaults().sync(true).disableWal(true));

  @Test
  void aCommitThatFailsEndsTheTransactionForItsLocksAreGone() {
    try (TransactionDb db = RocksDb.at(folder).defaults(CREATE)
        .openTransactional(TransactionDb.LockOptions.defaults().writeTimeout(Duration.ZERO))) {
      Transaction failed = db.begin(WRONG);
      failed.put(KEY, NEW);
      assertEquals(Code.INVALID_ARGUMENT, assertThrows(RocksDbException.class, failed::commit).code());
      assertFalse(failed.isOpen());
      String message = assertThrows(IllegalStateException.class, () -> failed.put(KEY, NEW)).getMessage();
      assertTrue(message.endsWith("could not be committed: begin another"), message);
      assertThrows(IllegalStateException.class, failed::commit);
      assertThrows(IllegalStateException.class, () -> failed.get(KEY));
      failed.rollback(); // as in a finally block
      failed.close();
      failed.rollback();
      db.put(KEY, OLD);
      assertArrayEquals(OLD, db.get(KEY));
    }
  }

  @Test
  void anOptimisticCommitThatFailsLeavesTheTransactionAsItWas() {
    try (OptimisticTransactionDb db = RocksDb.at(folder).defaults(CREATE).openOptimistic();
        Transaction failed = db.begin(WRONG)) {
      failed.put(KEY, NEW);
      assertThrows(RocksDbException.class, failed::commit);
      assertTrue(failed.isOpen());
      assertArrayEquals(NEW, failed.get(KEY));
      failed.rollback();
      assertNull(db.get(KEY));
    }
  }

  @Test
  void aTransactionWhoseLocksOthersHaveTakenIsRolledBack() throws Exception {
    TransactionOptions atOnce = TransactionOptions.defaults().lockTimeout(Duration.ZERO);
    try (TransactionDb db = RocksDb.at(folder).defaults(CREATE).openTransactional()) {
      Transaction expired = db.begin(TransactionOptions.defaults().expiration(Duration.ofMillis(1)));
      expired.put(KEY, OLD);
      Thread.sleep(5);
      try (Transaction thief = db.begin(atOnce);
          Transaction third = db.begin(atOnce)) {
        thief.put(KEY, NEW);
        expired.rollback();
        assertFalse(expired.isOpen());
        assertThrows(RocksDbException.class, () -> third.put(KEY, OLD), "the lock is the thief's");
        thief.commit();
        assertArrayEquals(NEW, db.get(KEY));
      }
    }
  }

  @Test
  void oneThatIsCommittedWithoutTheLogIsNotPrepared() {
    TransactionOptions unlogged =
        TransactionOptions.defaults().writeOptions(WriteOptions.defaults().disableWal(true));
    try (TransactionDb db = RocksDb.at(folder).defaults(CREATE).openTransactional();
        Transaction transaction = db.begin(unlogged)) {
      transaction.put(KEY, NEW);
      String message = assertThrows(IllegalStateException.class, () -> transaction.prepare("p")).getMessage();
      assertTrue(message.contains("disableWal"), message);
      transaction.commit();
      assertArrayEquals(NEW, db.get(KEY));
    }
  }
}
