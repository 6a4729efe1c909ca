/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.transactions;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.text;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdbffm.OptimisticTransactionDb;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.RocksDbException.Severity;
import org.rocksdbffm.RocksDbException.SubCode;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionOptions;
import org.rocksdbffm.TransactionRetryException;
import org.rocksdbffm.TransactionalDb;

/** Code that is run in transactions, and run again after a conflict. */
final class TransactTest extends TransactionCase {
  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatIsTransactedIsTriedAgainUntilItIsCommitted(Kind kind) throws Exception {
    int threads = 4;
    int rounds = 200;
    try (TransactionalDb db = kind.open(folder, CREATE);
        ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      db.put(KEY, bytes("0"));
      AtomicInteger runs = new AtomicInteger();
      List<Future<?>> all = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        all.add(
            pool.submit(
                () -> {
                  for (int i = 0; i < rounds; i++) {
                    db.inTransaction(
                        transaction -> {
                          runs.incrementAndGet();
                          int count = Integer.parseInt(text(transaction.getForUpdate(KEY)));
                          transaction.put(KEY, bytes(Integer.toString(count + 1)));
                        });
                  }
                }));
      }
      for (Future<?> each : all) {
        each.get();
      }
      assertEquals(threads * rounds, Integer.parseInt(text(db.get(KEY))));
      assertTrue(runs.get() >= threads * rounds);
    }
  }

  @Test
  void whatIsTransactedResultsInWhatTheCommittedRunReturned() {
    try (OptimisticTransactionDb db = RocksDb.at(folder).defaults(CREATE).openOptimistic()) {
      db.put(KEY, OLD);
      List<String> seen = new ArrayList<>();
      String result =
          db.callInTransaction(
              transaction -> {
                String value = text(transaction.getForUpdate(KEY));
                if (seen.isEmpty()) {
                  db.put(KEY, NEW); // causes a conflict
                }
                seen.add(value);
                transaction.put(bytes("copy"), bytes(value));
                return value;
              });
      assertEquals("new", result);
      assertEquals(List.of("old", "new"), seen);
      assertArrayEquals(NEW, db.get(bytes("copy")));
    }
  }

  @Test
  void anExceptionOfTheBodyRollsBackAndIsThrownOn() {
    try (TransactionDb db = locking()) {
      IOException mine = new IOException("mine");
      TransactionalDb.Task<IOException> body =
          transaction -> {
            transaction.put(KEY, NEW);
            throw mine;
          };
      assertSame(mine, assertThrows(IOException.class, () -> db.inTransaction(body)));
      assertNull(db.get(KEY));
      db.put(KEY, OLD); // the key is not locked any more
      db.inTransaction(transaction -> {
        transaction.put(KEY, NEW);
        transaction.rollback();
      });
      assertArrayEquals(OLD, db.get(KEY));
    }
  }

  @Test
  void aPolicyGivesUpWithTheLastConflictAsTheCause() {
    try (OptimisticTransactionDb db = RocksDb.at(folder).defaults(CREATE).openOptimistic()) {
      AtomicInteger runs = new AtomicInteger();
      TransactionalDb.RetryPolicy policy =
          new TransactionalDb.RetryPolicy(3, Duration.ofMinutes(1), Duration.ZERO, Duration.ZERO);
      TransactionRetryException e =
          assertThrows(
              TransactionRetryException.class,
              () ->
                  db.callInTransaction(
                      policy,
                      TransactionOptions.defaults(),
                      transaction -> {
                        transaction.getForUpdate(KEY);
                        transaction.put(KEY, NEW);
                        db.put(KEY, bytes(Integer.toString(runs.incrementAndGet())));
                        return null;
                      }));
      assertEquals(3, e.attempts());
      assertEquals(3, runs.get());
      assertEquals(Code.BUSY, ((RocksDbException) e.getCause()).code());
      assertEquals("3", text(db.get(KEY)));
    }
  }

  @Test
  void whatTheBodyHasPreparedIsRolledBackWhereItThrows() {
    try (TransactionDb db = locking()) {
      List<String> runs = new ArrayList<>();
      db.inTransaction(
          transaction -> {
            transaction.put(KEY, NEW);
            transaction.prepare("p"); // the second run can use the same name
            runs.add(text(transaction.get(KEY)));
            if (runs.size() == 1) {
              throw new RocksDbException(Code.BUSY, SubCode.NONE, Severity.NONE, "another's conflict");
            }
          });
      assertEquals(List.of("new", "new"), runs);
      TransactionalDb.Task<IOException> failing =
          transaction -> {
            transaction.put(KEY, OLD);
            transaction.prepare("p");
            throw new IOException("mine");
          };
      assertThrows(IOException.class, () -> db.inTransaction(failing));
      assertEquals(List.of(), db.prepared());
      assertArrayEquals(NEW, db.get(KEY));
      db.put(KEY, OLD); // the key is not locked any more
    }
  }

  @Test
  void anEngineFailureThatIsNoConflictIsNotTriedAgain() {
    AtomicInteger runs = new AtomicInteger();
    try (TransactionDb db = locking()) {
      assertThrows(
          RocksDbException.class,
          () ->
              db.inTransaction(
                  transaction -> {
                    runs.incrementAndGet();
                    db.deleteRange(KEY, bytes("z"));
                  }));
      assertEquals(1, runs.get());
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatTheBodyHasCommittedIsNotTransactedAgain(Kind kind) {
    RocksDbException conflict = new RocksDbException(Code.BUSY, SubCode.NONE, Severity.NONE, "another database's");
    AtomicInteger runs = new AtomicInteger();
    try (TransactionalDb db = kind.open(folder, CREATE)) {
      TransactionalDb.Task<RuntimeException> body =
          transaction -> {
            runs.incrementAndGet();
            transaction.merge(KEY, NEW);
            transaction.commit();
            throw conflict;
          };
      assertSame(conflict, assertThrows(RocksDbException.class, () -> db.inTransaction(body)));
      assertEquals(1, runs.get());
      assertEquals("new", text(db.get(KEY)));
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatTheBodyHasRolledBackIsTransactedAgain(Kind kind) {
    AtomicInteger runs = new AtomicInteger();
    try (TransactionalDb db = kind.open(folder, CREATE)) {
      db.inTransaction(
          transaction -> {
            transaction.merge(KEY, NEW);
            if (runs.incrementAndGet() == 1) {
              transaction.rollback();
              throw new RocksDbException(Code.BUSY, SubCode.NONE, Severity.NONE, "another database's");
            }
          });
      assertEquals(2, runs.get());
      assertEquals("new", text(db.get(KEY)));
    }
  }
}
