/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.Opening;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Severity;
import org.rocksdbffm.RocksDbException.SubCode;
import org.rocksdbffm.SstFileManager;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.reports.DatabaseEvent.BackgroundError;
import org.rocksdbffm.reports.DatabaseEvent.CompactionEnded;
import org.rocksdbffm.reports.DatabaseEvent.CompactionStarted;
import org.rocksdbffm.reports.DatabaseEvent.Dropped;
import org.rocksdbffm.reports.DatabaseEvent.FileIngested;
import org.rocksdbffm.reports.DatabaseEvent.FlushEnded;
import org.rocksdbffm.reports.DatabaseEvent.FlushStarted;
import org.rocksdbffm.reports.DatabaseEvent.MemtableSealed;
import org.rocksdbffm.reports.DatabaseEvent.Stall;
import org.rocksdbffm.reports.DatabaseEvent.StallChanged;
import org.rocksdbffm.reports.DatabaseEvent.Work;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** A listener gets the engine's events in order, and never delays the engine. */
@ExtendWith(LiveObjectsCheck.class)
class EventListenerTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir Path folder;

  private final BlockingQueue<DatabaseEvent> events = new LinkedBlockingQueue<>();

  private RocksDb open(FamilyOptions options, DatabaseListener listener) {
    return opening(DatabaseOptions.defaults().listener(listener)).defaults(options).open();
  }

  private Opening opening(DatabaseOptions options) {
    return RocksDb.at(folder.resolve("db")).options(options);
  }

  private <T extends DatabaseEvent> T next(Class<T> type) throws InterruptedException {
    return next(type, event -> true);
  }

  private <T extends DatabaseEvent> T next(Class<T> type, Predicate<T> wanted) throws InterruptedException {
    while (true) {
      DatabaseEvent event = events.poll(LONG.toSeconds(), TimeUnit.SECONDS);
      if (event == null) {
        throw new AssertionError("no " + type.getSimpleName());
      }
      if (type.isInstance(event) && wanted.test(type.cast(event))) {
        return type.cast(event);
      }
    }
  }

  @Test
  void flushesAndCompactionsAreTold() throws InterruptedException {
    try (RocksDb db = open(FamilyOptions.defaults(), events::add)) {
      db.put(KEY, new byte[1000]);
      db.flush();
      assertEquals(new FlushStarted("default"), next(FlushStarted.class));
      FlushEnded flush = next(FlushEnded.class);
      assertEquals("default", flush.columnFamily());
      assertEquals(db.files().live().getFirst().path().getFileName().toString(), flush.fileName());
      assertFalse(flush.slowsWrites() || flush.stopsWrites());
      assertEquals(db.files().live().getFirst().size(), flush.written());
      assertTrue(flush.elapsed().isPositive() && flush.elapsed().compareTo(Duration.ofMinutes(1)) < 0, flush::toString);
      ColumnFamily other = db.createFamily("größer", FamilyOptions.defaults());
      for (int i = 0; i < 2; i++) {
        other.put(KEY, new byte[1000]);
        other.put("other".getBytes(UTF_8), new byte[1000]);
        other.flush();
      }
      assertEquals("größer", next(FlushStarted.class).columnFamily());
      other.compact(KeyRange.all());
      CompactionStarted started = next(CompactionStarted.class);
      assertEquals("größer", started.columnFamily());
      assertEquals(2, started.inputFiles());
      CompactionEnded ended = next(CompactionEnded.class);
      assertEquals(started.toLevel(), ended.toLevel());
      assertEquals(started.fromLevel(), ended.fromLevel());
      assertEquals(2, ended.inputFiles());
      assertEquals(1, ended.outputFiles(), ended::toString);
      assertTrue(ended.read().bytes() > 0 && ended.written().bytes() > 0, ended::toString);
      assertFalse(ended.elapsed().isNegative());
      assertTrue(ended.failure().isEmpty());
    }
  }

  @Test
  void sealedMemtablesAndIngestedFilesAreTold() throws InterruptedException {
    Path file = folder.resolve("rows.sst");
    try (TableWriter table = TableWriter.create(file, FamilyOptions.defaults())) {
      table.put(KEY, KEY);
      table.finish();
    }
    try (RocksDb db = open(FamilyOptions.defaults(), events::add)) {
      db.put(KEY, KEY);
      db.put(KEY, KEY);
      db.delete(KEY);
      db.flush();
      assertEquals(new MemtableSealed("default", 3, 1), next(MemtableSealed.class));
      ColumnFamily other = db.createFamily("other", FamilyOptions.defaults());
      other.put(KEY, new byte[0]);
      other.files().ingest(file);
      FileIngested ingested = next(FileIngested.class);
      assertEquals("other", ingested.columnFamily());
      assertEquals(file.toString(), ingested.from());
      assertEquals(db.files().latestSequenceNumber(), ingested.sequenceNumber());
      assertTrue(
          db.files().live().stream().anyMatch(each -> each.path().getFileName().toString().equals(ingested.fileName())),
          ingested::toString);
      assertEquals("key", new String(other.get(KEY), UTF_8));
    }
  }

  /** The write reports the event during its call, at any depth of the stack. */
  @Test
  void aWriteThatFillsAMemtableTellsOfIt() throws InterruptedException {
    try (RocksDb db = open(FamilyOptions.defaults().writeBufferSize(ByteSize.kib(64)), events::add)) {
      for (int i = 0; i < 100; i++) {
        db.put(("key" + i).getBytes(UTF_8), new byte[10_000]);
      }
      assertTrue(next(MemtableSealed.class).entries() > 0);
    }
  }

  @Test
  void aFullDiskIsTold() {
    assertTimeoutPreemptively(LONG, () -> {
      try (SstFileManager manager = SstFileManager.create();
          RocksDb db = opening(DatabaseOptions.defaults().sstFileManager(manager).listener(events::add)).open()) {
        manager.spaceLimit(ByteSize.bytes(1));
        db.put(KEY, KEY);
        try {
          db.flush();
        } catch (RocksDbException e) {
          assertEquals(SubCode.SPACE_LIMIT, e.subCode());
        }
        BackgroundError error = next(BackgroundError.class);
        assertEquals(Work.FLUSH, error.work());
        assertEquals(Severity.HARD, error.failure().severity());
        assertEquals(SubCode.SPACE_LIMIT, error.failure().subCode());
        assertTrue(error.failure().getMessage().contains("(database "), error.failure().getMessage());
        manager.spaceLimit(ByteSize.bytes(0));
      }
    });
  }

  @Test
  void aStallIsToldAndItsEnd() throws InterruptedException {
    FamilyOptions stalling =
        FamilyOptions.defaults().level0FileNumCompactionTrigger(1).option("level0_slowdown_writes_trigger", 1)
            .option("level0_stop_writes_trigger", 50);
    try (RocksDb db = open(stalling, events::add)) {
      for (int i = 0; i < 5; i++) {
        db.put(KEY, new byte[1000]);
        db.flush();
      }
      StallChanged stall = next(StallChanged.class, event -> event.now() == Stall.DELAYED);
      assertEquals(Stall.NONE, stall.before());
      assertEquals("default", stall.columnFamily());
      next(StallChanged.class, event -> event.now() == Stall.NONE);
    }
  }

  @Test
  void theListenerMayUseTheDatabaseAndCloseIt() throws InterruptedException {
    AtomicReference<RocksDb> opened = new AtomicReference<>();
    CountDownLatch ready = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    RocksDb db = open(FamilyOptions.defaults(), event -> {
      if (event instanceof FlushEnded && opened.get() != null) {
        try {
          ready.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
        opened.get().put("seen".getBytes(UTF_8), opened.get().get(KEY));
        opened.getAndSet(null).close();
        closed.countDown();
      }
    });
    opened.set(db);
    db.put(KEY, KEY);
    db.flush();
    ready.countDown();
    assertTrue(closed.await(LONG.toSeconds(), TimeUnit.SECONDS));
    assertThrowsExactly(IllegalStateException.class, () -> db.get(KEY));
    try (RocksDb again = RocksDb.open(folder.resolve("db"))) {
      assertEquals("key", new String(again.get("seen".getBytes(UTF_8)), UTF_8));
    }
  }

  @Test
  void anExceptionOfTheListenerStopsNothing() throws InterruptedException {
    AtomicInteger thrown = new AtomicInteger();
    try (RocksDb db = open(FamilyOptions.defaults(), event -> {
      int number = thrown.incrementAndGet();
      events.add(event);
      if (number == 2) {
        throw new StackOverflowError("mine");
      }
      throw new IllegalStateException("mine");
    })) {
      for (int i = 0; i < 3; i++) {
        db.put(KEY, KEY);
        db.flush();
        next(FlushEnded.class);
      }
      assertTrue(thrown.get() >= 6, thrown + " events");
    }
  }

  @Test
  void eventsThatAreTooManyAreDroppedAndCounted() throws InterruptedException {
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger notified = new AtomicInteger();
    int flushes = 700;
    try (RocksDb db =
        open(FamilyOptions.defaults().disableAutoCompactions(true).option("level0_stop_writes_trigger", 10_000)
            .option("level0_slowdown_writes_trigger", 9_000), event -> {
      if (notified.getAndIncrement() == 0) {
        try {
          goOn.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      events.add(event);
    })) {
      for (int i = 0; i < flushes; i++) {
        db.put(KEY, KEY);
        db.flush();
      }
      goOn.countDown();
      long lost = next(Dropped.class).count();
      assertTrue(lost > 0 && lost <= 3 * flushes - 1024, lost + " events");
      db.put(KEY, KEY);
      db.flush();
      assertEquals("default", next(FlushStarted.class).columnFamily());
    }
  }

  @Test
  void theThreadEndsWithTheDatabase() throws InterruptedException {
    try (RocksDb db = open(FamilyOptions.defaults(), events::add)) {
      db.put(KEY, KEY);
      db.flush();
      next(FlushEnded.class);
      assertEquals(1, tellers());
    }
    for (int i = 0; i < 1000 && tellers() > 0; i++) {
      Thread.sleep(10);
    }
    assertEquals(0, tellers());
  }

  private static long tellers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("events of a database")).count();
  }

  @Test
  void anOpeningThatFailsLeavesNothing() {
    DatabaseOptions options = DatabaseOptions.defaults().listener(events::add);
    assertThrowsExactly(RocksDbException.class, () -> opening(options).mustExist().open());
    try (RocksDb db = open(FamilyOptions.defaults(), events::add)) {
      assertThrowsExactly(RocksDbException.class, () -> open(FamilyOptions.defaults(), events::add));
      db.createFamily("other", FamilyOptions.defaults()).put(KEY, KEY);
    }
  }

  @Test
  void databasesOfEveryKindTell() throws InterruptedException {
    try (TransactionDb db = RocksDb.at(folder.resolve("locks"))
        .options(DatabaseOptions.defaults().listener(events::add)).openTransactional()) {
      db.put(KEY, KEY);
      db.flush();
      next(FlushEnded.class);
    }
    try (RocksDb db =
        RocksDb.at(folder.resolve("locks")).options(DatabaseOptions.defaults().listener(events::add)).openReadOnly()) {
      assertEquals("key", new String(db.get(KEY), UTF_8));
    }
    FamilyOptions ordered = FamilyOptions.defaults().keyOrder("backward", (a, b) -> b.compareTo(a));
    DatabaseOptions options = DatabaseOptions.defaults().listener(events::add);
    try (RocksDb db = RocksDb.at(folder.resolve("ordered")).options(options).defaults(ordered).open()) {
      db.put(KEY, KEY);
      db.flush();
      next(FlushEnded.class);
    }
  }

  @Test
  void twoDatabasesShareAListener() throws InterruptedException {
    DatabaseOptions options = DatabaseOptions.defaults().listener(events::add);
    try (RocksDb one = RocksDb.at(folder.resolve("one")).options(options).open();
        RocksDb other = RocksDb.at(folder.resolve("other")).options(options).open()) {
      for (RocksDb db : List.of(one, other)) {
        db.createFamily(db.path().getFileName().toString(), FamilyOptions.defaults()).put(KEY, KEY);
        db.flushAll();
        assertEquals(db.path().getFileName().toString(), next(FlushEnded.class).columnFamily());
      }
    }
  }
}
