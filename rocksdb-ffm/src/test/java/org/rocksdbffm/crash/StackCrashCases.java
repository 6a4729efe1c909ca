/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.crash;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.CompactOptions;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.IndexedBatch;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.Repair;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Scan;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.WriteBatch;

/** Cases of calls during which the thread's stack overflows, at any depth; see {@link CrashTest}. */
final class StackCrashCases extends CrashCase {
  private static final int WORKS_A_THREAD = 200;
  private static final int ROUNDS = 20;

  StackCrashCases(Path folder) {
    super(folder);
  }

  void stackOverflowsLeaveNoCall() throws Exception {
    List<Work> works =
        List.of(
            (db, i) -> db.get(bytes("key1")),
            (db, i) -> db.put(bytes("key1"), bytes("new")),
            (db, i) -> db.family("other").get(bytes("key" + i % ROWS)),
            (db, i) -> db.mayExist(bytes("key2")));
    RocksDb db = filled();
    int overflows = 0;
    try (ExecutorService idle = Executors.newFixedThreadPool(2, task -> new Thread(null, task, "deep", 1 << 19))) {
      for (int round = 0; round < 100; round++) {
        Work work = works.get(round % works.size());
        int each = round;
        Callable<Integer> task = () -> overflow(db, work, each);
        overflows += idle.submit(task).get();
        Thread dying = new Thread(null, () -> overflow(db, work, each), "dying", 1 << 19);
        dying.start();
        dying.join();
      }
      // Threads that failed must not keep the database open.
      require(overflows == 100, overflows + " stack overflows");
      require(db.pins().count() == 0, db.pins().count() + " pins");
      try (Cursor cursor = db.cursor()) {
        overflow(db, (same, i) -> cursor.seek(bytes("key1")), 0);
        overflow(db, (same, i) -> cursor.next(), 0);
        db.close();
      }
    }
    RocksDb.open(folder).close();
  }

  private static int overflow(RocksDb db, Work work, int round) {
    try {
      deepen(db, work, round);
      return 0;
    } catch (StackOverflowError e) {
      return 1;
    } catch (IllegalStateException noRow) {
      require(noRow.getMessage().contains("is not at a row"), noRow.toString());
      return 1;
    }
  }

  private static int deepen(RocksDb db, Work work, int round) {
    work.run(db, round);
    return deepen(db, work, round) + 1;
  }

  /** Makes the same call from each of the last frames of a stack. */
  void everyDepthOfStackLeavesNothing() throws Exception {
    byte[] key = bytes("key");
    List<Function<RocksDb, Object>> works =
        List.of(
            db -> db.get(key),
            db -> db.get(key, bytes -> bytes.byteSize()),
            db -> db.getInto(MemorySegment.ofArray(key), MemorySegment.ofArray(new byte[10_000])),
            db -> db.multiGet(List.of(key, key)),
            db -> {
              db.put(bytes("written"), new byte[100]);
              return null;
            });
    RocksDb db = RocksDb.open(folder);
    db.put(key, new byte[5000]);
    db.flush();
    for (Function<RocksDb, Object> work : works) {
      for (int i = 0; i < 2000; i++) {
        work.apply(db);
      }
      overflowAtEveryDepth(() -> work.apply(db));
      require(db.pins().count() == 0, "work " + works.indexOf(work) + ": " + db.pins().count() + " pins");
    }
    intoArenas(db, key);
    db.close();
    RocksDb.open(folder).close();
  }

  private void intoArenas(RocksDb db, byte[] key) throws InterruptedException {
    List<Arena> arenas = new ArrayList<>();
    for (int i = 0; i < WORKS_A_THREAD * ROUNDS; i++) {
      arenas.add(Arena.ofShared());
    }
    int[] next = new int[1];
    overflowAtEveryDepth(() -> db.get(key, arenas.get(next[0]++)));
    arenas.forEach(Arena::close);
    require(db.pins().count() == 0, "arenas: " + db.pins().count() + " pins");
  }

  /**
   * A class whose initialization overflows the stack stays unusable: none of these calls may initialize a class there.
   */
  void firstCallsAtTheEndOfAStack() throws InterruptedException {
    RocksDb db = RocksDb.open(folder); // first: loading overflows could break JDK classes
    overflowAtEveryDepth(() -> RocksDb.open(folder.resolveSibling("other")).close());
    byte[] key = bytes("key");
    Map<String, Runnable> calls = new LinkedHashMap<>();
    calls.put("get", () -> db.get(key));
    calls.put("contains", () -> db.contains(key));
    calls.put("getInto", () -> db.getInto(key, new byte[10]));
    calls.put("mayExist", () -> db.mayExist(key));
    calls.put("a get into an arena", () -> db.get(key, Arena.ofAuto()));
    calls.put("getPinned", () -> db.getPinned(key));
    calls.put("put", () -> db.put(key, key));
    calls.put("delete", () -> db.delete(key));
    calls.put("delete a range", () -> db.deleteRange(key, bytes("kez")));
    calls.put("multiGet", () -> db.multiGet(List.of(key, key)));
    calls.put("a get of a function", () -> db.get(key, MemorySegment::byteSize));
    calls.put("write", () -> write(db, key));
    calls.put("scan", () -> scan(db));
    ColumnFamily backward = db.createFamily("backward", FamilyOptions.defaults().keyOrder(KeyOrder.REVERSE_BYTEWISE));
    KeyRange closed = KeyRange.closed(key, key);
    calls.put("a scan with an end", () -> backward.scan(closed).forEach(row -> require(row.keySize() > 0, "a row")));
    calls.put("delete a range with an end", () -> backward.deleteRange(closed));
    calls.put("the size of a range", () -> backward.files().approximateSize(KeyRange.after(key)));
    calls.put("snapshot", () -> readSnapshot(db, key));
    calls.put("property", () -> db.metrics().property("rocksdb.stats"));
    calls.put("flush", db::flush);
    try (Cursor cursor = db.cursor()) {
      calls.put("cursor", () -> cursor.seek(key));
      requireCalls(calls);
    }
    db.close();
  }

  /** A write that fills a memtable makes the engine call the listener within the write. */
  void eventsAtTheEndOfAStack() throws InterruptedException {
    AtomicInteger notified = new AtomicInteger();
    FamilyOptions small = FamilyOptions.defaults().option("write_buffer_size", 65536);
    DatabaseOptions listening = DatabaseOptions.defaults().listener(event -> notified.incrementAndGet());
    RocksDb db = RocksDb.at(folder).options(listening).defaults(small).open();
    int[] tried = new int[2];
    Runnable work = () -> {
      db.put(bytes("key" + tried[0]++ % ROWS), new byte[10_000]);
      tried[1]++;
    };
    work.run(); // with enough stack: links the string concatenation, which an overflow would break
    for (int round = 0; round < ROUNDS && tried[1] < 4 * WORKS_A_THREAD; round++) {
      int[] left = {100 * WORKS_A_THREAD};
      Thread thread = new Thread(null, () -> deepen(work, left), "deep", (1024L + round) << 10);
      thread.start();
      thread.join();
    }
    db.put(bytes("key"), bytes("value"));
    db.close();
    require(notified.get() > 100, notified + " events of " + tried[1] + " writes");
    RocksDb.open(folder).close();
  }

  /** A write that overflows the stack does not change the table file, and all successful writes are in it. */
  void tablesAtTheEndOfAStack() throws InterruptedException {
    Path file = folder.resolveSibling("1.sst");
    int[] tried = new int[1];
    int[] made = new int[1];
    try (TableWriter table = TableWriter.create(file, FamilyOptions.defaults())) {
      overflowAtEveryDepth(() -> {
        int number = tried[0]++;
        table.put(new byte[] {0, (byte) (number >> 16), (byte) (number >> 8), (byte) number}, new byte[100]);
        made[0]++;
      });
      require(tried[0] > made[0], made[0] + " of " + tried[0]);
      table.put(bytes("last"), bytes("row"));
      require(table.finish().entries() == made[0] + 1, made[0] + " entries");
    }
    try (RocksDb db = RocksDb.open(folder)) {
      overflowAtEveryDepth(() -> db.files().ingest(file));
      db.files().ingest(file);
      require(db.stream(KeyRange.all(), row -> row.keySize()).count() == made[0] + 1, "rows");
    }
  }

  /** A pause or hold that starts just before a stack overflow must not last forever. */
  void pausesAtTheEndOfAStack() throws InterruptedException {
    RocksDb db = filled();
    Path table = db.files().live().getFirst().path();
    Map<String, Runnable> calls = new LinkedHashMap<>();
    calls.put("hold", () -> db.files().holdWithLogs().close());
    calls.put("pause", () -> db.files().pauseWork(Duration.ofDays(1)).close());
    calls.put("pause of manual compactions", () -> db.files().pauseManualCompactions().close());
    calls.put("logs", () -> db.files().logs());
    calls.put("levels", () -> db.files().levels());
    calls.put("size",
        () -> db.files().approximateSize(KeyRange.between(bytes("a"), bytes("z")), FamilyFiles.SizeOptions.defaults()));
    calls.put("compactFiles", () -> db.files().compact(db.files().levels().getLast().files(), 6));
    db.compact(KeyRange.all(), CompactOptions.defaults().targetLevel(6));
    requireCalls(calls);
    db.flush();
    db.compact(KeyRange.all(), CompactOptions.defaults().bottommost(CompactOptions.Bottommost.FORCE));
    require(!Files.exists(table), "a hold is left");
    db.close();
    Map<String, Runnable> repair = Map.of("repair", () -> {
      if (Files.notExists(folder.resolve("lost"))) {
        Repair.of(folder);
      }
    });
    requireCalls(repair);
    try (RocksDb again = RocksDb.open(folder)) {
      require(again.stream(KeyRange.all(), row -> row.keySize()).count() == ROWS, "rows");
    }
  }

  private static void write(RocksDb db, byte[] key) {
    WriteBatch batch = new WriteBatch();
    batch.put(key, key);
    db.write(batch);
  }

  private static void scan(RocksDb db) {
    try (Scan rows = db.scan(KeyRange.all())) {
      rows.next();
    }
  }

  private static void readSnapshot(RocksDb db, byte[] key) {
    try (Snapshot snapshot = db.snapshot()) {
      snapshot.get(key);
    }
  }

  /** A stack overflow must not leave a thread with exclusive access to a transaction or batch. */
  void overlaysAtTheEndOfAStack() throws InterruptedException {
    TransactionDb db = TransactionDb.open(folder);
    ColumnFamily other = db.createFamily("other", FamilyOptions.defaults());
    byte[] key = bytes("key");
    db.put(key, large(1));
    Transaction transaction = db.begin();
    IndexedBatch batch = db.indexedBatch();
    Map<String, Runnable> calls = new LinkedHashMap<>();
    calls.put("get", () -> transaction.get(key));
    calls.put("put", () -> transaction.put(key, key));
    calls.put("put in a family", () -> transaction.in(other).put(key, key));
    calls.put("get for update", () -> transaction.forUpdate().get(key));
    calls.put("get to share", () -> transaction.toShare().get(key));
    calls.put("multiGet", () -> transaction.multiGet(List.of(key, key)));
    calls.put("save point", () -> rollbackToSavePoint(transaction, key));
    calls.put("put in a batch", () -> batch.put(key, key));
    calls.put("get over a batch", () -> batch.get(key));
    calls.put("commit", () -> commit(db));
    calls.put("transact", () -> db.callInTransaction(of -> of.get(key)));
    requireCalls(calls);
    calls.clear();
    try (Cursor cursor = transaction.cursor(); // a rollback would close the cursor
        Cursor overBatch = batch.cursor()) {
      calls.put("cursor", () -> cursor.seek(key));
      calls.put("cursor over a batch", () -> overBatch.seek(key));
      requireCalls(calls);
    }
    transaction.commit();
    batch.close();
    db.put(bytes("free"), key); // would fail if an unended transaction still locked the key
    db.close();
  }

  private static void rollbackToSavePoint(Transaction transaction, byte[] key) {
    transaction.setSavePoint();
    transaction.put(key, key);
    transaction.rollbackToSavePoint();
  }

  private static void commit(TransactionDb db) {
    try (Transaction transaction = db.begin()) {
      transaction.put(bytes("free"), bytes("new"));
      transaction.commit();
    }
  }

  /** Makes each call with too little stack, and then with enough stack. */
  private static void requireCalls(Map<String, Runnable> calls) throws InterruptedException {
    for (var call : calls.entrySet()) {
      overflowAtEveryDepth(call.getValue());
      try {
        call.getValue().run();
      } catch (IllegalStateException | LinkageError e) {
        throw new AssertionError(call.getKey() + " after stacks that ended in it", e);
      }
    }
  }

  private static void overflowAtEveryDepth(Runnable work) throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      int[] left = {WORKS_A_THREAD};
      Thread thread = new Thread(null, () -> deepen(work, left), "deep", (180L + round) << 10);
      thread.start();
      thread.join();
    }
  }

  private static void deepen(Runnable work, int[] left) {
    try {
      deepen(work, left);
    } catch (StackOverflowError deepest) {
      // run the work in this frame and in each caller
    }
    if (left[0]-- > 0) {
      try {
        work.run();
      } catch (StackOverflowError refused) {
        return;
      }
    }
  }
}
