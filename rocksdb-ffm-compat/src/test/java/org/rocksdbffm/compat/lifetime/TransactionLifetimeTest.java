/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.AbstractComparator;
import org.rocksdb.AbstractTransactionNotifier;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.Status;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TransactionOptions;
import org.rocksdb.WBWIRocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;
import org.rocksdb.util.ReverseBytewiseComparator;

/** Objects of transactions and indexed batches are closed with them; rocksdbjni crashes in most of these tests. */
@Timeout(300)
class TransactionLifetimeTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final byte[] OTHER = "other".getBytes(UTF_8);
  private static final byte[] VALUE = "value".getBytes(UTF_8);
  private static final String ENDED =
      " is of no use any more: what it is over was committed, rolled back or cleared";

  @TempDir Path folder;
  private Options options;
  private TransactionDBOptions transactionDbOptions;
  private WriteOptions write;
  private ReadOptions read;
  private TransactionDB db;

  @BeforeEach
  void open() throws RocksDBException {
    options = new Options().setCreateIfMissing(true);
    transactionDbOptions = new TransactionDBOptions();
    write = new WriteOptions();
    read = new ReadOptions();
    db = TransactionDB.open(options, transactionDbOptions, folder.toString());
    db.put(KEY, VALUE);
  }

  @AfterEach
  void close() {
    db.close();
    read.close();
    write.close();
    transactionDbOptions.close();
    options.close();
  }

  /** rocksdbjni's assertions are enabled in tests, and precede the guards. */
  private static void assertRefused(String message, Executable use) {
    Throwable refusal = assertThrows(Throwable.class, use);
    if (!(refusal instanceof AssertionError) || !refusal.getStackTrace()[0].getClassName().startsWith("org.rocksdb.")) {
      assertEquals(IllegalStateException.class, refusal.getClass(), refusal::toString);
      assertEquals(message, refusal.getMessage());
    }
  }

  private static void assertClosed(String what, Executable use) {
    assertRefused(what + " is closed", use);
  }

  @Test
  void aClosedTransactionIsNotRenewed() {
    Transaction old = db.beginTransaction(write);
    old.close();
    assertClosed("Transaction", () -> db.beginTransaction(write, old));
  }

  /** The engine does not retain the WAL files with prepared transactions of such a database. */
  @Test
  void nothingIsPreparedWhereWritesArePipelined(@TempDir Path other) throws RocksDBException {
    try (Options pipelining = new Options().setCreateIfMissing(true).setEnablePipelinedWrite(true);
        TransactionDB pipelined = TransactionDB.open(pipelining, transactionDbOptions, other.toString());
        Transaction transaction = pipelined.beginTransaction(write)) {
      transaction.setName("lost");
      transaction.put(KEY, VALUE);
      String message = assertThrows(UnsupportedOperationException.class, transaction::prepare).getMessage();
      assertTrue(message.contains("enable_pipelined_write"), message);
      transaction.commit();
      assertArrayEquals(VALUE, pipelined.get(KEY));
    }
  }

  @Test
  void aClosedDatabaseClosesItsTransactionsAndWhatLivesInThem() throws RocksDBException {
    Transaction transaction = db.beginTransaction(write);
    transaction.put(OTHER, VALUE);
    transaction.setSnapshot();
    Snapshot snapshot = transaction.getSnapshot();
    RocksIterator rows = transaction.getIterator(read);
    rows.seekToFirst();
    WriteBatchWithIndex batch = transaction.getWriteBatch();
    WBWIRocksIterator entries = batch.newIterator();
    WriteBatch commitTime = transaction.getCommitTimeWriteBatch();
    WriteOptions itsOptions = transaction.getWriteOptions();
    db.close();
    assertClosed("Transaction", () -> transaction.put(KEY, VALUE));
    assertClosed("Transaction", transaction::commit);
    assertClosed("Transaction", snapshot::getSequenceNumber);
    assertClosed("Transaction", batch::count);
    assertClosed("Transaction", commitTime::count);
    assertClosed("Transaction", itsOptions::sync);
    assertClosed("RocksIterator", rows::key);
    assertClosed("Transaction", entries::isValid);
    entries.close();
    rows.close();
    batch.close();
    transaction.close();
  }

  @Test
  void anIteratorOverATransactionIsOfNoUseAfterItWasCommittedOrRolledBack() throws RocksDBException {
    for (int how = 0; how < 4; how++) {
      try (Transaction transaction = db.beginTransaction(write)) {
        transaction.setSavePoint();
        transaction.put(OTHER, VALUE);
        RocksIterator rows = transaction.getIterator(read);
        rows.seek(OTHER);
        assertTrue(rows.isValid());
        switch (how) {
          case 0 -> transaction.commit();
          case 1 -> transaction.rollback();
          case 2 -> transaction.rollbackToSavePoint();
          default -> transaction.getWriteBatch().clear();
        }
        assertRefused("RocksIterator" + ENDED, rows::isValid);
        assertRefused("RocksIterator" + ENDED, rows::key);
        assertRefused("RocksIterator" + ENDED, rows::next);
        assertRefused("RocksIterator" + ENDED, rows::status);
        try (RocksIterator anew = transaction.getIterator(read)) {
          anew.seekToFirst();
          assertArrayEquals(KEY, anew.key());
        }
        rows.close();
        rows.close();
      }
    }
  }

  @Test
  void aCommitThatFailsLeavesIteratorsAsTheyAre(@TempDir Path other) throws RocksDBException {
    try (OptimisticTransactionDB optimistic = OptimisticTransactionDB.open(options, other.toString());
        Transaction transaction = optimistic.beginTransaction(write)) {
      transaction.put(KEY, VALUE);
      optimistic.put(KEY, OTHER);
      try (RocksIterator rows = transaction.getIterator()) {
        rows.seekToFirst();
        assertEquals(
            Status.Code.Busy, assertThrows(RocksDBException.class, transaction::commit).getStatus().getCode());
        assertArrayEquals(VALUE, rows.value());
      }
    }
  }

  @Test
  void aTransactionThatIsBegunAnewEndsWhatWasOverIt() throws RocksDBException {
    try (Transaction transaction = db.beginTransaction(write)) {
      transaction.put(OTHER, VALUE);
      RocksIterator rows = transaction.getIterator(read);
      transaction.commit();
      Transaction again = db.beginTransaction(write, transaction);
      assertTrue(again == transaction);
      assertRefused("RocksIterator" + ENDED, rows::seekToFirst);
      rows.close();
    }
  }

  @Test
  void aTransactionIsNotBegunAnewInAnotherDatabase(@TempDir Path other) throws RocksDBException {
    Transaction transaction = db.beginTransaction(write);
    try (OptimisticTransactionDB optimistic = OptimisticTransactionDB.open(options, other.toString())) {
      assertEquals(
          "oldTransaction: it is a transaction of another database",
          assertThrows(IllegalArgumentException.class, () -> optimistic.beginTransaction(write, transaction))
              .getMessage());
      transaction.close();
      assertClosed("Transaction", () -> db.beginTransaction(write, transaction));
    }
  }

  @Test
  void aClosedTransactionClosesItsIterators() throws RocksDBException {
    Transaction transaction = db.beginTransaction(write);
    transaction.put(OTHER, VALUE);
    try (Slice bound = new Slice("z");
        ReadOptions bounded = new ReadOptions().setIterateUpperBound(bound)) {
      RocksIterator rows = transaction.getIterator(bounded);
      rows.seekToFirst();
      transaction.close();
      assertClosed("RocksIterator", rows::key);
      rows.close();
    }
  }

  @Test
  void aTransactionsSnapshotIsClosedWhenTheTransactionHasAnotherOrNone() throws RocksDBException {
    try (Transaction transaction = db.beginTransaction(write);
        ReadOptions atSnapshot = new ReadOptions()) {
      assertNull(transaction.getSnapshot());
      transaction.setSnapshot();
      Snapshot first = transaction.getSnapshot();
      assertTrue(first.getSequenceNumber() > 0);
      atSnapshot.setSnapshot(first);
      assertArrayEquals(VALUE, transaction.get(atSnapshot, KEY));
      transaction.clearSnapshot();
      assertClosed("Snapshot", first::getSequenceNumber);
      assertClosed("Snapshot", () -> transaction.get(atSnapshot, KEY));
      assertClosed("Snapshot", () -> db.newIterator(atSnapshot));
      assertThrows(IllegalStateException.class, () -> db.releaseSnapshot(first));
    }
  }

  @Test
  void theSnapshotThatANotifierIsGivenLivesInItsTransaction() throws RocksDBException {
    AtomicReference<Snapshot> given = new AtomicReference<>();
    AbstractTransactionNotifier notifier =
        new AbstractTransactionNotifier() {
          @Override
          public void snapshotCreated(Snapshot snapshot) {
            given.set(snapshot);
          }
        };
    Transaction transaction = db.beginTransaction(write);
    transaction.setSnapshotOnNextOperation(notifier);
    notifier.close(); // the transaction retains the native notifier
    assertNull(given.get());
    transaction.put(OTHER, VALUE);
    assertEquals(transaction.getSnapshot().getSequenceNumber(), given.get().getSequenceNumber());
    transaction.clearSnapshot();
    assertClosed("Snapshot", () -> given.get().getSequenceNumber());
    transaction.close();
    assertClosed("Transaction", () -> given.get().getSequenceNumber());
    assertClosed("Transaction", () -> transaction.setSnapshotOnNextOperation(notifier));
  }

  @Test
  void aTransactionIsNotClosedByItsOwnNotifier() throws RocksDBException {
    AtomicReference<Throwable> refusal = new AtomicReference<>();
    try (Transaction transaction = db.beginTransaction(write);
        AbstractTransactionNotifier notifier =
            new AbstractTransactionNotifier() {
              @Override
              public void snapshotCreated(Snapshot snapshot) {
                refusal.set(assertThrows(IllegalStateException.class, () -> closeAll(snapshot)));
              }

              private void closeAll(Snapshot snapshot) {
                db.close();
              }
            }) {
      transaction.setSnapshotOnNextOperation(notifier);
      transaction.put(OTHER, VALUE);
      assertNotNull(refusal.get());
      transaction.commit();
    }
  }

  @Test
  void aComparatorLivesAsLongAsTheBatchThatIsInItsOrder() throws RocksDBException {
    ComparatorOptions comparatorOptions = new ComparatorOptions();
    AbstractComparator reverse = new ReverseBytewiseComparator(comparatorOptions);
    try (WriteBatchWithIndex batch = new WriteBatchWithIndex(reverse, 0, true)) {
      reverse.close();
      comparatorOptions.close();
      batch.put(KEY, VALUE);
      batch.put(OTHER, VALUE);
      try (WBWIRocksIterator entries = batch.newIterator()) {
        entries.seekToFirst();
        assertEquals("other", UTF_8.decode(entries.entry().getKey().data()).toString());
      }
    }
  }

  @Test
  void whoWaitsForALockCanBeAskedWhomItWaitsForAndIsNotClosedMeanwhile() throws Exception {
    try (TransactionOptions patient = new TransactionOptions().setLockTimeout(2000);
        Transaction holder = db.beginTransaction(write)) {
      holder.put(KEY, OTHER);
      Transaction waiter = db.beginTransaction(write, patient);
      AtomicReference<Throwable> end = new AtomicReference<>();
      Thread waiting =
          Thread.ofPlatform().start(() -> {
            try {
              waiter.put(KEY, VALUE);
            } catch (Throwable e) {
              end.set(e);
            }
          });
      while (waiter.getWaitingTxns().getTransactionIds().length == 0) {
        Thread.onSpinWait();
      }
      assertEquals(holder.getID(), waiter.getWaitingTxns().getTransactionIds()[0]);
      assertEquals("key", waiter.getWaitingTxns().getKey());
      Thread closing = Thread.ofPlatform().start(waiter::close);
      List<Thread> users =
          java.util.stream.IntStream.range(0, 3)
              .mapToObj(
                  i ->
                      Thread.ofPlatform().start(() -> {
                        try {
                          waiter.getNumKeys();
                        } catch (IllegalStateException | AssertionError closed) {
                          return;
                        }
                      }))
              .toList();
      waiting.join();
      closing.join();
      for (Thread user : users) {
        user.join();
      }
      if (!(end.get() instanceof IllegalStateException)) { // closed before the thread started
        assertEquals(Status.Code.TimedOut, ((RocksDBException) end.get()).getStatus().getCode());
      }
    }
  }

  @Test
  void anIteratorOverABatchEndsWithIt() throws RocksDBException {
    WriteBatchWithIndex batch = new WriteBatchWithIndex(true);
    batch.put(OTHER, VALUE);
    WBWIRocksIterator entries = batch.newIterator();
    entries.seekToFirst();
    assertTrue(entries.isValid());
    batch.clear();
    assertRefused("WBWIRocksIterator" + ENDED, entries::isValid);
    assertRefused("WBWIRocksIterator" + ENDED, entries::entry);
    batch.put(KEY, VALUE);
    WBWIRocksIterator more = batch.newIterator();
    more.seekToFirst();
    batch.close();
    assertClosed("WBWIRocksIterator", more::isValid);
    assertClosed("WBWIRocksIterator", more::entry);
    more.close();
    entries.close();
  }

  @Test
  void whatAnEntryShowsStaysWhenTheBatchChanges() throws RocksDBException {
    try (WriteBatchWithIndex batch = new WriteBatchWithIndex(true)) {
      batch.put(KEY, VALUE);
      batch.delete(OTHER);
      try (WBWIRocksIterator entries = batch.newIterator()) {
        entries.seekToFirst();
        WBWIRocksIterator.WriteEntry entry = entries.entry();
        batch.put(OTHER, new byte[1 << 20]);
        assertEquals("key", UTF_8.decode(entry.getKey().data()).toString());
        assertEquals("value", UTF_8.decode(entry.getValue().data()).toString());
        entries.next();
        entries.next();
        assertFalse(entries.isValid());
        entries.next();
        entries.prev();
        assertThrows(IllegalStateException.class, entries::entry);
      }
    }
  }

  @Test
  void anIteratorOverABatchAndADatabaseEndsWithEither() throws RocksDBException {
    for (boolean batchFirst : new boolean[] {true, false}) {
      WriteBatchWithIndex batch = new WriteBatchWithIndex(true);
      batch.put(OTHER, VALUE);
      RocksIterator base = db.newIterator();
      RocksIterator rows = batch.newIteratorWithBase(base, read);
      rows.seekToFirst();
      assertArrayEquals(KEY, rows.key());
      rows.next();
      assertArrayEquals(OTHER, rows.key());
      assertClosed("RocksIterator", base::isValid);
      base.close();
      if (batchFirst) {
        batch.close();
        assertClosed("RocksIterator", rows::key);
      } else {
        db.close();
        assertClosed("RocksIterator", rows::key);
        db = TransactionDB.open(options, transactionDbOptions, folder.toString());
        assertEquals(1, batch.count());
      }
      rows.close();
      batch.close();
    }
  }

  @Test
  void anIteratorIsTheBaseOfOneOtherAtMost() throws RocksDBException {
    try (WriteBatchWithIndex batch = new WriteBatchWithIndex(true);
        RocksIterator base = db.newIterator();
        RocksIterator rows = batch.newIteratorWithBase(base)) {
      assertClosed("RocksIterator", () -> batch.newIteratorWithBase(base));
      assertThrows(UnsupportedOperationException.class, () -> batch.newIteratorWithBase(rows));
    }
  }

  @Test
  void aRowStaysRightWhileTheBatchGrows() throws RocksDBException {
    try (Transaction transaction = db.beginTransaction(write)) {
      transaction.put(OTHER, VALUE);
      try (RocksIterator rows = transaction.getIterator(read)) {
        rows.seek(OTHER);
        for (int i = 0; i < 100; i++) {
          transaction.put(("more" + i).getBytes(UTF_8), new byte[10_000]);
        }
        assertArrayEquals(OTHER, rows.key());
        assertArrayEquals(VALUE, rows.value());
        ByteBuffer buffer = ByteBuffer.allocateDirect(16);
        assertEquals(VALUE.length, rows.value(buffer));
        assertEquals(ByteBuffer.wrap(VALUE), buffer);
      }
    }
  }

  @Test
  void aBatchInABatchLivesAsLong() throws RocksDBException {
    WriteBatchWithIndex indexed = new WriteBatchWithIndex(true);
    indexed.put(KEY, VALUE);
    WriteBatch batch = indexed.getWriteBatch();
    assertEquals(1, batch.count());
    assertTrue(batch.getWriteBatch() == batch);
    indexed.close();
    assertClosed("WriteBatchWithIndex", batch::count);
    assertClosed("WriteBatchWithIndex", () -> db.write(write, batch));
    batch.close();
  }

  @Test
  void theDatabaseBelowATransactionalOneLivesInIt(@TempDir Path other) throws RocksDBException {
    OptimisticTransactionDB optimistic = OptimisticTransactionDB.open(options, other.toString());
    RocksDB base = optimistic.getBaseDB();
    base.put(KEY, VALUE);
    assertArrayEquals(VALUE, optimistic.get(KEY));
    optimistic.close();
    assertClosed("OptimisticTransactionDB", () -> base.get(KEY));
    base.close();
  }

  @Test
  void objectsOfTheDatabaseBelowATransactionalOneAreClosedWithIt(@TempDir Path other) throws RocksDBException {
    OptimisticTransactionDB optimistic = OptimisticTransactionDB.open(options, other.toString());
    RocksDB base = optimistic.getBaseDB();
    base.close(); // as with rocksdbjni, it does not own the database
    ColumnFamilyHandle family = base.createColumnFamily(new ColumnFamilyDescriptor("made below".getBytes()));
    base.put(family, KEY, VALUE);
    assertArrayEquals(VALUE, optimistic.get(family, KEY));
    RocksIterator iterator = base.newIterator(family);
    iterator.seekToFirst();
    assertArrayEquals(VALUE, iterator.value());
    optimistic.close();
    assertFalse(family.isOwningHandle());
    assertFalse(iterator.isOwningHandle());
    iterator.close();
    family.close();
  }

  @Test
  void manyThreadsMayMeetInOneTransaction() throws Exception {
    Transaction transaction = db.beginTransaction(write);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> threads =
        java.util.stream.IntStream.range(0, 4)
            .mapToObj(
                i ->
                    Thread.ofPlatform().start(() -> {
                      try {
                        for (int n = 0; n < 500; n++) {
                          transaction.put(("key " + i + n).getBytes(UTF_8), VALUE);
                          try (RocksIterator rows = transaction.getIterator(read)) {
                            rows.seekToLast();
                            assertNotNull(rows.key());
                          }
                          if (n % 100 == 99) {
                            transaction.rollback();
                          }
                        }
                      } catch (IllegalStateException ended) {
                        if (!ended.getMessage().endsWith(ENDED)) {
                          failure.compareAndSet(null, ended);
                        }
                      } catch (Throwable e) {
                        failure.compareAndSet(null, e);
                      }
                    }))
            .toList();
    for (Thread thread : threads) {
      thread.join();
    }
    transaction.close();
    if (failure.get() != null) {
      fail(failure.get());
    }
  }
}
