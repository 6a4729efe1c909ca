/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.rocksdbffm.torture.dropin.steps.CallCase;
import org.rocksdbffm.torture.runs.RunArguments;
import org.rocksdbffm.torture.runs.RunOutcome;
import org.rocksdbffm.torture.runs.Shrinker;

/**
 * Calls every public method of {@code org.rocksdb} with invalid arguments, in JVMs that may crash, and minimizes each
 * case that crashed one. CallArguments: {@code --minutes N} (or {@code --seconds N}), {@code --seed S}, {@code --shrink
 * SECONDS} for each new failure, {@code --replay FILE}.
 */
public final class DropInTorture {
  private static final String USAGE =
      "./torture --dropin [--minutes N | --seconds N] [--seed S] [--shrink SECONDS] [--replay FILE]";
  private static final int SECONDS_OF_A_CHILD = 12;
  private static final int GRACE = 150;
  private static final int ATTEMPTS = 2;
  private static final int JVMS = 2;

  private final long seed;
  private final Duration time;
  private final Duration shrinking;
  private final CallTally tally = new CallTally();
  private final Map<String, Integer> kinds = new TreeMap<>();
  private final StringBuilder findings = new StringBuilder();

  DropInTorture(long seed, Duration time, Duration shrinking) {
    this.seed = seed;
    this.time = time;
    this.shrinking = shrinking;
  }

  public static void main(String[] arguments) throws Exception {
    RunArguments given = RunArguments.parse(USAGE, List.of("--replay"), arguments);
    String replayed = given.others().get("--replay");
    if (replayed != null) {
      System.exit(replay(Path.of(replayed), given.shrinking()) ? 0 : 1);
    }
    given.print();
    DropInTorture torture = new DropInTorture(given.seed(), given.time(), given.shrinking(Duration.ofMinutes(1)));
    boolean survived = torture.run();
    Files.writeString(Path.of("torture-dropin.methods"), torture.tally.toString());
    new RunOutcome(survived, torture.report()).exit();
  }

  /** Runs a case from a file again, and minimizes it if time is left; returns whether the case succeeds. */
  private static boolean replay(Path file, Duration shrinking) throws IOException {
    CallCase one = CallCase.read(file);
    Ending ending = replay(one, 5);
    System.out.println(ending.report());
    if (!ending.isGood() && shrinking != null) {
      System.out.println(ending.kind());
      CallCase smallest = smallest(one, shrinking);
      smallest.write(file.resolveSibling(file.getFileName() + ".small.case"));
      System.out.print(smallest);
    }
    return ending.isGood();
  }

  /** Returns whether every child succeeded. */
  boolean run() throws InterruptedException, ExecutionException {
    long end = System.nanoTime() + time.toNanos();
    try (ExecutorService threads = Executors.newFixedThreadPool(JVMS)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < JVMS; i++) {
        Random seeds = new Random(seed * JVMS + i);
        running.add(threads.submit(() -> {
          while (System.nanoTime() < end) {
            runChild(seeds.nextLong() >>> 1, Duration.ofNanos(end - System.nanoTime()).toSeconds() + 1);
          }
        }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
    synchronized (kinds) {
      return kinds.isEmpty();
    }
  }

  String report() {
    synchronized (kinds) {
      StringBuilder text = new StringBuilder(tally.summary()).append('\n');
      kinds.forEach((kind, count) -> text.append("%5d x %s%n".formatted(count, kind)));
      int bad = kinds.values().stream().mapToInt(Integer::intValue).sum();
      return text.append(findings).append(bad).append(" JVMs ended badly").toString();
    }
  }

  private void runChild(long childSeed, long left) {
    long seconds = Math.min(SECONDS_OF_A_CHILD, left);
    try (DropInProcess child =
        new DropInProcess(childSeed, "run", String.valueOf(childSeed), String.valueOf(seconds))) {
      Ending ending = child.await(seconds + GRACE);
      tally.add(ending.log());
      if (!ending.isGood()) {
        bad(ending.kind(), ending, childSeed);
      }
      String wrong = ReferenceCheck.look(child.references(), ending);
      if (wrong != null && ending.exit() != DropInChild.WRONG_EXIT) {
        bad(Ending.withoutNumbers(wrong), ending, childSeed);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void bad(String kind, Ending ending, long childSeed) throws IOException {
    synchronized (kinds) {
      if (kinds.merge(kind, 1, Integer::sum) > 1) {
        return;
      }
    }
    Path file = Path.of("torture-dropin-" + childSeed + ".case").toAbsolutePath();
    CallCase failing = CallCase.of(ending.log());
    Path log = file.resolveSibling(file.getFileName() + ".log");
    Files.writeString(log, String.join("\n", ending.log()) + "\n" + ending.report());
    String found = "seed %d: %s%n".formatted(childSeed, kind);
    if (!shrinking.isZero() && fails(failing)) {
      failing = smallest(failing, shrinking);
      found += "%d steps: ./torture --dropin --replay %s%n%s".formatted(failing.steps().size(), file, failing);
    } else {
      found += "it does not fail alone; all of it is in %s.log%n".formatted(file);
    }
    failing.write(file);
    System.out.println(found);
    synchronized (kinds) {
      findings.append(found);
    }
  }

  private static CallCase smallest(CallCase failing, Duration shrinking) {
    return new Shrinker<>(DropInTorture::fails, shrinking)
        .shrink(failing, CallCase::steps, (_, steps) -> new CallCase(steps));
  }

  private static boolean fails(CallCase one) {
    try {
      return !replay(one, ATTEMPTS).isGood();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a case several times, because thread timings vary. */
  private static Ending replay(CallCase one, int attempts) throws IOException {
    Path file = Files.createTempFile("torture", ".case");
    try {
      one.write(file);
      Ending ending = null;
      for (int i = 0; i < attempts && (ending == null || ending.isGood()); i++) {
        try (DropInProcess child = new DropInProcess(1, "case", file.toString())) {
          ending = child.await(GRACE);
        }
      }
      return ending;
    } finally {
      Files.delete(file);
    }
  }
}
