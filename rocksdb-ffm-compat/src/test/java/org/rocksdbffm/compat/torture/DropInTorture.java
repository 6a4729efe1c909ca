/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.rocksdbffm.compat.torture.steps.Case;
import org.rocksdbffm.compat.torture.steps.Shrinker;
import org.rocksdbffm.compat.torture.steps.WrongAnswer;

/**
 * Calls every public method of {@code org.rocksdb} with invalid arguments, in JVMs that may crash, and minimizes each
 * case that crashed one. Arguments: {@code --minutes N} (or {@code --seconds N}), {@code --seed S}, {@code --shrink
 * SECONDS} for each new failure, {@code --replay FILE}.
 */
public final class DropInTorture {
  private static final int SECONDS_OF_A_CHILD = 12;
  private static final int GRACE = 150;
  private static final int ATTEMPTS = 2;
  private static final int JVMS = 2;

  private final long seed;
  private final Duration time;
  private final Duration shrinking;
  private final Tally tally = new Tally();
  private final Map<String, Integer> kinds = new TreeMap<>();
  private final StringBuilder findings = new StringBuilder();

  DropInTorture(long seed, Duration time, Duration shrinking) {
    this.seed = seed;
    this.time = time;
    this.shrinking = shrinking;
  }

  public static void main(String[] arguments) throws Exception {
    long seed = System.nanoTime();
    Duration time = Duration.ofMinutes(1);
    Duration shrinking = null;
    Path replayed = null;
    for (int i = 0; i + 1 < arguments.length; i += 2) {
      String value = arguments[i + 1];
      switch (arguments[i]) {
        case "--minutes" -> time = Duration.ofMinutes(Long.parseLong(value));
        case "--seconds" -> time = Duration.ofSeconds(Long.parseLong(value));
        case "--seed" -> seed = Long.parseLong(value);
        case "--shrink" -> shrinking = Duration.ofSeconds(Long.parseLong(value));
        case "--replay" -> replayed = Path.of(value);
        default -> {
          System.err.println("./torture --dropin [--minutes N | --seconds N] [--seed S] [--shrink SECONDS] [--replay FILE]");
          System.exit(2);
        }
      }
    }
    if (replayed != null) {
      System.exit(replay(replayed, shrinking) ? 0 : 1);
    }
    System.out.println("seed " + seed + ", " + time);
    DropInTorture torture = new DropInTorture(seed, time, shrinking == null ? Duration.ofMinutes(1) : shrinking);
    boolean survived = torture.run();
    System.out.println(torture.report());
    Files.writeString(Path.of("torture-dropin.methods"), torture.tally.toString());
    System.exit(survived ? 0 : 1);
  }

  /** Runs a case from a file again, and minimizes it if time is left; returns whether the case succeeds. */
  private static boolean replay(Path file, Duration shrinking) throws IOException {
    Case one = Case.read(file);
    Ending ending = replay(one, 5);
    System.out.println(ending.report());
    if (!ending.isGood() && shrinking != null) {
      System.out.println(ending.kind());
      Case smallest = new Shrinker(DropInTorture::fails, shrinking).shrink(one);
      smallest.write(file.resolveSibling(file.getFileName() + ".small.case"));
      System.out.print(smallest);
    }
    return ending.isGood();
  }

  /** Returns whether every child succeeded. */
  boolean run() {
    long end = System.nanoTime() + time.toNanos();
    Thread[] threads = new Thread[JVMS];
    for (int i = 0; i < JVMS; i++) {
      Random seeds = new Random(seed * JVMS + i);
      threads[i] =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (System.nanoTime() < end) {
                      runChild(seeds.nextLong() >>> 1, Duration.ofNanos(end - System.nanoTime()).toSeconds() + 1);
                    }
                  });
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
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
    try (Child child = new Child()) {
      long seconds = Math.min(SECONDS_OF_A_CHILD, left);
      Ending ending = child.run(childSeed, seconds + GRACE, "run", String.valueOf(childSeed), String.valueOf(seconds));
      tally.add(ending.log());
      if (!ending.isGood()) {
        bad(ending.kind(), ending, childSeed);
      }
      String wrong = ReferenceCheck.look(child.references(), ending);
      if (wrong != null && ending.exit() != WrongAnswer.EXIT) {
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
    Case failing = Case.of(ending.log());
    Files.writeString(file.resolveSibling(file.getFileName() + ".log"), String.join("\n", ending.log()) + "\n" + ending.report());
    String found = "seed %d: %s%n".formatted(childSeed, kind);
    if (!shrinking.isZero() && fails(failing)) {
      failing = new Shrinker(DropInTorture::fails, shrinking).shrink(failing);
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

  private static boolean fails(Case one) {
    try {
      return !replay(one, ATTEMPTS).isGood();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a case several times, because thread timings vary. */
  private static Ending replay(Case one, int attempts) throws IOException {
    Path file = Files.createTempFile("torture", ".case");
    try {
      one.write(file);
      Ending ending = null;
      for (int i = 0; i < attempts && (ending == null || ending.isGood()); i++) {
        try (Child child = new Child()) {
          ending = child.run(1, GRACE, "case", file.toString());
        }
      }
      return ending;
    } finally {
      Files.delete(file);
    }
  }
}
