/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.crash;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdbffm.ByteView;
import org.rocksdbffm.CompactionFilter.Decision;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyComparator;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Scan;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.tools.Sweeps;

/**
 * Cases in which a callback could crash a JVM, which are part of {@link CrashCases}; and a program with cases in which
 * a callback could prevent the end of a JVM, for {@link CallbackCrashTest}.
 */
final class CallbackCrashCases extends CrashCase {
  CallbackCrashCases(Path folder) {
    super(folder);
  }

  public static void main(String[] arguments) throws Exception {
    CallbackCrashCases cases = new CallbackCrashCases(Files.createTempDirectory(Path.of("."), "callbacks"));
    switch (arguments[0]) {
      case "exitWhileTheEngineWaits" -> cases.exitWhileTheEngineWaits();
      case "endOfMainWhileTheEngineWaits" -> cases.compactForEver();
      case "exitWhileTheEngineCompares" -> cases.exitWhileTheEngineCompares();
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    System.out.println(arguments[0] + " done");
  }

  /** Returns while a thread of the engine is in a filter that does not return. */
  private void compactForEver() throws Exception {
    CountDownLatch filtering = new CountDownLatch(1);
    RocksDb db =
        RocksDb.at(folder).defaults(FamilyOptions.defaults().compactionFilter(
                "for ever",
                compaction -> (level, key, value) -> {
                  filtering.countDown();
                  while (true) {
                    try {
                      Thread.sleep(1000);
                    } catch (InterruptedException e) {
                      return Decision.KEEP;
                    }
                  }
                })).open();
    db.put(bytes("k"), bytes("v"));
    db.flush();
    Thread.ofPlatform().daemon().start(() -> db.compact(KeyRange.all()));
    filtering.await();
  }

  private void exitWhileTheEngineWaits() throws Exception {
    compactForEver();
    System.exit(7);
  }

  private void exitWhileTheEngineCompares() throws Exception {
    RocksDb db =
        RocksDb.at(folder)
            .defaults(FamilyOptions.defaults().keyOrder("java", ByteView::compareTo)
                .option("write_buffer_size", 1 << 16)).open();
    CountDownLatch some = new CountDownLatch(20_000);
    for (int t = 0; t < 4; t++) {
      int seed = t;
      Thread.ofPlatform().daemon().start(() -> {
        Random random = new Random(seed);
        while (true) {
          db.put(bytes("key" + random.nextInt(1_000_000)), bytes("value"));
          some.countDown();
        }
      });
    }
    some.await();
    System.exit(7);
  }

  /** Inconsistent comparators are detected, and the process continues. */
  void disorder() {
    Random random = new Random(1);
    List<KeyComparator> wrong =
        List.of(
            (a, b) -> random.nextInt(),
            (a, b) -> 1,
            (a, b) -> -1,
            (a, b) -> 0,
            (a, b) -> random.nextInt(20) == 0 ? Integer.MIN_VALUE : a.compareTo(b));
    for (int i = 0; i < wrong.size(); i++) {
      try (RocksDb db = RocksDb.at(folder.resolve("db" + i))
          .defaults(FamilyOptions.defaults().keyOrder("wrong", wrong.get(i))).open()) {
        for (int round = 0; round < 5; round++) {
          for (int key = 0; key < 300; key++) {
            db.put(bytes("key" + random.nextInt(300)), bytes("value" + round));
            db.get(bytes("key" + random.nextInt(300)));
          }
          db.flush();
        }
        db.compact(KeyRange.all());
        try (Scan scan = db.scan(KeyRange.all())) {
          for (int rows = 0; rows < 10_000 && scan.next(); rows++) {
            require(scan.keyBytes().length > 0, "an empty key");
          }
        }
        throw new AssertionError("order " + i + " was not found out");
      } catch (IllegalStateException stopped) {
        require(stopped.getMessage().contains("the comparator 'wrong' threw"), stopped.toString());
      }
    }
  }

  /**
   * A comparator starts to throw while the engine sorts its files of level 0; all writes acknowledged before are found.
   */
  void failsWhileFilesAreSorted() {
    Random random = new Random(2);
    for (int round = 0; round < 25; round++) {
      Path some = folder.resolve("sorted" + round);
      AtomicInteger left = new AtomicInteger(100 + random.nextInt(4000));
      KeyComparator ends =
          (a, b) -> {
            if (left.decrementAndGet() <= 0) {
              throw new IllegalArgumentException("the order ends");
            }
            return b.compareTo(a);
          };
      FamilyOptions options = FamilyOptions.defaults().option("disable_auto_compactions", true);
      Set<String> acknowledged = new HashSet<>();
      try (RocksDb db = RocksDb.at(some).defaults(options.keyOrder("backwards", ends)).open()) {
        while (true) {
          for (int i = 0; i < 3; i++) {
            String key = "key" + random.nextInt(1_000_000);
            db.put(bytes(key), bytes(key));
            acknowledged.add(key);
          }
          db.flush();
        }
      } catch (IllegalStateException stopped) {
        require(stopped.getMessage().contains("'backwards' threw"), stopped.toString());
      }
      try (RocksDb db = RocksDb.at(some).defaults(options.keyOrder("backwards", (a, b) -> b.compareTo(a))).open()) {
        for (String key : acknowledged) {
          require(db.get(bytes(key)) != null, key + " is lost");
        }
      }
    }
  }

  /** A comparator's first answers to an engine thread after it has written a file are wrong, which is not detected. */
  void changesWhileFilesAreSorted() {
    Thread caller = Thread.currentThread();
    for (int seed = 0; seed < 12; seed++) {
      Random random = new Random(seed);
      AtomicInteger wrong = new AtomicInteger();
      boolean backwards = random.nextBoolean();
      KeyComparator order =
          (a, b) ->
              Thread.currentThread() == caller || wrong.getAndDecrement() <= 0
                  ? compare(a, b)
                  : backwards ? compare(b, a) : random.nextInt(3) - 1 | 1;
      FamilyOptions options =
          FamilyOptions.defaults().option("disable_auto_compactions", true).keyOrder("an order", order);
      try (RocksDb db = RocksDb.at(folder.resolve("moment" + seed)).defaults(options).open()) {
        for (int i = 0; i < 2000; i++) {
          db.get(key(random.nextInt()));
          db.put(key(random.nextInt(100)), bytes("value"));
        }
        for (int flushes = 0; flushes < 60; flushes++) {
          db.put(key(random.nextInt(1_000_000)), bytes("value"));
          wrong.set(random.nextInt(20));
          db.flush();
        }
      } catch (IllegalStateException | RocksDbException refused) {
        require(refused.getMessage() != null, "a message");
      }
    }
  }

  /**
   * Comparators that are inconsistent for few keys, for distant keys, or after some time, although each single answer
   * is plausible. The comparator that reverses its order runs only in the sweep: it can end the process if the engine
   * picks a table before its bounds are known.
   */
  void circles() {
    for (int seed = 0; seed < Sweeps.of(5, 15); seed++) {
      int turn = 1000 + 9973 * seed;
      AtomicInteger calls = new AtomicInteger();
      List<KeyComparator> wrong =
          List.of(
              (a, b) -> a.getInt(0) - b.getInt(0),
              (a, b) -> a.getInt(0) / 5 == b.getInt(0) / 5 ? around(a, b, 5) : compare(a, b),
              (a, b) -> Math.abs((long) a.getInt(0) - b.getInt(0)) > 900 ? compare(b, a) : compare(a, b),
              (a, b) -> around(a, b, 1001),
              (a, b) -> calls.getAndIncrement() > turn ? compare(b, a) : compare(a, b));
      for (int i = 0; i < Sweeps.of(wrong.size() - 1, wrong.size()); i++) {
        write(folder.resolve("circles" + seed + "-" + i), wrong.get(i), new Random(seed));
      }
    }
  }

  private static int compare(ByteView a, ByteView b) {
    return Integer.compare(a.getInt(0), b.getInt(0));
  }

  private static int around(ByteView a, ByteView b, int circle) {
    int distance = Math.floorMod(a.getInt(0) - b.getInt(0), circle);
    return distance == 0 ? 0 : distance <= circle / 2 ? 1 : -1;
  }

  /** Writes and reads rows in two openings. A failure of either must be an exception with a message. */
  private static void write(Path some, KeyComparator order, Random random) {
    FamilyOptions options =
        FamilyOptions.defaults()
            .option("level0_file_num_compaction_trigger", 2)
            .option("target_file_size_base", random.nextBoolean() ? 512 : 1 << 20)
            .option("max_bytes_for_level_base", 4096)
            .keyOrder("an order", order);
    for (int opened = 0; opened < 2; opened++) {
      try (RocksDb db = RocksDb.at(some).defaults(options).open()) {
        for (int flushes = 0; flushes < 30; flushes++) {
          for (int i = 0; i < 10; i++) {
            int key = random.nextInt(50) == 0 ? Integer.MIN_VALUE + random.nextInt(1000) : random.nextInt(1001);
            db.put(key(key), bytes("value"));
          }
          db.flush();
          if (random.nextInt(10) == 0) {
            db.compact(KeyRange.all());
          }
          try (Scan scan = db.scan(KeyRange.all())) {
            for (int rows = 0; rows < 1000 && scan.next(); rows++) {
              require(scan.keyBytes().length == 4, "a key");
            }
          }
        }
      } catch (IllegalStateException | RocksDbException refused) {
        require(refused.getMessage() != null, "a message");
      }
    }
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  /** Opens a database with a comparator of the same name as before, but with another order. */
  void changes() {
    List<KeyComparator> orders =
        List.of(
            CallbackCrashCases::compare,
            (a, b) -> compare(b, a),
            (a, b) -> Integer.compareUnsigned(Integer.reverse(a.getInt(0)), Integer.reverse(b.getInt(0))));
    int seeds = Sweeps.of(9, 30);
    int refused = 0;
    for (int seed = 0; seed < seeds; seed++) {
      Random random = new Random(seed);
      Path some = folder.resolve("changes" + seed);
      int first = random.nextInt(orders.size());
      int second = (first + 1 + random.nextInt(orders.size() - 1)) % orders.size();
      FamilyOptions options = FamilyOptions.defaults().option("level0_file_num_compaction_trigger", 2);
      try (RocksDb db = RocksDb.at(some).defaults(options.keyOrder("an order", orders.get(first))).open()) {
        for (int i = 0; i < 1000; i++) {
          db.put(key(random.nextInt()), bytes("value"));
        }
        db.compact(KeyRange.all());
      }
      try {
        write(some, orders.get(second), random);
        RocksDb.at(some).defaults(options.keyOrder("an order", orders.get(second))).open().close();
      } catch (IllegalStateException e) {
        refused++;
      }
    }
    require(refused > seeds / 3, "only " + refused + " of " + seeds + " were refused");
  }

  /** Ingests tables that were written with a comparator of the same name, but with another order. */
  void ingestsAnotherOrder() {
    FamilyOptions options =
        FamilyOptions.defaults().option("level0_file_num_compaction_trigger", 2).option("target_file_size_base", 512);
    for (int seed = 0; seed < 10; seed++) {
      Random random = new Random(seed);
      Path table = folder.resolve(seed + ".sst");
      try (TableWriter writer = TableWriter.create(table, options.keyOrder("an order", (a, b) -> compare(b, a)))) {
        for (int number = 100; number >= 0; number--) {
          writer.put(key(number), bytes("value"));
        }
        writer.finish();
      }
      try (RocksDb db = RocksDb.at(folder.resolve("db" + seed))
          .defaults(options.keyOrder("an order", CallbackCrashCases::compare)).open()) {
        for (int round = 0; round < 20; round++) {
          db.put(key(random.nextInt(100)), bytes("value"));
          db.flush();
          if (round == seed) {
            db.files().ingest(table);
          }
          db.get(key(random.nextInt(100)));
        }
        throw new AssertionError("the other order was not found out");
      } catch (IllegalStateException stopped) {
        require(stopped.getMessage().contains("the comparator 'an order' threw"), stopped.toString());
      }
    }
  }

  void stackOverflows() throws Exception {
    try (RocksDb db =
        RocksDb.at(folder).defaults(FamilyOptions.defaults().keyOrder("java", ByteView::compareTo)).open()) {
      for (int i = 0; i < 1000; i++) {
        db.put(bytes("key" + i), bytes("value"));
      }
      for (int round = 0; round < 50; round++) {
        Thread deep = new Thread(null, () -> overflow(db), "deep", 1 << 19);
        deep.start();
        deep.join();
      }
    }
    try (RocksDb db =
        RocksDb.at(folder).defaults(FamilyOptions.defaults().keyOrder("java", ByteView::compareTo)).open()) {
      require(db.get(bytes("key1")) != null, "what was written");
    }
  }

  private static void overflow(RocksDb db) {
    try {
      deepen(db);
    } catch (StackOverflowError e) {
      return;
    } catch (IllegalStateException stopped) {
      require(stopped.getCause() instanceof StackOverflowError, stopped.toString());
    }
  }

  private static void deepen(RocksDb db) {
    db.get(bytes("key7"));
    deepen(db);
  }
}
