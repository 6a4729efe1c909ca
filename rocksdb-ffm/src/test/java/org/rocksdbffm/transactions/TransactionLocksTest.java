/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.transactions;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.MultiGet;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.RocksDbException.SubCode;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionOptions;
import org.rocksdbffm.WriteBatch;

/** Locks of transactions, and the waits for them. */
final class TransactionLocksTest extends TransactionCase {
  @Test
  void aKeyThatOneWroteTheOtherCannotLockInTime() {
    try (TransactionDb db = locking();
        Transaction first = db.begin();
        Transaction second = db.begin(TransactionOptions.defaults().lockTimeout(Duration.ofMillis(1)))) {
      first.put(KEY, NEW);
      assertConflict(Code.TIMED_OUT, SubCode.LOCK_TIMEOUT, () -> second.put(KEY, OLD));
      assertConflict(Code.TIMED_OUT, SubCode.LOCK_TIMEOUT, () -> second.getForUpdate(KEY));
      assertConflict(Code.TIMED_OUT, SubCode.LOCK_TIMEOUT, () -> second.toShare().get(KEY));
      assertNull(second.get(KEY), "a read without a lock sees what is committed");
      first.commit();
      assertArrayEquals(NEW, second.getForUpdate(KEY));
    }
  }

  @Test
  void aLockThatIsSharedKeepsWritersOut() {
    TransactionOptions atOnce = TransactionOptions.defaults().lockTimeout(Duration.ZERO);
    try (TransactionDb db = RocksDb.at(folder).defaults(CREATE)
        .openTransactional(TransactionDb.LockOptions.defaults().writeTimeout(Duration.ZERO));
        Transaction first = db.begin(atOnce);
        Transaction second = db.begin(atOnce)) {
      assertNull(first.toShare().get(KEY));
      assertNull(second.toShare().get(KEY));
      assertConflict(Code.TIMED_OUT, SubCode.LOCK_TIMEOUT, () -> second.put(KEY, NEW));
      assertConflict(Code.TIMED_OUT, SubCode.LOCK_TIMEOUT, () -> db.put(KEY, NEW));
      first.rollback();
      second.put(KEY, NEW);
      second.commit();
      assertArrayEquals(NEW, db.get(KEY));
    }
  }

  @Test
  void manyKeysAreLockedAtOnce() {
    TransactionOptions atOnce = TransactionOptions.defaults().lockTimeout(Duration.ZERO);
    try (TransactionDb db = locking();
        Transaction first = db.begin(atOnce);
        Transaction second = db.begin(atOnce)) {
      db.put(bytes("a"), OLD);
      db.put(bytes("b"), OLD);
      assertEquals(2, first.forUpdate().multiGet(List.of(bytes("a"), bytes("b"))).size());
      try (PinnedValues values = second.multiGet().add(bytes("a")).add(bytes("c")).get()) {
        assertArrayEquals(OLD, values.get(0));
        assertNull(values.get(1));
      }
      MultiGet locked = second.toShare().multiGet().add(bytes("c")).add(bytes("b"));
      assertConflict(Code.TIMED_OUT, SubCode.LOCK_TIMEOUT, locked::get);
    }
  }

  @Test
  void aTransactionWithASnapshotCannotLockWhatOthersWroteSince() {
    try (TransactionDb db = locking();
        Transaction transaction = db.begin(TransactionOptions.defaults().snapshot(true))) {
      db.put(KEY, NEW);
      assertConflict(Code.BUSY, SubCode.NONE, () -> transaction.getForUpdate(KEY));
      assertConflict(Code.BUSY, SubCode.NONE, () -> transaction.put(KEY, OLD));
    }
  }

  @Test
  void aBatchOutsideOfTransactionsTakesLocksToo() {
    try (TransactionDb db = RocksDb.at(folder).defaults(CREATE)
        .openTransactional(TransactionDb.LockOptions.defaults().writeTimeout(Duration.ZERO));
        Transaction transaction = db.begin()) {
      transaction.put(KEY, NEW);
      WriteBatch batch = new WriteBatch();
      batch.put(bytes("other"), NEW);
      batch.put(KEY, OLD);
      assertConflict(Code.TIMED_OUT, SubCode.LOCK_TIMEOUT, () -> db.write(batch));
      assertNull(db.get(bytes("other")));
      transaction.commit();
      db.write(batch);
      assertArrayEquals(OLD, db.get(KEY));
    }
  }

  @Test
  void oneOfTwoThatWaitForEachOtherIsToldAtOnce() throws Exception {
    TransactionOptions options =
        TransactionOptions.defaults().deadlockDetection(true).lockTimeout(Duration.ofMinutes(10));
    try (TransactionDb db = locking();
        ExecutorService pool = Executors.newFixedThreadPool(2)) {
      CyclicBarrier bothHaveOne = new CyclicBarrier(2);
      List<Future<RocksDbException>> both = new ArrayList<>();
      for (String keys : List.of("ab", "ba")) {
        both.add(pool.submit(() -> lockInTurn(db.begin(options), keys, bothHaveOne)));
      }
      List<RocksDbException> failures = new ArrayList<>();
      for (Future<RocksDbException> each : both) {
        if (each.get() != null) {
          failures.add(each.get());
        }
      }
      assertEquals(1, failures.size());
      assertEquals(Code.BUSY, failures.getFirst().code());
      assertEquals(SubCode.DEADLOCK, failures.getFirst().subCode());
      assertArrayEquals(NEW, db.get(bytes("a")));
    }
  }

  private static RocksDbException lockInTurn(Transaction transaction, String keys, CyclicBarrier locked)
      throws Exception {
    try (transaction) {
      transaction.put(bytes(keys.substring(0, 1)), NEW);
      locked.await();
      transaction.put(bytes(keys.substring(1)), NEW);
      transaction.commit();
      return null;
    } catch (RocksDbException e) {
      return e;
    }
  }

  @Test
  void anExpiredTransactionLosesItsLocksAndIsNotCommitted() throws Exception {
    try (TransactionDb db = locking();
        Transaction expiring = db.begin(TransactionOptions.defaults().expiration(Duration.ofMillis(1)))) {
      expiring.put(KEY, OLD);
      Thread.sleep(5);
      db.put(KEY, NEW);
      assertConflict(Code.EXPIRED, SubCode.NONE, expiring::commit);
      assertArrayEquals(NEW, db.get(KEY));
    }
  }

  @Test
  void aTimeWithoutEndIsACentury() throws Exception {
    TransactionOptions forEver =
        TransactionOptions.defaults()
            .lockTimeout(Duration.ofSeconds(Long.MAX_VALUE))
            .expiration(Duration.ofSeconds(Long.MAX_VALUE));
    try (TransactionDb db = locking();
        ExecutorService other = Executors.newSingleThreadExecutor();
        Transaction holder = db.begin(forEver);
        Transaction waiting = db.begin(forEver)) {
      holder.put(KEY, NEW);
      Future<?> waits = other.submit(() -> putInTheEnd(waiting, KEY));
      while (!isInUse(waiting)) {
        Thread.onSpinWait();
      }
      holder.commit();
      waits.get();
      waiting.commit();
      assertArrayEquals(OLD, db.get(KEY));
    }
  }

  @Test
  void aDropEndsLocksThatOthersWaitForInTheFamily() throws Exception {
    TransactionOptions patient = TransactionOptions.defaults().lockTimeout(Duration.ofMinutes(10));
    try (TransactionDb db = locking();
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      ColumnFamily dropped = db.createFamily("dropped", CREATE);
      Transaction idle = db.begin();
      idle.in(dropped).put(KEY, NEW);
      Transaction waiting = db.begin(patient);
      Future<?> waits = other.submit(() -> putInTheEnd(waiting.in(dropped), KEY));
      while (!isInUse(waiting)) {
        Thread.onSpinWait();
      }
      db.dropFamily(dropped);
      waits.get();
      assertThrows(IllegalStateException.class, waiting::commit);
      assertThrows(IllegalStateException.class, idle::commit);
    }
  }

  @Test
  void aCloseOfTheDatabaseEndsLocksThatOthersWaitFor() throws Exception {
    TransactionOptions patient = TransactionOptions.defaults().lockTimeout(Duration.ofMinutes(10));
    TransactionDb db = locking();
    Transaction idle = db.begin();
    idle.put(KEY, NEW);
    Transaction waiting = db.begin(patient);
    CountDownLatch started = new CountDownLatch(1);
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      Future<?> waits =
          other.submit(
              () -> {
                started.countDown();
                putInTheEnd(waiting, KEY);
              });
      started.await();
      while (!isInUse(waiting)) {
        Thread.onSpinWait();
      }
      db.close();
      waits.get();
    }
    assertThrows(IllegalStateException.class, waiting::commit);
    assertThrows(IllegalStateException.class, idle::commit);
    idle.close();
    waiting.close();
    try (TransactionDb again = locking()) {
      assertNull(again.get(KEY));
    }
  }
}
