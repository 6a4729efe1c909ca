/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.random;
import static org.rocksdbffm.tools.Bytes.text;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.RocksDbException.SubCode;
import org.rocksdbffm.tools.LiveObjectsCheck;

@ExtendWith(LiveObjectsCheck.class)
final class TransactionTest {
  private static final Options CREATE =
      Options.defaults().createIfMissing(true).mergeOperator(MergeOperator.stringAppend(','));
  private static final byte[] KEY = bytes("key");
  private static final byte[] OLD = bytes("old");
  private static final byte[] NEW = bytes("new");

  @TempDir Path folder;

  /** The two kinds of databases. */
  enum Kind {
    LOCKING,
    OPTIMISTIC;

    TransactionalDb open(Path folder, Options options) {
      return this == LOCKING ? TransactionDb.open(folder, options) : OptimisticTransactionDb.open(folder, options);
    }
  }

  private TransactionDb locking() {
    return TransactionDb.open(folder, CREATE);
  }

  private static void assertConflict(Code code, SubCode subCode, org.junit.jupiter.api.function.Executable action) {
    RocksDbException e = assertThrows(RocksDbException.class, action);
    assertEquals(code, e.code(), e.getMessage());
    assertEquals(subCode, e.subCode(), e.getMessage());
  }

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
  @EnumSource(KeyKind.class)
  void everyKindOfMemoryIsWrittenAndReadInEveryForm(KeyKind kind) {
    byte[] large = random(5000, 1);
    try (TransactionDb db = locking()) {
      ColumnFamily other = db.createColumnFamily("other", CREATE);
      db.put(bytes("committed"), large);
      other.put(bytes("committed"), OLD);
      try (Transaction transaction = db.begin()) {
        write(transaction, kind);
        TransactionKeys in = transaction.in(other);
        write(in, kind);
        for (ReadKind form : ReadKind.values()) {
          if (!form.pinsBehind()) {
            for (Reader reader : List.of(transaction, transaction.forUpdate(), transaction.toShare())) {
              assertArrayEquals(large, form.read(reader, kind.of(bytes("committed"))), form.name());
            }
            for (Reader reader : List.of(transaction, in, in.forUpdate(), in.with(ReadOptions.defaults().fillCache(false)))) {
              assertEquals("v", text(form.read(reader, kind.of(bytes("put")))), form.name());
              assertEquals("a,b", text(form.read(reader, kind.of(bytes("merged")))), form.name());
              assertNull(form.read(reader, kind.of(bytes("deleted"))), form.name());
              assertNull(form.read(reader, kind.of(bytes("single"))), form.name());
            }
          }
        }
        assertTrue(transaction.contains(bytes("put")));
        assertFalse(transaction.mayExist(bytes("deleted")));
        assertNull(db.get(bytes("put")));
        transaction.commit();
      }
      for (KeySpace keys : List.of(db, other)) {
        assertEquals("v", text(keys.get(bytes("put"))));
        assertEquals("a,b", text(keys.get(bytes("merged"))));
        assertNull(keys.get(bytes("deleted")));
        assertNull(keys.get(bytes("single")));
      }
    }
  }

  private static void write(Writer writer, KeyKind kind) {
    writer.put(bytes("deleted"), OLD);
    writer.put(bytes("single"), OLD);
    switch (kind.of(bytes("put"))) {
      case byte[] key -> {
        writer.put(key, bytes("v"));
        writer.merge(bytes("merged"), bytes("a"));
        writer.merge(bytes("merged"), bytes("b"));
        writer.delete(bytes("deleted"));
        writer.singleDelete(bytes("single"));
      }
      case MemorySegment key -> {
        writer.put(key, (MemorySegment) kind.of(bytes("v")));
        writer.merge((MemorySegment) kind.of(bytes("merged")), (MemorySegment) kind.of(bytes("a")));
        writer.merge((MemorySegment) kind.of(bytes("merged")), (MemorySegment) kind.of(bytes("b")));
        writer.delete((MemorySegment) kind.of(bytes("deleted")));
        writer.singleDelete((MemorySegment) kind.of(bytes("single")));
      }
      case ByteBuffer key -> {
        writer.put(key, (ByteBuffer) kind.of(bytes("v")));
        writer.merge((ByteBuffer) kind.of(bytes("merged")), (ByteBuffer) kind.of(bytes("a")));
        writer.merge((ByteBuffer) kind.of(bytes("merged")), (ByteBuffer) kind.of(bytes("b")));
        writer.delete((ByteBuffer) kind.of(bytes("deleted")));
        writer.singleDelete((ByteBuffer) kind.of(bytes("single")));
      }
      default -> throw new AssertionError(kind);
    }
  }

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
    try (TransactionDb db = TransactionDb.open(folder, CREATE, LockOptions.defaults().writeTimeout(Duration.ZERO));
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
  void anOptimisticCommitFailsWhereOthersHaveWrittenWhatWasWrittenOrReadForUpdate() {
    try (OptimisticTransactionDb db = OptimisticTransactionDb.open(folder, CREATE)) {
      db.put(KEY, OLD);
      Transaction writer = db.begin();
      writer.put(KEY, bytes("mine"));
      Transaction reader = db.begin();
      assertArrayEquals(OLD, reader.getForUpdate(KEY));
      reader.put(bytes("elsewhere"), NEW);
      Transaction looker = db.begin();
      assertArrayEquals(OLD, looker.get(KEY));
      looker.put(bytes("looked"), NEW);
      db.put(KEY, NEW);
      assertConflict(Code.BUSY, SubCode.NONE, writer::commit);
      assertConflict(Code.BUSY, SubCode.NONE, reader::commit);
      looker.commit();
      writer.close();
      reader.close();
      assertArrayEquals(NEW, db.get(KEY));
      assertNull(db.get(bytes("elsewhere")));
      assertArrayEquals(NEW, db.get(bytes("looked")));
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aReaderAtTheSnapshotSeesTheBeginningAndTheOwnWrites(Kind kind) {
    try (TransactionalDb db = kind.open(folder, CREATE)) {
      ColumnFamily family = db.createColumnFamily("family", CREATE);
      for (KeySpace keys : List.of(db, family)) {
        keys.put(KEY, OLD);
        keys.put(bytes("z"), OLD);
      }
      try (Transaction transaction = db.begin(TransactionOptions.defaults().snapshot(true))) {
        for (KeySpace keys : List.of(db, family)) {
          keys.put(KEY, NEW);
          keys.put(bytes("late"), NEW);
        }
        for (TransactionKeys keys : List.of(transaction, transaction.in(family))) {
          keys.put(bytes("own"), NEW);
          Reader before = keys.atSnapshot();
          assertArrayEquals(NEW, keys.get(KEY));
          for (Reader reader : List.of(before, before.with(ReadOptions.defaults().fillCache(false)))) {
            assertArrayEquals(OLD, reader.get(KEY));
            assertArrayEquals(NEW, reader.get(bytes("own")));
            assertNull(reader.get(bytes("late")));
            assertEquals(List.of("key=old", "own=new", "z=old"), rows(reader.scan(KeyRange.all())));
            assertEquals(List.of("own=new", "key=old"), rows(reader.scanBackward(KeyRange.between(KEY, bytes("z")))));
            assertArrayEquals(OLD, reader.multiGet(List.of(KEY)).getFirst());
          }
        }
        transaction.rollback();
        assertThrows(IllegalStateException.class, transaction::atSnapshot);
      }
      try (Transaction without = db.begin()) {
        assertThrows(IllegalStateException.class, without::atSnapshot);
      }
    }
  }

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

  @ParameterizedTest
  @EnumSource(Kind.class)
  void scansAndCursorsSeeWhatIsCommittedAndWhatIsWritten(Kind kind) {
    try (TransactionalDb db = kind.open(folder, CREATE);
        Transaction transaction = db.begin()) {
      TreeMap<String, String> model = new TreeMap<>();
      byte[] large = random(100_000, 1);
      for (int i = 0; i < 200; i++) {
        String key = "k%03d".formatted(i);
        if (i % 2 == 0) {
          db.put(bytes(key), bytes("committed"));
          model.put(key, "committed");
        }
        if (i % 3 == 0) {
          transaction.put(bytes(key), bytes("written"));
          model.put(key, "written");
        }
        if (i % 5 == 0) {
          transaction.delete(bytes(key));
          model.remove(key);
        }
      }
      transaction.put(bytes("k050x"), large);
      model.put("k050x", text(large));
      transaction.merge(bytes("k100"), bytes("more"));
      model.merge("k100", "more", (old, more) -> old + "," + more);
      assertEquals(List.copyOf(model.entrySet()).toString(), rows(transaction.scan(KeyRange.all())).toString());
      assertEquals(
          List.copyOf(model.descendingMap().entrySet()).toString(),
          rows(transaction.scanBackward(KeyRange.all())).toString());
      KeyRange part = KeyRange.between(bytes("k040"), bytes("k061"));
      assertEquals(
          List.copyOf(model.subMap("k040", "k061").entrySet()).toString(), rows(transaction.scan(part)).toString());
      assertEquals(
          List.copyOf(model.subMap("k040", true, "k061", false).descendingMap().entrySet()).toString(),
          rows(transaction.scanBackward(part)).toString());
      try (Cursor cursor = transaction.cursor(part)) {
        List<String> found = new ArrayList<>();
        for (boolean has = cursor.first(); has; has = cursor.next()) {
          found.add(text(cursor.keyBytes()));
        }
        assertEquals(List.copyOf(model.subMap("k040", "k061").keySet()), found);
        assertTrue(cursor.seek(bytes("k050x")));
        MemorySegment value = cursor.value();
        transaction.put(bytes("k051"), random(100_000, 1));
        transaction.put(bytes("k052"), random(100_000, 1));
        assertArrayEquals(large, value.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE), "its bytes stay until the move");
        assertTrue(cursor.seekForPrevious(bytes("k0510")));
        assertEquals("k051", text(cursor.keyBytes()));
        assertTrue(cursor.previous());
      }
    }
  }

  private static List<String> rows(Scan scan) {
    try (scan) {
      return scan.stream(row -> text(row.keyBytes()) + "=" + text(row.valueBytes())).toList();
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aScanGoesOnWhileItsTransactionWrites(Kind kind) {
    int count = 2000;
    try (TransactionalDb db = kind.open(folder, CREATE)) {
      for (int i = 0; i < count; i++) {
        db.put(bytes("k%05d".formatted(i)), random(100, 1));
      }
      for (boolean backward : new boolean[] {false, true}) {
        try (Transaction transaction = db.begin()) {
          int seen = 0;
          try (Scan scan = backward ? transaction.scanBackward(KeyRange.all()) : transaction.scan(KeyRange.all())) {
            while (scan.next()) {
              byte[] key = scan.keyBytes();
              assertEquals("k%05d".formatted(backward ? count - 1 - seen : seen), text(key));
              if (seen % 3 == 0) {
                transaction.delete(key);
              } else {
                transaction.put(key, random(seen % 50 == 0 ? 60_000 : 150, 1));
              }
              seen++;
            }
          }
          assertEquals(count, seen);
        }
      }
    }
  }

  @Test
  void iteratorsEndWithTheTransactionAndAtAReturnToASavePoint() {
    try (TransactionDb db = locking();
        Transaction transaction = db.begin()) {
      transaction.put(KEY, NEW);
      transaction.setSavePoint();
      Cursor cursor = transaction.cursor();
      assertTrue(cursor.first());
      transaction.rollbackToSavePoint();
      assertThrows(IllegalStateException.class, cursor::first);
      Scan scan = transaction.scan(KeyRange.all());
      assertTrue(scan.next());
      transaction.commit();
      assertThrows(IllegalStateException.class, scan::next);
      cursor.close();
      scan.close();
    }
  }

  @Test
  void aPinnedValueOutlivesTheTransaction() {
    byte[] large = random(50_000, 1);
    try (TransactionDb db = locking()) {
      db.put(KEY, large);
      db.flush();
      PinnedValue committed;
      PinnedValue written;
      try (Transaction transaction = db.begin()) {
        transaction.put(bytes("written"), large);
        committed = transaction.getPinned(KEY);
        written = transaction.getPinned(bytes("written"));
      }
      try (committed;
          written) {
        assertEquals(-1, committed.segment().mismatch(MemorySegment.ofArray(large)));
        assertEquals(-1, written.segment().mismatch(MemorySegment.ofArray(large)));
      }
    }
  }

  @Test
  void rangesAreRefusedWhereTheEngineHasNone() {
    try (TransactionDb db = locking();
        Transaction transaction = db.begin()) {
      assertThrows(UnsupportedOperationException.class, () -> transaction.deleteRange(KEY, NEW));
      assertThrows(UnsupportedOperationException.class, () -> transaction.forUpdate().scan(KeyRange.all()));
      assertThrows(UnsupportedOperationException.class, () -> transaction.toShare().cursor());
      assertConflict(Code.NOT_SUPPORTED, SubCode.NONE, () -> db.deleteRange(bytes("a"), bytes("b")));
      WriteBatch batch = new WriteBatch();
      batch.deleteRange(bytes("a"), bytes("b"));
      assertThrows(RocksDbException.class, () -> db.write(batch));
      db.put(KEY, NEW);
      assertArrayEquals(NEW, db.get(KEY));
    }
  }

  @Test
  void aBatchOutsideOfTransactionsTakesLocksToo() {
    try (TransactionDb db = TransactionDb.open(folder, CREATE, LockOptions.defaults().writeTimeout(Duration.ZERO));
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
      List<RocksDbException> told = new ArrayList<>();
      for (Future<RocksDbException> each : both) {
        if (each.get() != null) {
          told.add(each.get());
        }
      }
      assertEquals(1, told.size());
      assertEquals(Code.BUSY, told.getFirst().code());
      assertEquals(SubCode.DEADLOCK, told.getFirst().subCode());
      assertArrayEquals(NEW, db.get(bytes("a")));
    }
  }

  private static RocksDbException lockInTurn(Transaction transaction, String keys, CyclicBarrier locked) throws Exception {
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
  void optionsOfLocksAreRefusedWhereThereAreNone() {
    try (OptimisticTransactionDb db = OptimisticTransactionDb.open(folder, CREATE)) {
      assertThrows(
          IllegalArgumentException.class, () -> db.begin(TransactionOptions.defaults().lockTimeout(Duration.ZERO)));
      try (Transaction transaction = db.begin(TransactionOptions.defaults().snapshot(true))) {
        assertThrows(UnsupportedOperationException.class, () -> transaction.prepare("p"));
        db.put(KEY, NEW);
        assertNull(transaction.get(bytes("other")));
        transaction.put(KEY, OLD);
        assertConflict(Code.BUSY, SubCode.NONE, transaction::commit);
      }
    }
  }

  @Test
  void aFamilyOfAnotherDatabaseIsRefused(@TempDir Path elsewhere) {
    try (TransactionDb db = locking();
        TransactionDb another = TransactionDb.open(elsewhere, CREATE);
        Transaction transaction = db.begin()) {
      ColumnFamily foreign = another.createColumnFamily("f", CREATE);
      assertThrows(IllegalArgumentException.class, () -> transaction.in(foreign));
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aDropRollsBackWhatHasTouchedTheFamilyAndLetsGoOfItsLocks(Kind kind) {
    try (TransactionalDb db = kind.open(folder, CREATE)) {
      ColumnFamily dropped = db.createColumnFamily("dropped", CREATE);
      Transaction writer = db.begin();
      writer.put(KEY, NEW);
      writer.in(dropped).put(KEY, NEW);
      Transaction locker = db.begin();
      locker.getForUpdate(bytes("other"));
      locker.in(dropped).getForUpdate(bytes("other"));
      Transaction untouched = db.begin();
      untouched.put(bytes("third"), NEW);
      db.dropColumnFamily(dropped);
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
  void aDropEndsLocksThatOthersWaitForInTheFamily() throws Exception {
    TransactionOptions patient = TransactionOptions.defaults().lockTimeout(Duration.ofMinutes(10));
    try (TransactionDb db = locking();
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      ColumnFamily dropped = db.createColumnFamily("dropped", CREATE);
      Transaction idle = db.begin();
      idle.in(dropped).put(KEY, NEW);
      Transaction waiting = db.begin(patient);
      Future<?> waits = other.submit(() -> putInTheEnd(waiting.in(dropped), KEY));
      while (!isInUse(waiting)) {
        Thread.onSpinWait();
      }
      db.dropColumnFamily(dropped);
      waits.get();
      assertThrows(IllegalStateException.class, waiting::commit);
      assertThrows(IllegalStateException.class, idle::commit);
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
  void aCloseOfTheDatabaseEndsLocksThatOthersWaitFor() throws Exception {
    TransactionOptions patient = TransactionOptions.defaults().lockTimeout(Duration.ofMinutes(10));
    TransactionDb db = locking();
    Transaction idle = db.begin();
    idle.put(KEY, NEW);
    Transaction waiting = db.begin(patient);
    CountDownLatch begun = new CountDownLatch(1);
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      Future<?> waits =
          other.submit(
              () -> {
                begun.countDown();
                putInTheEnd(waiting, KEY);
              });
      begun.await();
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

  /** Puts, however often another thread has the transaction for a moment. */
  private static void putInTheEnd(TransactionKeys keys, byte[] key) {
    while (true) {
      try {
        keys.put(key, OLD);
        return;
      } catch (IllegalStateException e) {
        if (!e.getMessage().contains("in use already")) {
          throw e;
        }
      }
    }
  }

  private static boolean isInUse(Transaction transaction) throws InterruptedException {
    try {
      transaction.get(KEY);
      Thread.sleep(1);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

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
                    db.run(
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
    try (OptimisticTransactionDb db = OptimisticTransactionDb.open(folder, CREATE)) {
      db.put(KEY, OLD);
      List<String> seen = new ArrayList<>();
      String result =
          db.transact(
              transaction -> {
                String value = text(transaction.getForUpdate(KEY));
                if (seen.isEmpty()) {
                  db.put(KEY, NEW); // comes in the way
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
      TransactionTask<IOException> body =
          transaction -> {
            transaction.put(KEY, NEW);
            throw mine;
          };
      assertSame(mine, assertThrows(IOException.class, () -> db.run(body)));
      assertNull(db.get(KEY));
      db.put(KEY, OLD); // no lock is left
      db.run(transaction -> {
        transaction.put(KEY, NEW);
        transaction.rollback();
      });
      assertArrayEquals(OLD, db.get(KEY));
    }
  }

  @Test
  void aPolicyGivesUpWithTheLastConflictAsTheCause() {
    try (OptimisticTransactionDb db = OptimisticTransactionDb.open(folder, CREATE)) {
      AtomicInteger runs = new AtomicInteger();
      RetryPolicy policy = new RetryPolicy(3, Duration.ofMinutes(1), Duration.ZERO, Duration.ZERO);
      TransactionRetryException e =
          assertThrows(
              TransactionRetryException.class,
              () ->
                  db.transact(
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
  void anEngineFailureThatIsNoConflictIsNotTriedAgain() {
    AtomicInteger runs = new AtomicInteger();
    try (TransactionDb db = locking()) {
      assertThrows(
          RocksDbException.class,
          () ->
              db.run(
                  transaction -> {
                    runs.incrementAndGet();
                    db.deleteRange(KEY, bytes("z"));
                  }));
      assertEquals(1, runs.get());
    }
  }

  @Test
  void aFolderIsOpenedAsAnyKindInTurn() throws ExecutionException {
    try (TransactionDb db = locking()) {
      db.put(KEY, NEW);
    }
    try (OptimisticTransactionDb db = OptimisticTransactionDb.open(folder, CREATE)) {
      assertArrayEquals(NEW, db.get(KEY));
    }
    try (RocksDb db = RocksDb.open(folder, CREATE)) {
      assertArrayEquals(NEW, db.get(KEY));
    }
    try (RocksDb db = RocksDb.openReadOnly(folder, CREATE)) {
      assertArrayEquals(NEW, db.get(KEY));
    }
  }
}
