/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** What must not take a JVM down, one case a run; see {@link CrashTest}. Exits with 0 when all went as it should. */
final class CrashCases {
  private static final int LARGE = 6000;
  private static final int ROWS = 200;
  private static final int THREADS = 8;

  private final Path folder;

  private CrashCases(Path folder) {
    this.folder = folder;
  }

  public static void main(String[] arguments) throws Exception {
    new CrashCases(Path.of("").toAbsolutePath().resolve("db")).run(arguments[0]);
    LiveObjectsCheck.assertNone();
    System.out.println(arguments[0] + " done");
  }

  private void run(String name) throws Exception {
    switch (name) {
      case "closeRacesWithCalls" -> closeRacesWithCalls();
      case "pinsOutliveTheirFamily" -> pinsOutliveTheirFamily();
      case "pinsAreReleasedElsewhereAfterTheClose" -> pinsAreReleasedElsewhereAfterTheClose();
      case "arenaOfTheCollectorReleasesAfterTheClose" -> arenaOfTheCollectorReleasesAfterTheClose();
      case "largeRowIsReadWhileAllIsClosed" -> largeRowIsReadWhileAllIsClosed();
      case "callbacksCloseTheDatabase" -> callbacksCloseTheDatabase();
      case "exitWithCallsInFlight" -> exitWithCallsInFlight();
      case "virtualThreadsReadWhileItCloses" -> virtualThreadsReadWhileItCloses();
      case "stackOverflowsLeaveNoCall" -> stackOverflowsLeaveNoCall();
      case "heapRunsOut" -> heapRunsOut();
      case "oneReadOfManyFamilies" -> oneReadOfManyFamilies();
      case "mapsLie" -> mapsLie();
      case "cachesOfAnySize" -> cachesOfAnySize();
      default -> throw new IllegalArgumentException(name);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static byte[] large(int fill) {
    byte[] value = new byte[LARGE];
    Arrays.fill(value, (byte) fill);
    return value;
  }

  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }

  /** A database with small and large rows, all in files, and a family "other" with the same rows. */
  private RocksDb filled() {
    RocksDb db = RocksDb.open(folder);
    ColumnFamily other =
        db.columnFamilies().size() > 1 ? db.columnFamily("other") : db.createColumnFamily("other", Options.defaults());
    for (int i = 0; i < ROWS; i++) {
      byte[] value = i % 2 == 0 ? bytes("small " + i) : large(i);
      db.put(bytes("key" + i), value);
      other.put(bytes("key" + i), value);
    }
    db.flush();
    other.flush();
    return db;
  }

  /** What a thread does again and again until the database is closed, which it learns by an exception. */
  private interface Work {
    void run(RocksDb db, int round);
  }

  private void closeRacesWithCalls() throws Exception {
    List<Work> works =
        List.of(
            (db, i) -> require(db.get(bytes("key" + i % ROWS)) != null, "get"),
            (db, i) -> db.put(bytes("new" + i % ROWS), large(i)),
            (db, i) -> {
              try (Scan scan = db.scan(KeyRange.prefix(bytes("key")))) {
                while (scan.next()) {
                  require(scan.key().byteSize() >= 4, "scan");
                  require(scan.value().byteSize() >= 7, "scan");
                }
              }
            },
            (db, i) ->
                require(db.multiGet(List.of(bytes("key1"), bytes("key" + i % ROWS))).get(0).length == LARGE, "multi-get"),
            (db, i) -> {
              WriteBatch batch = new WriteBatch();
              batch.put(bytes("batch" + i % ROWS), large(i));
              batch.in(db.columnFamily("other")).put(bytes("batch" + i % ROWS), large(i));
              db.write(batch);
            },
            (db, i) -> {
              try (Cursor cursor = db.cursor()) {
                require(cursor.seek(bytes("key1")) && cursor.value().byteSize() == LARGE, "cursor");
                cursor.previous();
                cursor.refresh();
              }
            },
            (db, i) -> {
              try (Snapshot snapshot = db.snapshot();
                  PinnedValue pinned = snapshot.of(db.columnFamily("other")).getPinned(bytes("key3"))) {
                require(pinned.segment().get(ValueLayout.JAVA_BYTE, LARGE - 1) == 3, "pinned");
              }
            },
            (db, i) -> {
              ColumnFamily family = db.createColumnFamily("family" + i, Options.defaults());
              family.put(bytes("key"), large(5));
              family.flush();
              PinnedValue pinned = family.getPinned(bytes("key"));
              db.dropColumnFamily(family);
              family.close();
              try (pinned) {
                require(pinned.segment().get(ValueLayout.JAVA_BYTE, 0) == 5, "pinned in a family");
              }
            });
    long end = System.nanoTime() + 10_000_000_000L;
    for (int round = 0; System.nanoTime() < end; round++) {
      RocksDb db = filled();
      CountDownLatch started = new CountDownLatch(works.size());
      try (ExecutorService threads = Executors.newFixedThreadPool(works.size())) {
        List<Future<?>> running = new ArrayList<>();
        for (Work work : works) {
          running.add(threads.submit(() -> untilClosed(db, work, started)));
        }
        started.await();
        if (round % 2 == 1) {
          Thread.sleep(20); // both a close at the first call and one in full flight are wanted
        }
        db.close();
        for (Future<?> each : running) {
          each.get();
        }
      }
      LiveObjectsCheck.assertNone();
      RocksDb.destroy(folder);
    }
  }

  private static void untilClosed(RocksDb db, Work work, CountDownLatch started) {
    started.countDown();
    try {
      for (int i = 0; ; i++) {
        work.run(db, i);
      }
    } catch (IllegalStateException closed) {
      require(closed.getMessage().contains(" is closed"), closed.toString());
    }
  }

  private void pinsOutliveTheirFamily() {
    try (RocksDb db = RocksDb.open(folder)) {
      for (int round = 0; round < 20; round++) {
        ColumnFamily family = db.createColumnFamily("family" + round, Options.defaults());
        for (int i = 0; i < ROWS; i++) {
          family.put(bytes("key" + i), large(i));
        }
        family.flush();
        List<PinnedValue> pins = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
          pins.add(family.getPinned(bytes("key" + i)));
        }
        PinnedValues many = db.multiGet().add(family, bytes("key1")).add(family, bytes("key2")).get();
        db.dropColumnFamily(family);
        family.close();
        for (int i = 0; i < ROWS; i++) {
          require(pins.get(i).segment().get(ValueLayout.JAVA_BYTE, LARGE - 1) == (byte) i, "pinned value");
          pins.get(i).close();
        }
        require(many.segment(1).get(ValueLayout.JAVA_BYTE, 0) == 2, "pinned values");
        many.close();
      }
    }
  }

  private void pinsAreReleasedElsewhereAfterTheClose() throws Exception {
    RocksDb db = filled();
    Queue<PinnedValue> pins = new ConcurrentLinkedQueue<>();
    for (int i = 1; i < ROWS; i += 2) {
      pins.add(db.getPinned(bytes("key" + i)).retain());
    }
    db.close();
    inThreads(
        () -> {
          for (PinnedValue pin = pins.poll(); pin != null; pin = pins.poll()) {
            try (PinnedValue.View view = pin.view()) {
              require(view.segment().byteSize() == LARGE, "size");
              require(view.segment().get(ValueLayout.JAVA_BYTE, 17) == view.segment().get(ValueLayout.JAVA_BYTE, 0), "");
            }
            pin.close();
            pin.close();
            pin.close();
          }
        });
    RocksDb.open(folder).close();
  }

  private static void inThreads(Runnable work) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        running.add(threads.submit(work));
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
  }

  private void arenaOfTheCollectorReleasesAfterTheClose() throws Exception {
    RocksDb db = filled();
    readIntoAutoArena(db);
    db.close();
    LiveObjectsCheck.awaitNone();
    RocksDb.open(folder).close();
  }

  private static void readIntoAutoArena(RocksDb db) {
    for (int i = 1; i < ROWS; i += 2) {
      MemorySegment value = db.get(bytes("key" + i), Arena.ofAuto());
      require(value.get(ValueLayout.JAVA_BYTE, LARGE - 1) == (byte) i, "value in an arena");
    }
  }

  private void largeRowIsReadWhileAllIsClosed() throws Exception {
    for (int round = 0; round < 50; round++) {
      RocksDb db = filled();
      Cursor cursor = db.cursor();
      require(cursor.seek(bytes("key1")), "seek");
      MemorySegment value = cursor.value();
      Thread closer = Thread.ofPlatform().start(round % 2 == 0 ? cursor::close : db::close);
      for (int i = 0; i < 20 * LARGE; i++) {
        require(value.get(ValueLayout.JAVA_BYTE, i % LARGE) == 1, "row");
      }
      closer.join();
      db.close();
      require(value.get(ValueLayout.JAVA_BYTE, 9) == 1, "row after the close");
      try {
        cursor.next();
        throw new AssertionError("a closed cursor moved");
      } catch (IllegalStateException closed) {
        require(closed.getMessage().endsWith("is closed"), closed.toString());
      }
      cursor.close();
      require(!value.scope().isAlive(), "the view outlives its iterator");
      LiveObjectsCheck.assertNone();
    }
  }

  private void callbacksCloseTheDatabase() {
    List<Work> works =
        List.of(
            (db, i) -> db.get(bytes("key1"), value -> {
              db.close();
              require(value.get(ValueLayout.JAVA_BYTE, 1) == 1, "value");
              return 1;
            }),
            (db, i) -> {
              try (Stream<Integer> rows = db.stream(KeyRange.all(), row -> {
                db.close();
                return 1;
              })) {
                rows.forEach(each -> {});
              } catch (IllegalStateException closed) {
                require(closed.getMessage().endsWith("is closed"), closed.toString());
              }
            },
            (db, i) -> {
              try (Scan scan = db.scan(KeyRange.from(bytes("key1")))) {
                scan.next();
                MemorySegment large = scan.value();
                db.close();
                require(!large.scope().isAlive(), "the view outlives its iterator");
              }
            },
            (db, i) -> {
              WriteBatch batch = new WriteBatch();
              batch.put(bytes("a"), bytes("b"));
              db.get(bytes("key1"), value -> {
                batch.forEach(new ClosingVisitor(db));
                return null;
              });
            },
            (db, i) -> {
              try (Arena memory = Arena.ofConfined()) {
                require(db.get(bytes("key1"), new ClosingArena(memory, db)).byteSize() == LARGE, "arena");
              }
            },
            (db, i) -> {
              Map<String, String> closing = new AbstractMap<>() {
                @Override
                public Set<Entry<String, String>> entrySet() {
                  db.close();
                  return Set.of();
                }
              };
              try {
                db.setOptions(closing);
              } catch (IllegalStateException closed) {
                require(closed.getMessage().endsWith("is closed"), closed.toString());
              }
            });
    for (Work work : works) {
      RocksDb db = filled();
      work.run(db, 0);
      db.close();
      LiveObjectsCheck.assertNone();
      RocksDb.open(folder).close();
    }
  }

  private record ClosingArena(Arena memory, RocksDb db) implements Arena {
    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
      db.close();
      return memory.allocate(byteSize, byteAlignment);
    }

    @Override
    public MemorySegment.Scope scope() {
      db.close();
      return memory.scope();
    }

    @Override
    public void close() {
      memory.close();
    }
  }

  private record ClosingVisitor(RocksDb db) implements WriteBatch.Visitor {
    @Override
    public void put(int columnFamily, MemorySegment key, MemorySegment value) {
      db.close();
    }

    @Override
    public void merge(int columnFamily, MemorySegment key, MemorySegment operand) {}

    @Override
    public void delete(int columnFamily, MemorySegment key) {}

    @Override
    public void singleDelete(int columnFamily, MemorySegment key) {}

    @Override
    public void deleteRange(int columnFamily, MemorySegment from, MemorySegment until) {}
  }

  private void exitWithCallsInFlight() throws Exception {
    RocksDb db = filled();
    CountDownLatch busy = new CountDownLatch(THREADS);
    for (int t = 0; t < THREADS; t++) {
      int kind = t % 4;
      Thread.ofPlatform().daemon(t % 2 == 0).start(() -> {
        for (int i = 0; ; i++) {
          if (i == 100) {
            busy.countDown();
          }
          switch (kind) {
            case 0 -> db.get(bytes("key" + i % ROWS));
            case 1 -> db.put(bytes("key" + i % ROWS), large(i));
            case 2 -> db.flush();
            default -> {
              try (Scan scan = db.scan(KeyRange.all())) {
                while (scan.next()) {
                  scan.value();
                }
              }
            }
          }
        }
      });
    }
    busy.await();
    System.out.println("exitWithCallsInFlight done");
    System.exit(0);
  }

  private void virtualThreadsReadWhileItCloses() throws Exception {
    RocksDb db = filled();
    CountDownLatch reading = new CountDownLatch(100);
    List<Thread> threads = new ArrayList<>();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    for (int t = 0; t < 10_000; t++) {
      int first = t;
      threads.add(Thread.startVirtualThread(() -> {
        try {
          for (int i = first; ; i++) {
            byte[] value = db.get(bytes("key" + i % ROWS));
            require(value.length == LARGE || value[0] == 's', "value");
            reading.countDown();
            Thread.yield();
          }
        } catch (IllegalStateException closed) {
          reading.countDown();
        } catch (Throwable e) {
          failure.set(e);
        }
      }));
    }
    reading.await();
    db.close();
    for (Thread thread : threads) {
      thread.join();
    }
    require(failure.get() == null, "" + failure.get());
    RocksDb.open(folder).close();
  }

  private void stackOverflowsLeaveNoCall() throws Exception {
    List<Work> works =
        List.of(
            (db, i) -> db.get(bytes("key1")),
            (db, i) -> db.put(bytes("key1"), bytes("new")),
            (db, i) -> db.columnFamily("other").get(bytes("key" + i % ROWS)),
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
      // Those threads are alive and idle: what they lost must not keep the database.
      require(overflows == 100, overflows + " stack overflows");
      require(db.pinCount() == 0, db.pinCount() + " pins");
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

  private void heapRunsOut() throws Exception {
    RocksDb db = RocksDb.open(folder);
    byte[] value = new byte[8 << 20];
    db.put(bytes("key"), value);
    db.flush();
    List<byte[]> hoard = new ArrayList<>();
    int failures = 0;
    while (failures < 200) {
      try {
        if (failures < 20) {
          hoard.add(db.get(bytes("key")));
        } else if (failures % 2 == 0) {
          hoard.add(db.get(bytes("key"), Arena.ofAuto()).toArray(ValueLayout.JAVA_BYTE));
        } else {
          hoard.addAll(db.multiGet(List.of(bytes("key"), bytes("key"))));
        }
      } catch (OutOfMemoryError expected) {
        failures++;
      }
    }
    hoard.clear();
    require(db.get(bytes("key")).length == value.length, "get afterwards");
    db.close();
    LiveObjectsCheck.awaitNone();
    RocksDb.open(folder).close();
  }

  private void oneReadOfManyFamilies() {
    try (RocksDb db = RocksDb.open(folder)) {
      MultiGet request = db.multiGet();
      for (int i = 0; i < 100; i++) {
        ColumnFamily family = db.createColumnFamily("family" + i, Options.defaults());
        family.put(bytes("key"), bytes("value" + i));
        request.add(family, bytes("key"));
      }
      try (PinnedValues values = request.get()) {
        for (int i = 0; i < 100; i++) {
          require(Arrays.equals(values.get(i), bytes("value" + i)), "value " + i);
        }
      }
    }
  }

  private void mapsLie() {
    try (RocksDb db = RocksDb.open(folder)) {
      Map<String, String> lying = new AbstractMap<>() {
        @Override
        public Set<Entry<String, String>> entrySet() {
          return Set.of(Map.entry("disable_auto_compactions", "true"));
        }

        @Override
        public int size() {
          return 1_000_000;
        }
      };
      db.setOptions(lying);
      Map<String, String> database = new AbstractMap<>() {
        @Override
        public Set<Entry<String, String>> entrySet() {
          return Set.of(Map.entry("max_open_files", "100"));
        }

        @Override
        public int size() {
          return 1_000_000;
        }
      };
      db.setDatabaseOptions(database);
    }
  }

  private void cachesOfAnySize() throws IOException {
    long[] sizes = {0, 1, 4096, 1 << 20, 1L << 40, (1L << 40) + 1, 1L << 50, Long.MAX_VALUE};
    for (long size : sizes) {
      try (BlockCache lru = BlockCache.lru(ByteSize.bytes(size))) {
        require(lru.capacity().bytes() == size, "LRU capacity " + lru.capacity());
      }
      boolean fits = size > 0 && size <= 1L << 40;
      try (BlockCache clock = BlockCache.hyperClock(ByteSize.bytes(size))) {
        require(fits && clock.capacity().bytes() == size, "capacity " + clock.capacity());
        Options options =
            Options.defaults().createIfMissing(true).table(TableOptions.defaults().blockCache(clock));
        try (RocksDb db = RocksDb.open(folder, options)) {
          db.put(bytes("key"), bytes("value"));
          db.flush();
          require(db.get(bytes("key")) != null, "get");
        }
      } catch (IllegalArgumentException e) {
        require(!fits && e.getMessage().startsWith("capacity: " + size + " bytes, but"), e.toString());
      }
    }
    Files.walk(folder).close();
  }
}
