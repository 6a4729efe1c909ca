/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.forgotten;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.time.Duration;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.MemoryBudget;
import org.rocksdbffm.RateLimiter;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Scan;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.SstFileManager;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Leaks objects that must be closed, and waits until they are reclaimed; see {@link ForgottenTest}. */
final class ForgottenCases {
  private static final Path FOLDER = Path.of("").toAbsolutePath().resolve("db");

  private ForgottenCases() {}

  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "database" -> forgetDatabase();
      case "cursor" -> withDatabase(db -> db.cursor().first());
      case "scan" -> withDatabase(db -> db.scan(KeyRange.all()).next());
      case "snapshot" -> withDatabase(db -> db.snapshot().get(new byte[1]));
      case "tableWriter" -> TableWriter.create(FOLDER.resolveSibling("1.sst"), FamilyOptions.defaults()).size();
      case "export" -> withDatabase(db -> db.files().export(FOLDER.resolveSibling("export")).folder());
      case "pause" -> withDatabase(db -> db.files().pauseWork(Duration.ofDays(1)).isInEffect());
      case "hold" -> withDatabase(db -> db.files().hold().files());
      case "cache" -> BlockCache.lru(ByteSize.kib(1)).usage();
      case "memoryBudget" -> MemoryBudget.of(ByteSize.mib(8)).databases();
      case "rateLimiter" -> RateLimiter.of(ByteSize.mib(1)).rate();
      case "sstFileManager" -> SstFileManager.create().totalSize();
      case "pinned" -> withDatabase(db -> db.getPinned("key".getBytes()).size());
      case "pinnedValues" -> withDatabase(db -> db.multiGet().add("key".getBytes()).get().count());
      case "many" -> withDatabase(db -> java.util.stream.IntStream.range(0, 1000).forEach(i -> db.cursor()));
      case "fast" -> withDatabase(ForgottenCases::forgetFast);
      case "endedThread" -> forgetInEndedThread();
      case "scanOfEndedThread" -> withDatabase(ForgottenCases::scanInEndedThread);
      case "keptClosed" -> keepWhatIsClosed();
      case "nothing" -> withDatabase(ForgottenCases::forgetNothing);
      case "closed" -> closeMany();
      case "used" -> useWhatIsLeftOfADatabase();
      case "row" -> keepRowOfForgottenCursor();
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    LiveObjectsCheck.awaitNone();
    awaitReports();
    System.out.println("all is reclaimed");
  }

  /**
   * Waits for the end of the reclaimer's thread, which writes the last reports, because a process does not wait for
   * that thread.
   */
  private static void awaitReports() throws InterruptedException {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("rocksdbffm-reclaimer")) {
        thread.join(10_000);
      }
    }
  }

  private interface Use {
    void of(RocksDb db);
  }

  private static RocksDb open() {
    RocksDb db = RocksDb.open(FOLDER);
    db.put("key".getBytes(), new byte[10_000]);
    return db;
  }

  private static void withDatabase(Use use) throws Exception {
    try (RocksDb db = open()) {
      use.of(db);
      // Waits for the reclaimer, which may be late on a busy machine: it does not report objects that were closed with
      // their database.
      for (int i = 0; i < 20 || i < 1000 && LiveObjects.ITERATORS.count() > 0; i++) {
        LiveObjectsCheck.collect();
      }
    }
  }

  private static void forgetDatabase() {
    open().put("a".getBytes(), "b".getBytes());
  }

  /** Leaks cursors on four threads, in a heap so large that the garbage collector would not run on its own. */
  private static void forgetFast(RocksDb db) {
    java.util.concurrent.atomic.AtomicLong most = new java.util.concurrent.atomic.AtomicLong();
    java.util.List<Thread> threads = new java.util.ArrayList<>();
    for (int t = 0; t < 4; t++) {
      threads.add(Thread.ofPlatform().start(() -> {
        for (int i = 0; i < 10_000; i++) {
          db.cursor();
          most.accumulateAndGet(LiveObjects.ITERATORS.count(), Math::max);
        }
      }));
    }
    threads.forEach(ForgottenCases::join);
    System.out.println("most alive: " + most);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * The last call of a slot may be by an ended thread: objects that the thread's task references must be detected as
   * leaked.
   */
  private static void forgetInEndedThread() {
    RocksDb db = open();
    Thread thread = Thread.ofPlatform().start(() -> db.get("key".getBytes()));
    join(thread);
    RocksDb.open(FOLDER.resolveSibling("another")).close();
  }

  /**
   * The thread references its task, and the task references the scan. So the scan must not reference the thread that it
   * caches.
   */
  private static void scanInEndedThread(RocksDb db) {
    Object[] kept = new Object[2];
    Thread thread = Thread.ofPlatform().start(() -> {
      Scan scan = db.scan(KeyRange.all());
      scan.next();
      kept[0] = scan;
      kept[1] = scan.value(); // a large value, in the engine's memory
    });
    join(thread);
    RocksDb.open(FOLDER.resolveSibling("another")).close(); // clears ended threads from the calls
  }

  /** Keeps a closed cache reachable, which must not keep other objects reachable that were created next to it. */
  private static void keepWhatIsClosed() throws Exception {
    BlockCache before = openAndClose();
    LiveObjectsCheck.awaitNothing();
    Reference.reachabilityFence(before);
  }

  private static BlockCache openAndClose() {
    try (RocksDb db = open()) {
      BlockCache before = BlockCache.lru(ByteSize.kib(1));
      try (Scan beside = db.scan(KeyRange.all())) {
        before.close();
        beside.next();
      }
      return before;
    }
  }

  private static void forgetNothing(RocksDb db) {
    db.cursor().close();
    db.scan(KeyRange.all()).close();
    db.snapshot().close();
    BlockCache.lru(ByteSize.kib(1)).close();
    db.getPinned("key".getBytes()).close();
    db.multiGet().add("key".getBytes()).get().close();
    db.cursor(); // closed by the database
    db.close();
  }

  /** Closes many objects, which must not count as memory that waits for the garbage collector. */
  private static void closeMany() {
    for (int i = 0; i < 100; i++) {
      RocksDb.open(FOLDER).close();
    }
    RocksDb db = open();
    for (int i = 0; i < 20_000; i++) {
      Snapshot snapshot = db.snapshot();
      snapshot.get("key".getBytes());
      snapshot.close();
      db.cursor().close();
      db.scan(KeyRange.prefix("k".getBytes())).close();
      db.getPinned("key".getBytes()).close();
      db.multiGet().add("key".getBytes()).get().close();
    }
    Snapshot left = db.snapshot();
    left.get("key".getBytes());
    db.close();
    left.close();
    System.out.println("all is closed");
  }

  /** Uses a database only through its families, readers, snapshots and cursors. */
  private static void useWhatIsLeftOfADatabase() throws Exception {
    ColumnFamily family = open().family("default");
    KeyReader reader = family.snapshot().of(family);
    Cursor cursor = reader.cursor();
    for (int i = 0; i < 20; i++) {
      LiveObjectsCheck.collect();
      if (family.get("key".getBytes()).length != 10_000
          || reader.get("key".getBytes()).length != 10_000
          || !cursor.first()) {
        throw new AssertionError("wrong answer");
      }
    }
    cursor.close();
    System.out.println("used all the time");
  }

  /** The views of a row keep its iterator, even if the cursor is unreachable. */
  private static void keepRowOfForgottenCursor() throws Exception {
    RocksDb db = open();
    db.flush();
    MemorySegment row = rowOf(db);
    for (int i = 0; i < 20; i++) {
      LiveObjectsCheck.collect();
      if (row.get(ValueLayout.JAVA_BYTE, 5_000) != 0) {
        throw new AssertionError("wrong byte");
      }
    }
    db.close();
  }

  private static MemorySegment rowOf(RocksDb db) {
    Cursor cursor = db.cursor();
    cursor.first();
    return cursor.value();
  }
}
