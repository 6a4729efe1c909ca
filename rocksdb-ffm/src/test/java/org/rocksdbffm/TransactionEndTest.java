/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.text;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.RocksDbException.SubCode;
import org.rocksdbffm.TransactionTest.Kind;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Ends of transactions that do not go as they should. */
@ExtendWith(LiveObjectsCheck.class)
final class TransactionEndTest {
  private static final Options CREATE =
      Options.defaults().createIfMissing(true).mergeOperator(MergeOperator.stringAppend(','));
  private static final byte[] KEY = bytes("key");
  private static final byte[] OLD = bytes("old");
  private static final byte[] NEW = bytes("new");

  /** The engine refuses them at the commit. */
  private static final TransactionOptions WRONG =
      TransactionOptions.defaults().writeOptions(WriteOptions.defaults().sync(true).disableWal(true));

  @TempDir Path folder;

  @Test
  void aCommitThatFailsEndsTheTransactionForItsLocksAreGone() {
    try (TransactionDb db = TransactionDb.open(folder, CREATE, LockOptions.defaults().writeTimeout(Duration.ZERO))) {
      Transaction failed = db.begin(WRONG);
      failed.put(KEY, NEW);
      assertEquals(Code.INVALID_ARGUMENT, assertThrows(RocksDbException.class, failed::commit).code());
      assertFalse(failed.isOpen());
      String message = assertThrows(IllegalStateException.class, () -> failed.put(KEY, NEW)).getMessage();
      assertTrue(message.endsWith("could not be committed: begin another"), message);
      assertThrows(IllegalStateException.class, failed::commit);
      assertThrows(IllegalStateException.class, () -> failed.get(KEY));
      failed.rollback(); // as in a finally
      failed.close();
      failed.rollback();
      db.put(KEY, OLD);
      assertArrayEquals(OLD, db.get(KEY));
    }
  }

  @Test
  void anOptimisticCommitThatFailsLeavesTheTransactionAsItWas() {
    try (OptimisticTransactionDb db = OptimisticTransactionDb.open(folder, CREATE);
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
    try (TransactionDb db = TransactionDb.open(folder, CREATE)) {
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
    try (TransactionDb db = TransactionDb.open(folder, CREATE);
        Transaction transaction = db.begin(unlogged)) {
      transaction.put(KEY, NEW);
      String message = assertThrows(IllegalStateException.class, () -> transaction.prepare("p")).getMessage();
      assertTrue(message.contains("disableWal"), message);
      transaction.commit();
      assertArrayEquals(NEW, db.get(KEY));
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatTheBodyHasCommittedIsNotTransactedAgain(Kind kind) {
    RocksDbException conflict = new RocksDbException(Code.BUSY, SubCode.NONE, "another database's");
    AtomicInteger runs = new AtomicInteger();
    try (TransactionalDb db = kind.open(folder, CREATE)) {
      TransactionTask<RuntimeException> body =
          transaction -> {
            runs.incrementAndGet();
            transaction.merge(KEY, NEW);
            transaction.commit();
            throw conflict;
          };
      assertSame(conflict, assertThrows(RocksDbException.class, () -> db.run(body)));
      assertEquals(1, runs.get());
      assertEquals("new", text(db.get(KEY)));
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatTheBodyHasRolledBackIsTransactedAgain(Kind kind) {
    AtomicInteger runs = new AtomicInteger();
    try (TransactionalDb db = kind.open(folder, CREATE)) {
      db.run(
          transaction -> {
            transaction.merge(KEY, NEW);
            if (runs.incrementAndGet() == 1) {
              transaction.rollback();
              throw new RocksDbException(Code.BUSY, SubCode.NONE, "another database's");
            }
          });
      assertEquals(2, runs.get());
      assertEquals("new", text(db.get(KEY)));
    }
  }
}
