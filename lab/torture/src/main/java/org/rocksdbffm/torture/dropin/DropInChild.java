/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.torture.dropin.calls.CallRun;
import org.rocksdbffm.torture.dropin.calls.Generator;
import org.rocksdbffm.torture.dropin.calls.References;
import org.rocksdbffm.torture.dropin.steps.CallCase;
import org.rocksdbffm.torture.dropin.steps.CallStep;
import org.rocksdbffm.torture.dropin.steps.StepLog;
import org.rocksdbffm.torture.dropin.steps.Watchdog;
import org.rocksdbffm.torture.runs.ChildEnd;
import org.rocksdbffm.torture.world.WrongAnswer;

/**
 * The JVM that may crash. Runs cases from a seed, {@code run LOG SEED SECONDS}, or one case again, {@code case LOG
 * FILE}, in its working folder. Exits with 0 on success.
 */
public final class DropInChild {
  static final String SURVIVED = "survived";
  static final String SAYS_WRONG = "WRONG: ";
  static final int WRONG_EXIT = 97;

  private static final int[] CLIENTS = {1, 1, 1, 2, 4};
  private static final int MOST_STEPS = 250;

  private DropInChild() {}

  public static void main(String[] arguments) throws Exception {
    RocksDB.loadLibrary();
    StepLog log = new StepLog(Path.of(arguments[1]));
    Watchdog watchdog = new Watchdog(Duration.ofSeconds(Long.getLong("torture.hang", 60)));
    References references = new References(Path.of("refs").toAbsolutePath(), log);
    try {
      if (arguments[0].equals("case")) {
        new CallRun(log, watchdog, references, true).replay(CallCase.read(Path.of(arguments[2])));
        references.verify();
      } else {
        run(Long.parseLong(arguments[2]), Long.parseLong(arguments[3]), log, watchdog, references);
      }
    } catch (WrongAnswer | RocksDBException e) {
      wrong(e);
    }
    System.out.println(SURVIVED);
    System.exit(0); // with objects still open
  }

  private static void wrong(Throwable e) {
    System.out.println(SAYS_WRONG + e.getMessage());
    Runtime.getRuntime().halt(WRONG_EXIT);
  }

  private static void run(long seed, long seconds, StepLog log, Watchdog watchdog, References references)
      throws Exception {
    long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    for (long caseSeed = seed; System.nanoTime() < end; caseSeed++) {
      log.begins(caseSeed);
      runCase(caseSeed, new CallRun(log, watchdog, references, false));
      references.verify();
    }
  }

  private static void runCase(long seed, CallRun run) {
    Random random = new Random(seed);
    String folder = "c" + (seed & 0xFFFF);
    Generator first = new Generator(run, 0, folder, random.nextLong());
    first.prepare();
    int clients = CLIENTS[random.nextInt(CLIENTS.length)];
    int steps = 20 + random.nextInt(MOST_STEPS);
    List<Thread> threads = new ArrayList<>();
    for (int client = 0; client < clients; client++) {
      int number = random.nextInt(5) == 0 ? CallStep.FIRST_VIRTUAL + client : 1 + client;
      Generator generator = new Generator(run, number, folder, random.nextLong());
      threads.add(CallRun.start(number, () -> guarded(() -> generator.steps(steps))));
    }
    CallRun.join(threads);
    first.end();
  }

  private static void guarded(Runnable task) {
    try {
      task.run();
    } catch (WrongAnswer e) {
      wrong(e);
    } catch (OutOfMemoryError e) {
      // the arguments were too large for the heap: the case ends
    } catch (Throwable e) {
      ChildEnd.fail(e);
    }
  }
}
