/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.crash;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Scan;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Cases that must not crash a JVM while a database is closed, or while the JVM ends; see {@link CrashTest}. */
final class CloseCrashCases extends CrashCase {
  CloseCrashCases(Path folder) {
    super(folder);
  }

  void closeRacesWithCalls() throws Exception {
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
                require(db.multiGet(List.of(bytes("key1"), bytes("key" + i % ROWS))).get(0).length == LARGE,
                    "multi-get"),
            (db, i) -> {
              WriteBatch batch = new WriteBatch();
              batch.put(bytes("batch" + i % ROWS), large(i));
              batch.in(db.family("other")).put(bytes("batch" + i % ROWS), large(i));
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
                  PinnedValue pinned = snapshot.of(db.family("other")).getPinned(bytes("key3"))) {
                require(pinned.segment().get(ValueLayout.JAVA_BYTE, LARGE - 1) == 3, "pinned");
              }
            },
            (db, i) -> {
              ColumnFamily family = db.createFamily("family" + i, FamilyOptions.defaults());
              family.put(bytes("key"), large(5));
              family.flush();
              try (PinnedValue pinned = family.getPinned(bytes("key"))) {
                db.dropFamily(family);
                family.close();
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
          Thread.sleep(20); // tests a close at the first call, and a close after many calls
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

  void callbacksCloseTheDatabase() {
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
                batch.forEach((_, _, _, _) -> db.close());
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

  void exitWithCallsInFlight() throws Exception {
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

  void virtualThreadsReadWhileItCloses() throws Exception {
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
}
