/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.transactions;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.OptimisticTransactionDb;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.SubCode;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionKeys;
import org.rocksdbffm.TransactionOptions;
import org.rocksdbffm.TransactionRetryException;
import org.rocksdbffm.TransactionalDb;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Limits without which the engine would allocate memory, or wait, endlessly. */
@ExtendWith(LiveObjectsCheck.class)
final class TransactionLimitsTest {
  private static final byte[] KEY = bytes("key");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 10_001, Integer.MAX_VALUE})
  void aDepthForWhichTheEngineHasNoMemoryIsRefused(int depth) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> TransactionOptions.defaults().deadlockDepth(depth))
            .getMessage();
    assertEquals("depth: " + depth + ", but there are between 1 and 10000", message);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10_000})
  void aTransactionOfEachDepthThatIsTakenWaits(int depth) {
    TransactionOptions options =
        TransactionOptions.defaults().deadlockDetection(true).deadlockDepth(depth).lockTimeout(Duration.ofMillis(1));
    try (TransactionDb db = TransactionDb.open(folder);
        Transaction holder = db.begin(options);
        Transaction waiting = db.begin(options)) {
      holder.put(KEY, KEY);
      RocksDbException e = assertThrows(RocksDbException.class, () -> waiting.put(KEY, KEY));
      assertEquals(SubCode.LOCK_TIMEOUT, e.subCode(), e.getMessage());
    }
  }

  @Test
  void aSingleDeleteThatIsTooLargeIsToldSo() {
    try (TransactionDb db = TransactionDb.open(folder)) {
      ColumnFamily family = db.createFamily("family", FamilyOptions.defaults());
      db.put(KEY, KEY);
      family.put(KEY, KEY);
      try (Transaction small = db.begin(TransactionOptions.defaults().maxSize(ByteSize.bytes(25)))) {
        small.singleDelete(KEY); // includes the 12 bytes of the batch's header
        for (TransactionKeys keys : List.of(small, small.in(family))) {
          RocksDbException e = assertThrows(RocksDbException.class, () -> keys.singleDelete(bytes("another key")));
          assertEquals(SubCode.MEMORY_LIMIT, e.subCode(), e.getMessage());
          assertEquals(SubCode.MEMORY_LIMIT,
              assertThrows(RocksDbException.class, () -> keys.put(KEY, bytes("value"))).subCode());
        }
        assertNull(small.get(KEY));
        small.commit();
      }
      assertNull(db.get(KEY));
      assertArrayEquals(KEY, family.get(KEY));
    }
  }

  @Test
  void aDatabaseWithMorePreparedKeysThanLocksIsOpenedWithMoreLocks() {
    try (TransactionDb db = TransactionDb.open(folder)) {
      Transaction transaction = db.begin();
      transaction.put(KEY, KEY);
      transaction.put(bytes("other"), KEY);
      transaction.prepare("p");
    }
    FamilyOptions options = FamilyOptions.defaults();
    RocksDbException e =
        assertThrows(
            RocksDbException.class,
            () ->
                RocksDb.at(folder).defaults(options)
                    .openTransactional(TransactionDb.LockOptions.defaults().maxLocks(1)));
    assertEquals(SubCode.LOCK_LIMIT, e.subCode(), e.getMessage());
    try (TransactionDb db =
        RocksDb.at(folder).defaults(options).openTransactional(TransactionDb.LockOptions.defaults().maxLocks(2))) {
      db.prepared().getFirst().commit();
      assertArrayEquals(KEY, db.get(KEY));
    }
  }

  @Test
  void noWaitGoesBeyondTheTimeOfItsPolicy() {
    TransactionalDb.RetryPolicy policy =
        new TransactionalDb.RetryPolicy(3, Duration.ofSeconds(2), Duration.ofDays(1),
            Duration.ofSeconds(Long.MAX_VALUE));
    try (OptimisticTransactionDb db = OptimisticTransactionDb.open(folder)) {
      TransactionRetryException e =
          assertThrows(
              TransactionRetryException.class,
              () -> assertTimeoutPreemptively(Duration.ofMinutes(1), () -> transactInVain(db, policy)));
      assertEquals(2, e.attempts(), e.getMessage());
    }
  }

  private static Object transactInVain(OptimisticTransactionDb db, TransactionalDb.RetryPolicy policy) {
    return db.callInTransaction(
        policy,
        TransactionOptions.defaults(),
        transaction -> {
          transaction.put(KEY, KEY);
          db.put(KEY, KEY);
          return null;
        });
  }
}
