/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.transactions;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.Backups;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.DatabaseFiles;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.OptimisticTransactionDb;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.Row;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionKeys;
import org.rocksdbffm.TransactionOptions;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.tools.LiveObjectsCheck;

@ExtendWith(LiveObjectsCheck.class)
final class PreparedTransactionTest {
  private static final byte[] KEY = bytes("key");
  private static final byte[] NEW = bytes("new");

  @TempDir Path folder;

  private TransactionDb open() {
    return RocksDb.at(folder).openTransactional(TransactionDb.LockOptions.defaults().writeTimeout(Duration.ZERO));
  }

  private static Transaction only(TransactionDb db) {
    List<Transaction> prepared = db.prepared();
    assertEquals(1, prepared.size());
    return prepared.getFirst();
  }

  @Test
  void aPreparedTransactionIsCommittedAfterTheNextOpening() {
    try (TransactionDb db = open()) {
      ColumnFamily other = db.createFamily("other", FamilyOptions.defaults());
      Transaction transaction = db.begin();
      transaction.put(KEY, NEW);
      transaction.in(other).put(KEY, NEW);
      assertEquals(Optional.empty(), transaction.preparedName());
      transaction.prepare("Überweisung 1");
      assertEquals(Optional.of("Überweisung 1"), transaction.preparedName());
      assertNull(db.get(KEY));
    }
    try (TransactionDb db = open()) {
      assertNull(db.get(KEY));
      assertThrows(RocksDbException.class, () -> db.put(KEY, bytes("mine")), "it keeps its locks");
      try (Transaction recovered = only(db)) {
        assertEquals(Optional.of("Überweisung 1"), recovered.preparedName());
        assertArrayEquals(NEW, recovered.get(KEY));
        assertEquals(List.of(), db.prepared(), "it is given out once");
        recovered.commit();
      }
      assertArrayEquals(NEW, db.get(KEY));
      assertArrayEquals(NEW, db.family("other").get(KEY));
    }
    try (TransactionDb db = open()) {
      assertEquals(List.of(), db.prepared());
      assertArrayEquals(NEW, db.get(KEY));
    }
  }

  @Test
  void aPreparedTransactionIsRolledBackAfterTheNextOpening() {
    try (TransactionDb db = open()) {
      Transaction transaction = db.begin();
      transaction.put(KEY, NEW);
      transaction.prepare("p");
    }
    try (TransactionDb db = open()) {
      only(db).rollback();
      db.put(bytes("free"), NEW);
    }
    try (TransactionDb db = open()) {
      assertEquals(List.of(), db.prepared());
      assertNull(db.get(KEY));
    }
  }

  @Test
  void aCloseGivesAPreparedTransactionBackWithItsLocks() {
    try (TransactionDb db = open()) {
      try (Transaction transaction = db.begin()) {
        transaction.put(KEY, NEW);
        transaction.prepare("p");
      }
      assertThrows(RocksDbException.class, () -> db.put(KEY, bytes("mine")));
      Transaction again = only(db);
      again.close();
      IllegalStateException e = assertThrows(IllegalStateException.class, again::commit);
      assertTrue(e.getMessage().endsWith("is closed"), e.getMessage());
      only(db).commit();
      assertArrayEquals(NEW, db.get(KEY));
    }
  }

  @Test
  void aNameIsOfOneTransactionAtATime() {
    try (TransactionDb db = open()) {
      Transaction first = db.begin();
      first.put(KEY, NEW);
      first.prepare("p");
      try (Transaction second = db.begin()) {
        second.put(bytes("other"), NEW);
        RocksDbException e = assertThrows(RocksDbException.class, () -> second.prepare("p"));
        assertEquals(Code.INVALID_ARGUMENT, e.code());
        assertThrows(RocksDbException.class, () -> second.prepare(""));
        assertThrows(IllegalArgumentException.class, () -> second.prepare("\ud800"));
        assertThrows(RocksDbException.class, () -> second.prepare("x".repeat(513)));
        second.prepare("q");
        second.commit();
      }
      assertThrows(IllegalStateException.class, () -> first.prepare("r"));
      first.commit();
      assertArrayEquals(NEW, db.get(KEY));
    }
  }

  @Test
  void nothingIsWrittenBehindThePreparation() {
    try (TransactionDb db = open()) {
      ColumnFamily family = db.createFamily("family", FamilyOptions.defaults());
      Transaction transaction = db.begin();
      transaction.put(KEY, NEW);
      transaction.setSavePoint();
      transaction.prepare("p");
      requireRefusal(transaction, transaction.in(family));
      transaction.close();
      Transaction again = only(db);
      requireRefusal(again, null);
      again.close();
    }
    try (TransactionDb db = open()) {
      Transaction recovered = only(db);
      requireRefusal(recovered, recovered.in(db.family("family")));
      assertArrayEquals(NEW, recovered.getForUpdate(KEY));
      assertEquals(1, recovered.scan(KeyRange.all()).stream(Row::keyBytes).count());
      recovered.commit();
      db.put(bytes("late"), NEW);
      assertNull(db.family("family").get(bytes("late")));
    }
    try (TransactionDb db = open()) {
      assertArrayEquals(NEW, db.get(KEY));
    }
  }

  /**
   * Asserts that a prepared transaction refuses changes: the WAL contains only the prepared changes, so later changes
   * would be lost when the database is opened again.
   */
  private static void requireRefusal(Transaction transaction, TransactionKeys others) {
    List<Executable> changes = new ArrayList<>();
    for (TransactionKeys keys : others == null ? List.of(transaction) : List.of(transaction, others)) {
      changes.add(() -> keys.put(bytes("late"), NEW));
      changes.add(() -> keys.merge(bytes("late"), NEW));
      changes.add(() -> keys.delete(bytes("late")));
      changes.add(() -> keys.singleDelete(bytes("late")));
    }
    changes.add(transaction::setSavePoint);
    changes.add(transaction::rollbackToSavePoint);
    changes.add(transaction::popSavePoint);
    for (Executable change : changes) {
      String message = assertThrows(IllegalStateException.class, change).getMessage();
      assertTrue(message.endsWith("is prepared already: commit it, or roll it back"), message);
    }
    assertNull(transaction.get(bytes("late")));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDatabaseThatDoesNotKnowTransactionsIsNotOpenedOverPreparedOnes(boolean flushed) {
    try (TransactionDb db = open()) {
      Transaction transaction = db.begin();
      transaction.put(KEY, NEW);
      transaction.prepare("p");
      writeBehind(db, flushed);
    }
    String message = assertThrows(RocksDbException.class, () -> RocksDb.open(folder)).getMessage();
    assertTrue(message.contains("transactions that are prepared: [p] (")
        && message.contains("TransactionDb.open"), message);
    assertThrows(RocksDbException.class, () -> OptimisticTransactionDb.open(folder));
    try (RocksDb db = RocksDb.at(folder).openReadOnly()) {
      assertNull(db.get(KEY));
    }
    try (TransactionDb db = open()) {
      only(db).commit();
      assertArrayEquals(NEW, db.get(KEY));
    }
  }

  private static void writeBehind(TransactionDb db, boolean flushed) {
    db.put(bytes("behind"), NEW);
    if (flushed) {
      db.flush();
    }
  }

  /** Ends a transaction that was prepared before the database was reopened, before a flush, or just before. */
  private void endLater(String when, Consumer<Transaction> end) {
    TransactionDb db = open();
    try {
      ColumnFamily counters =
          db.createFamily("counters", FamilyOptions.defaults().mergeOperator(MergeOperator.uint64Add()));
      Transaction transaction = db.begin();
      transaction.put(KEY, NEW);
      transaction.in(counters).merge(KEY, new byte[] {7, 0, 0, 0, 0, 0, 0, 0});
      transaction.prepare("p");
      if (when.equals("reopened")) {
        db.close();
        db = open();
        transaction = only(db);
      }
      writeBehind(db, when.equals("flushed"));
      end.accept(transaction);
    } finally {
      db.close();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "plain, flushed", "plain, reopened", "plain, at once", "optimistic, flushed", "optimistic, reopened",
    "read only, flushed",
    "read only, reopened"
  })
  void aRowThatWasPreparedAndCommittedIsThereInADatabaseOfEveryKind(String kind, String when) {
    endLater(when, Transaction::commit);
    for (int i = 0; i < 2; i++) {
      try (RocksDb db =
          switch (kind) {
            case "plain" -> RocksDb.open(folder);
            case "optimistic" -> OptimisticTransactionDb.open(folder);
            default -> RocksDb.at(folder).openReadOnly();
          }) {
        assertArrayEquals(NEW, db.get(KEY));
        assertEquals(7, db.family("counters").get(KEY)[0]);
      }
    }
    try (TransactionDb db = open()) {
      assertArrayEquals(NEW, db.get(KEY));
      assertEquals(7, db.family("counters").get(KEY)[0]);
      assertEquals(List.of(), db.prepared());
      db.flush();
    }
    try (RocksDb db = RocksDb.open(folder)) {
      assertArrayEquals(NEW, db.get(KEY));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"flushed", "reopened", "at once"})
  void aRowThatWasPreparedAndRolledBackIsInNoDatabase(String when) {
    endLater(when, Transaction::rollback);
    try (RocksDb db = RocksDb.open(folder)) {
      assertNull(db.get(KEY));
      assertArrayEquals(NEW, db.get(bytes("behind")));
    }
  }

  @Test
  void aLogThatIsCompressedIsRead() {
    DatabaseOptions options = DatabaseOptions.defaults().option("wal_compression", "kZSTD");
    try (TransactionDb db = RocksDb.at(folder).options(options).openTransactional()) {
      Transaction transaction = db.begin();
      transaction.put(KEY, NEW);
      transaction.prepare("p");
      writeBehind(db, true);
    }
    String message = assertThrows(RocksDbException.class, () -> RocksDb.open(folder)).getMessage();
    assertTrue(message.contains("the log has transactions that are prepared: [p]"), message);
    try (TransactionDb db = RocksDb.at(folder).options(options).openTransactional()) {
      only(db).commit();
    }
    try (RocksDb db = RocksDb.open(folder)) {
      assertArrayEquals(NEW, db.get(KEY));
    }
  }

  @Test
  void aFamilyThatAPreparedTransactionHasWrittenIsNotDropped() {
    try (TransactionDb db = open()) {
      ColumnFamily family = db.createFamily("family", FamilyOptions.defaults());
      ColumnFamily another = db.createFamily("another", FamilyOptions.defaults());
      Transaction transaction = db.begin();
      transaction.in(family).put(KEY, NEW);
      transaction.prepare("p");
      assertThrows(IllegalStateException.class, () -> db.dropFamily(family));
      db.dropFamily(another);
      transaction.close();
      assertThrows(IllegalStateException.class, () -> db.dropFamily(family));
      only(db).commit();
      assertArrayEquals(NEW, family.get(KEY));
      db.dropFamily(family);
    }
  }

  @Test
  void theEnginesPipelineOfWritesIsRefusedForItLosesWhatIsPrepared() {
    DatabaseOptions pipeline = DatabaseOptions.defaults().option("enable_pipelined_write", true);
    String message =
        assertThrows(IllegalArgumentException.class, () -> RocksDb.at(folder).options(pipeline).openTransactional())
            .getMessage();
    assertTrue(message.startsWith("option enable_pipelined_write: "), message);
    try (OptimisticTransactionDb db = RocksDb.at(folder).options(pipeline).openOptimistic()) {
      db.put(KEY, NEW);
    }
  }

  @Test
  void whatIsPreparedOutlivesAFlush() {
    try (TransactionDb db = open()) {
      Transaction transaction = db.begin();
      transaction.put(KEY, NEW);
      transaction.prepare("p");
      db.put(bytes("other"), NEW);
      db.flush();
      db.put(bytes("another"), NEW);
      db.flush();
    }
    try (TransactionDb db = open()) {
      only(db).commit();
      assertArrayEquals(NEW, db.get(KEY));
    }
  }

  @Test
  void aReaderOfTheLogIsToldOfWhatItCannotFollow() {
    try (TransactionDb db = open();
        DatabaseFiles.LogReader log = db.files().logSince(1)) {
      db.put(bytes("before"), NEW);
      Transaction transaction = db.begin();
      transaction.put(KEY, NEW);
      transaction.prepare("p");
      db.put(bytes("between"), NEW);
      transaction.commit();
      assertTrue(log.next());
      assertEquals(1, log.batch().count());
      for (int i = 0; i < 2; i++) {
        assertEquals(Code.NOT_SUPPORTED, assertThrows(RocksDbException.class, log::next).code());
      }
      db.put(bytes("after"), NEW);
      try (DatabaseFiles.LogReader later = db.files().logSince(db.files().latestSequenceNumber())) {
        assertTrue(later.next());
        assertEquals(1, later.batch().count());
      }
    }
  }

  /** The engine combines concurrent writes of several threads into one batch. */
  @Test
  void aReaderOfTheLogGetsNoBatchWithWhatOthersHavePrepared() throws Exception {
    WriteOptions synced = WriteOptions.defaults().sync(true);
    try (TransactionDb db = open()) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        String name = "thread " + i;
        Runnable write =
            i % 2 == 0 ? () -> db.with(synced).put(bytes(name), NEW) : () -> prepareAndCommit(db, name, synced);
        threads.add(Thread.ofPlatform().start(() -> IntStream.range(0, 100).forEach(round -> write.run())));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      for (long sequence = 1; sequence <= db.files().latestSequenceNumber(); sequence++) {
        try (DatabaseFiles.LogReader log = db.files().logSince(sequence)) {
          assertTrue(log.next());
          log.batch();
        } catch (RocksDbException e) {
          assertTrue(e.code() == Code.NOT_SUPPORTED || e.code() == Code.NOT_FOUND, e.getMessage());
        }
      }
    }
  }

  private static void prepareAndCommit(TransactionDb db, String name, WriteOptions options) {
    try (Transaction transaction = db.begin(TransactionOptions.defaults().writeOptions(options))) {
      transaction.put(bytes(name), NEW);
      transaction.prepare(name);
      transaction.commit();
    }
  }

  @Test
  void copiesOfTheDatabaseHaveWhatIsPrepared(@TempDir Path copies) {
    try (TransactionDb db = open();
        Backups backups = Backups.open(copies.resolve("backups"))) {
      Transaction transaction = db.begin();
      transaction.put(KEY, NEW);
      transaction.prepare("p");
      db.files().checkpoint(copies.resolve("checkpoint"));
      backups.create(db);
      backups.restoreLatest(copies.resolve("restored"));
    }
    for (String copy : List.of("checkpoint", "restored")) {
      try (TransactionDb db = TransactionDb.open(copies.resolve(copy))) {
        only(db).commit();
        assertArrayEquals(NEW, db.get(KEY));
      }
    }
  }
}
