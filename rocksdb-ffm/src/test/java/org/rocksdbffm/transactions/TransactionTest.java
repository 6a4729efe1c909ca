/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.transactions;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.random;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.OptimisticTransactionDb;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.RocksDbException.SubCode;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionOptions;
import org.rocksdbffm.TransactionalDb;
import org.rocksdbffm.WriteBatch;

/** Transactions of both kinds, from their start to their end. */
final class TransactionTest extends TransactionCase {
  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatIsWrittenIsSeenByOthersWhenItIsCommitted(Kind kind) {
    try (TransactionalDb db = kind.open(folder, CREATE)) {
      db.put(KEY, OLD);
      Transaction transaction = db.begin();
      transaction.put(KEY, NEW);
      assertArrayEquals(NEW, transaction.get(KEY));
      assertArrayEquals(OLD, db.get(KEY));
      transaction.commit();
      assertArrayEquals(NEW, db.get(KEY));
      assertFalse(transaction.isOpen());
      IllegalStateException e = assertThrows(IllegalStateException.class, () -> transaction.get(KEY));
      assertTrue(e.getMessage().endsWith("was committed: begin another"), e.getMessage());
      transaction.close();
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aRollbackACloseAndTheDatabasesCloseUndoAll(Kind kind) {
    try (TransactionalDb db = kind.open(folder, CREATE)) {
      Transaction rolledBack = db.begin();
      rolledBack.put(bytes("a"), NEW);
      rolledBack.rollback();
      assertThrows(IllegalStateException.class, rolledBack::commit);
      try (Transaction closed = db.begin()) {
        closed.put(bytes("b"), NEW);
      }
      Transaction open = db.begin();
      open.put(bytes("c"), NEW);
      db.close();
      assertThrows(IllegalStateException.class, open::commit);
      assertThrows(IllegalStateException.class, () -> open.get(KEY));
      open.close();
    }
    try (TransactionalDb db = kind.open(folder, CREATE)) {
      assertNull(db.get(bytes("a")));
      assertNull(db.get(bytes("b")));
      assertNull(db.get(bytes("c")));
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void rangesAreRefusedWhereTheEngineHasNone(Kind kind) {
    try (TransactionalDb db = kind.open(folder, CREATE);
        Transaction transaction = db.begin()) {
      assertThrows(UnsupportedOperationException.class, () -> transaction.deleteRange(KEY, NEW));
      assertThrows(UnsupportedOperationException.class, () -> transaction.forUpdate().scan(KeyRange.all()));
      assertThrows(UnsupportedOperationException.class, () -> transaction.toShare().cursor());
      WriteBatch batch = new WriteBatch();
      batch.deleteRange(bytes("a"), bytes("b"));
      for (Executable deletion
          : List.<Executable>of(() -> db.deleteRange(bytes("a"), bytes("b")), () -> db.write(batch))) {
        assertConflict(Code.NOT_SUPPORTED, SubCode.NONE, deletion);
        String message = assertThrows(RocksDbException.class, deletion).getMessage();
        assertTrue(message.contains("deletes no ranges in a database with transactions (column family 'default' of "),
            message);
      }
      db.put(KEY, NEW);
      assertArrayEquals(NEW, db.get(KEY));
    }
  }

  @Test
  void aTransactionThatIsTooLargeIsToldSo() {
    try (TransactionDb db = locking();
        Transaction small = db.begin(TransactionOptions.defaults().maxSize(ByteSize.bytes(1000)))) {
      small.put(KEY, random(500, 1));
      assertConflict(Code.ABORTED, SubCode.MEMORY_LIMIT, () -> small.put(bytes("more"), random(1000, 1)));
      small.commit();
      assertNotNull(db.get(KEY));
    }
  }

  @Test
  void aFamilyOfAnotherDatabaseIsRefused(@TempDir Path elsewhere) {
    try (TransactionDb db = locking();
        TransactionDb another = RocksDb.at(elsewhere).defaults(CREATE).openTransactional();
        Transaction transaction = db.begin()) {
      ColumnFamily foreign = another.createFamily("f", CREATE);
      assertThrows(IllegalArgumentException.class, () -> transaction.in(foreign));
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aDropRollsBackWhatHasTouchedTheFamilyAndLetsGoOfItsLocks(Kind kind) {
    try (TransactionalDb db = kind.open(folder, CREATE)) {
      ColumnFamily dropped = db.createFamily("dropped", CREATE);
      Transaction writer = db.begin();
      writer.put(KEY, NEW);
      writer.in(dropped).put(KEY, NEW);
      Transaction locker = db.begin();
      locker.getForUpdate(bytes("other"));
      locker.in(dropped).getForUpdate(bytes("other"));
      Transaction untouched = db.begin();
      untouched.put(bytes("third"), NEW);
      db.dropFamily(dropped);
      for (Transaction ended : List.of(writer, locker)) {
        IllegalStateException e = assertThrows(IllegalStateException.class, ended::commit);
        assertTrue(e.getMessage().contains("'dropped'"), e.getMessage());
        ended.close();
      }
      assertThrows(IllegalStateException.class, () -> untouched.in(dropped).put(KEY, OLD));
      assertThrows(IllegalStateException.class, () -> untouched.in(dropped).getForUpdate(KEY));
      untouched.commit();
      assertNull(db.get(KEY));
      db.put(KEY, OLD);
      db.put(bytes("other"), OLD);
      assertArrayEquals(NEW, db.get(bytes("third")));
      dropped.close();
    }
  }

  @Test
  void twoThreadsAtOnceAreRefusedAndOneAfterTheOtherAreNot() throws Exception {
    try (TransactionDb db = locking();
        ExecutorService other = Executors.newSingleThreadExecutor();
        Transaction holder = db.begin();
        Transaction waiting = db.begin(TransactionOptions.defaults().lockTimeout(Duration.ofSeconds(60)))) {
      holder.put(KEY, NEW);
      Future<?> waits = other.submit(() -> putInTheEnd(waiting, KEY));
      IllegalStateException refused = null;
      while (refused == null) {
        try {
          waiting.get(bytes("x"));
          Thread.sleep(1);
        } catch (IllegalStateException e) {
          refused = e;
        }
      }
      assertTrue(refused.getMessage().contains("in use already"), refused.getMessage());
      holder.commit();
      waits.get();
      waiting.commit();
      assertArrayEquals(OLD, db.get(KEY));
    }
  }

  @Test
  void aFolderIsOpenedAsAnyKindInTurn() throws ExecutionException {
    try (TransactionDb db = locking()) {
      db.put(KEY, NEW);
    }
    try (OptimisticTransactionDb db = RocksDb.at(folder).defaults(CREATE).openOptimistic()) {
      assertArrayEquals(NEW, db.get(KEY));
    }
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE).open()) {
      assertArrayEquals(NEW, db.get(KEY));
    }
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE).openReadOnly()) {
      assertArrayEquals(NEW, db.get(KEY));
    }
  }
}
