/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.crash;

import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.rocksdbffm.CompactionFilter;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.FlushOptions;
import org.rocksdbffm.RocksDb;

/** Processes that end while the engine is working, or within a callback; see {@link ExitTest}. */
final class ExitCases {
  static final byte[] ACKNOWLEDGED = CrashCase.bytes("acknowledged");
  static final int STATUS = 7;
  static final String READY = "the engine is at work";

  private static final byte[] KEY = CrashCase.bytes("k");

  private ExitCases() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[1]);
    switch (arguments[0]) {
      case "halt" -> {
        writeForMinutes(folder);
        Runtime.getRuntime().halt(STATUS);
      }
      case "exit" -> {
        writeForMinutes(folder);
        System.exit(STATUS);
      }
      case "endOfMain" -> writeForMinutes(folder);
      case "signal" -> {
        writeForMinutes(folder);
        System.out.println(READY);
        Thread.sleep(Long.MAX_VALUE);
      }
      case "inACallOfAUser" -> exitInMerge(folder);
      case "inACallOfAVirtualThread" -> Thread.ofVirtual().start(() -> exitInMerge(folder)).join();
      case "inAThreadOfTheEngine" -> exitInFilter(folder);
      case "inAListener" -> exitInListener(folder);
      case "whileItCloses" -> exitWhileItCloses(folder);
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  /** Makes the engine start to write a file of a megabyte at 4 KiB per second. */
  private static void writeForMinutes(Path folder) {
    RocksDb db =
        RocksDb.at(folder).options(DatabaseOptions.defaults().unchecked("rate_limiter_bytes_per_sec", 4 << 10)).open();
    byte[] incompressible = new byte[1 << 20];
    new Random(1).nextBytes(incompressible);
    db.put(ACKNOWLEDGED, incompressible);
    db.flush(FlushOptions.defaults().waitForFlush(false));
  }

  private static void closeInHook(RocksDb db) {
    Runtime.getRuntime().addShutdownHook(new Thread(db::close));
  }

  private static void exitInMerge(Path folder) {
    RocksDb db =
        RocksDb.at(folder).defaults(FamilyOptions.defaults().mergeOperator(
                "exits",
                (key, value, operands) -> {
                  System.exit(STATUS);
                  return null;
                })).open();
    db.put(ACKNOWLEDGED, ACKNOWLEDGED);
    closeInHook(db);
    db.merge(KEY, KEY);
    db.get(KEY);
  }

  /**
   * The listener ends the process. The engine does not wait for listeners, so the shutdown hook can close the database.
   */
  private static void exitInListener(Path folder) throws InterruptedException {
    RocksDb db = RocksDb.at(folder).options(DatabaseOptions.defaults().listener(event -> System.exit(STATUS))).open();
    db.put(ACKNOWLEDGED, ACKNOWLEDGED);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      db.close();
      System.out.println(READY);
    }));
    db.flush();
    Thread.sleep(Long.MAX_VALUE);
  }

  private static RocksDb filtered(Path folder, CompactionFilter filter) {
    FamilyOptions options =
        FamilyOptions.defaults().level0FileNumCompactionTrigger(2).compactionFilter("exits", compaction -> filter);
    return RocksDb.at(folder).defaults(options).open();
  }

  private static void exitInFilter(Path folder) throws InterruptedException {
    RocksDb db =
        filtered(
            folder,
            (level, key, value) -> {
              System.exit(STATUS);
              return CompactionFilter.Decision.KEEP;
            });
    closeInHook(db);
    compact(db);
    Thread.sleep(Long.MAX_VALUE);
  }

  /** Starts a background compaction, by two files with the same keys: files that do not overlap would only be moved. */
  private static void compact(RocksDb db) {
    for (int file = 0; file < 2; file++) {
      db.put(ACKNOWLEDGED, ACKNOWLEDGED);
      db.put(KEY, KEY);
      db.flush();
    }
  }

  /** A callback calls exit after the shutdown hook has started to close the database. */
  private static void exitWhileItCloses(Path folder) throws InterruptedException {
    CountDownLatch filtering = new CountDownLatch(1);
    RocksDb db =
        filtered(
            folder,
            (level, key, value) -> {
              filtering.countDown();
              awaitEnd();
              System.exit(STATUS + 1);
              return CompactionFilter.Decision.KEEP;
            });
    closeInHook(db);
    compact(db);
    filtering.await();
    System.exit(STATUS);
  }

  private static void awaitEnd() {
    try {
      while (true) {
        Runtime.getRuntime().removeShutdownHook(new Thread());
        Thread.sleep(1);
      }
    } catch (IllegalStateException started) {
      return;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
