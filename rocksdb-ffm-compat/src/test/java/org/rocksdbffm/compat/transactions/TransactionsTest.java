/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.transactions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Status;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TransactionOptions;
import org.rocksdb.WBWIRocksIterator;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;

/** Transactions with and without locks, and indexed batches, with all forms of keys and values. */
@Tag("oracle")
@Timeout(300)
class TransactionsTest {
  static {
    RocksDB.loadLibrary();
  }

  @TempDir Path folder;
  private final List<ColumnFamilyHandle> families = new ArrayList<>();
  private ColumnFamilyOptions familyOptions;
  private DBOptions options;
  private TransactionDBOptions transactionDbOptions;
  private WriteOptions write;
  private ReadOptions read;
  private StringAppendOperator append;
  private TransactionDB db;

  @BeforeEach
  void open() throws RocksDBException {
    append = new StringAppendOperator();
    familyOptions = new ColumnFamilyOptions().setMergeOperator(append);
    options = new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
    transactionDbOptions = new TransactionDBOptions();
    write = new WriteOptions();
    read = new ReadOptions();
    db =
        TransactionDB.open(
            options,
            transactionDbOptions,
            folder.toString(),
            List.of(
                new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, familyOptions),
                new ColumnFamilyDescriptor(bytes("other"), familyOptions)),
            families);
  }

  @AfterEach
  void close() {
    db.close();
    read.close();
    write.close();
    transactionDbOptions.close();
    options.close();
    familyOptions.close();
    append.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static ByteBuffer direct(String text) {
    return ByteBuffer.allocateDirect(text.length()).put(bytes(text)).flip();
  }

  private static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, UTF_8);
  }

  private static Status.Code codeOf(org.junit.jupiter.api.function.Executable use) {
    return assertThrows(RocksDBException.class, use).getStatus().getCode();
  }

  @Test
  void whatIsWrittenInATransactionIsSeenInItAndOutsideOnceItIsCommitted() throws RocksDBException {
    byte[] large = new byte[100_000];
    large[99_999] = 1;
    try (Transaction transaction = db.beginTransaction(write)) {
      for (ColumnFamilyHandle family : families) {
        transaction.put(family, bytes("array"), bytes("a"));
        transaction.put(family, direct("direct"), direct("d"));
        transaction.put(family, ByteBuffer.wrap(bytes("heap")), ByteBuffer.wrap(bytes("h")));
        transaction.put(family, new byte[][] {bytes("pa"), bytes("rts")}, new byte[][] {bytes("p"), bytes("q")});
        transaction.put(family, bytes("large"), large);
        transaction.put(family, bytes("gone"), bytes("g"));
        transaction.delete(family, bytes("gone"));
        transaction.putUntracked(family, bytes("untracked"), bytes("u"));
        transaction.mergeUntracked(family, bytes("untracked"), bytes("m"));
        transaction.merge(family, bytes("array"), bytes("b"));
        transaction.merge(family, direct("direct"), direct("e"));
        transaction.putUntracked(family, bytes("once"), bytes("o"));
        transaction.singleDelete(family, bytes("once"));
      }
      assertNull(db.get(bytes("array")));
      assertEquals(Map.of("array", "a,b", "direct", "d,e", "heap", "h", "parts", "pq", "untracked", "u,m"),
          small(transaction));
      assertEquals(16, transaction.getNumPuts());
      transaction.commit();
    }
    for (ColumnFamilyHandle family : families) {
      assertEquals("a,b", text(db.get(family, bytes("array"))));
      assertEquals("d,e", text(db.get(family, bytes("direct"))));
      assertEquals("pq", text(db.get(family, bytes("parts"))));
      assertArrayEquals(large, db.get(family, bytes("large")));
      assertNull(db.get(family, bytes("gone")));
      assertNull(db.get(family, bytes("once")));
    }
  }

  /** Returns all small entries of the other family. */
  private Map<String, String> small(Transaction transaction) {
    Map<String, String> rows = new java.util.TreeMap<>();
    try (RocksIterator iterator = transaction.getIterator(read, families.get(1))) {
      for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
        if (iterator.value().length < 10) {
          rows.put(text(iterator.key()), text(iterator.value()));
        }
      }
    }
    return rows;
  }

  @Test
  void keysAreReadInAllForms() throws RocksDBException {
    ColumnFamilyHandle family = families.get(1);
    db.put(family, bytes("old"), bytes("value"));
    try (Transaction transaction = db.beginTransaction(write)) {
      transaction.put(family, bytes("new"), bytes("another"));
      for (boolean lock : new boolean[] {false, true}) {
        for (String key : List.of("old", "new")) {
          String expected = key.equals("old") ? "value" : "another";
          byte[] array =
              lock
                  ? transaction.getForUpdate(read, family, bytes(key), true)
                  : transaction.get(read, family, bytes(key));
          assertEquals(expected, text(array));
          byte[] room = new byte[4];
          int size =
              (lock
                      ? transaction.getForUpdate(read, family, bytes(key), room, true)
                      : transaction.get(read, family, bytes(key), room))
                  .requiredSize;
          assertEquals(expected.length(), size);
          assertEquals(expected.substring(0, 4), text(room));
          ByteBuffer buffer = ByteBuffer.allocateDirect(16);
          size =
              (lock
                      ? transaction.getForUpdate(read, family, direct(key), buffer, true)
                      : transaction.get(read, family, direct(key), buffer))
                  .requiredSize;
          assertEquals(expected.length(), size);
          assertEquals(direct(expected), buffer.flip());
        }
      }
      assertNull(transaction.get(read, family, bytes("none")));
      assertNull(transaction.getForUpdate(read, family, bytes("none"), false, false));
      List<byte[]> many =
          transaction.multiGetAsList(
              read, List.of(family, family, families.get(0)), List.of(bytes("new"), bytes("old"), bytes("new")));
      assertEquals("another", text(many.get(0)));
      assertEquals("value", text(many.get(1)));
      assertNull(many.get(2));
    }
  }

  @Test
  void aLockedKeyIsWaitedForAndTimesOut() throws RocksDBException {
    try (TransactionOptions impatient = new TransactionOptions().setLockTimeout(1);
        Transaction holder = db.beginTransaction(write);
        Transaction other = db.beginTransaction(write, impatient)) {
      assertNull(holder.getForUpdate(read, families.get(0), bytes("key"), true));
      RocksDBException failure =
          assertThrows(RocksDBException.class, () -> other.put(bytes("key"), bytes("value")));
      assertEquals(Status.Code.TimedOut, failure.getStatus().getCode());
      assertEquals(Status.SubCode.LockTimeout, failure.getStatus().getSubCode());
      assertEquals(Status.Code.TimedOut, codeOf(() -> other.singleDelete(bytes("key"))));
      assertEquals(
          Status.Code.TimedOut, codeOf(() -> other.getForUpdate(read, families.get(0), bytes("key"), true)));
      Map<Long, TransactionDB.KeyLockInfo> locks = db.getLockStatusData();
      assertEquals(1, locks.size());
      TransactionDB.KeyLockInfo lock = locks.get(0L);
      assertEquals("key", lock.getKey());
      assertEquals(1, lock.getTransactionIDs().length); // which rocksdbjni leaves empty
      assertTrue(lock.isExclusive());
      holder.undoGetForUpdate(families.get(0), bytes("key"));
      other.put(bytes("key"), bytes("value"));
      other.commit();
      assertEquals("value", text(db.get(bytes("key"))));
    }
  }

  @Test
  void aDeadlockIsDetected() throws Exception {
    assertEquals(0, db.getDeadlockInfoBuffer().length);
    try (TransactionOptions careful = new TransactionOptions().setDeadlockDetect(true).setLockTimeout(10_000);
        Transaction one = db.beginTransaction(write, careful);
        Transaction two = db.beginTransaction(write, careful)) {
      one.put(bytes("a"), bytes("1"));
      two.put(bytes("b"), bytes("2"));
      CountDownLatch done = new CountDownLatch(1);
      Thread.ofPlatform()
          .start(
              () -> {
                try {
                  one.put(bytes("b"), bytes("1"));
                  done.countDown();
                } catch (RocksDBException e) {
                  throw new AssertionError(e);
                }
              });
      while (one.getWaitingTxns().getTransactionIds().length == 0) {
        Thread.onSpinWait();
      }
      RocksDBException failure = assertThrows(RocksDBException.class, () -> two.put(bytes("a"), bytes("2")));
      assertEquals(Status.Code.Busy, failure.getStatus().getCode());
      assertEquals(Status.SubCode.Deadlock, failure.getStatus().getSubCode());
      two.rollback();
      assertTrue(done.await(60, TimeUnit.SECONDS));
      one.commit();
      assertEquals("1", text(db.get(bytes("b"))));
    }
  }

  @Test
  void aSavePointIsGoneBackTo() throws RocksDBException {
    try (Transaction transaction = db.beginTransaction(write)) {
      transaction.put(bytes("kept"), bytes("1"));
      transaction.setSavePoint();
      transaction.put(bytes("dropped"), bytes("2"));
      transaction.rollbackToSavePoint();
      assertEquals(Status.Code.NotFound, codeOf(transaction::rollbackToSavePoint));
      transaction.commit();
    }
    assertEquals("1", text(db.get(bytes("kept"))));
    assertNull(db.get(bytes("dropped")));
  }

  @Test
  void aTransactionIsPreparedAndThenCommitted() throws RocksDBException {
    try (Transaction transaction = db.beginTransaction(write)) {
      assertEquals(Status.Code.InvalidArgument, codeOf(transaction::prepare)); // unnamed
      transaction.setName("prepared");
      assertEquals("prepared", transaction.getName());
      transaction.put(bytes("key"), bytes("value"));
      transaction.prepare();
      assertEquals(Transaction.TransactionState.PREPARED, transaction.getState());
      assertNull(db.get(bytes("key")));
      assertEquals(1, db.getAllPreparedTransactions().size());
      transaction.commit();
      assertEquals(Transaction.TransactionState.COMMITTED, transaction.getState());
      assertEquals("value", text(db.get(bytes("key"))));
    }
  }

  @Test
  void aConflictWithoutLocksIsFoundAtTheCommit(@TempDir Path other) throws RocksDBException {
    try (Options create = new Options().setCreateIfMissing(true);
        OptimisticTransactionDB optimistic = OptimisticTransactionDB.open(create, other.toString());
        Transaction transaction = optimistic.beginTransaction(write)) {
      ColumnFamilyHandle family = optimistic.getDefaultColumnFamily();
      assertNull(transaction.getForUpdate(read, family, bytes("key"), true));
      optimistic.put(bytes("key"), bytes("of another"));
      transaction.put(family, bytes("key"), bytes("mine"));
      assertEquals(Status.Code.Busy, codeOf(transaction::commit));
      transaction.rollback();
      transaction.put(family, bytes("key"), bytes("mine"), true);
      transaction.merge(family, bytes("merged"), bytes("m"), true);
      transaction.delete(family, bytes("deleted"), true);
      assertEquals(1, transaction.getNumMerges());
      transaction.rollback();
      transaction.putUntracked(bytes("key"), bytes("mine"));
      optimistic.put(bytes("key"), bytes("later"));
      transaction.commit();
      assertEquals("mine", text(optimistic.get(bytes("key"))));
    }
  }

  @Test
  void aBatchWithAnIndexIsReadAloneAndTogetherWithTheDatabase() throws RocksDBException {
    ColumnFamilyHandle family = families.get(1);
    db.put(family, bytes("a"), bytes("db"));
    db.put(family, bytes("c"), bytes("db"));
    try (WriteBatchWithIndex batch = new WriteBatchWithIndex(true)) {
      batch.put(family, bytes("b"), bytes("batch"));
      batch.put(family, direct("d"), direct("batch"));
      batch.delete(family, bytes("c"));
      batch.merge(bytes("m"), bytes("1"));
      batch.singleDelete(bytes("s"));
      batch.putLogData(bytes("not counted"));
      assertEquals(5, batch.count());
      assertEquals("batch", text(batch.getFromBatch(family, options, bytes("b"))));
      assertNull(batch.getFromBatch(family, options, bytes("a")));
      assertEquals("db", text(batch.getFromBatchAndDB(db, family, read, bytes("a"))));
      assertNull(batch.getFromBatchAndDB(db, family, read, bytes("c")));
      StringBuilder rows = new StringBuilder();
      try (RocksIterator iterator = batch.newIteratorWithBase(family, db.newIterator(family))) {
        for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
          rows.append(text(iterator.key())).append('=').append(text(iterator.value())).append(' ');
        }
      }
      assertEquals("a=db b=batch d=batch ", rows.toString());
      StringBuilder entries = new StringBuilder();
      try (WBWIRocksIterator iterator = batch.newIterator(family)) {
        for (iterator.seek(bytes("b")); iterator.isValid(); iterator.next()) {
          WBWIRocksIterator.WriteEntry entry = iterator.entry();
          entries.append(entry.getType()).append(' ').append(entry.getKey().toString(false)).append(' ');
        }
      }
      assertEquals("PUT b DELETE c PUT d ", entries.toString());
      batch.setSavePoint();
      batch.put(bytes("x"), bytes("y"));
      batch.rollbackToSavePoint();
      batch.setSavePoint();
      batch.popSavePoint();
      assertEquals(Status.Code.NotFound, codeOf(batch::popSavePoint));
      assertEquals(Status.Code.NotSupported, codeOf(() -> batch.deleteRange(bytes("a"), bytes("b"))));
      db.write(write, batch);
      assertEquals("batch", text(db.get(family, bytes("d"))));
      assertEquals("1", text(db.get(bytes("m"))));
      batch.setMaxBytes(batch.getWriteBatch().getDataSize());
      assertEquals(Status.SubCode.MemoryLimit,
          assertThrows(RocksDBException.class, () -> batch.put(bytes("too"), bytes("much")))
              .getStatus().getSubCode());
    }
  }
}
