/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.reopen;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Opens databases repeatedly with changing settings. Arguments: {@code --minutes N} or {@code --seconds N},
 * {@code --seed S}, or {@code --case S} for a case that failed.
 */
public final class Reopen {
  private static final Path IN_MEMORY = Path.of("/dev/shm");

  private Reopen() {}

  public static void main(String[] arguments) throws IOException {
    long seed = System.nanoTime();
    Duration time = Duration.ofMinutes(1);
    for (int i = 0; i + 1 < arguments.length; i += 2) {
      String value = arguments[i + 1];
      switch (arguments[i]) {
        case "--minutes" -> time = Duration.ofMinutes(Long.parseLong(value));
        case "--seconds" -> time = Duration.ofSeconds(Long.parseLong(value));
        case "--seed" -> seed = Long.parseLong(value);
        case "--case" -> {
          seed = Long.parseLong(value);
          time = Duration.ZERO;
        }
        default -> {
          System.err.println("./torture --reopen [--minutes N | --seconds N] [--seed S] | --reopen --case S");
          System.exit(2);
        }
      }
    }
    System.out.println("seed " + seed + ", " + time);
    System.out.println(run(seed, time));
  }

  /** Runs at least one case, and returns a report; throws an exception with the case that failed. */
  static String run(long seed, Duration time) throws IOException {
    ReopenCase.Tally tally = new ReopenCase.Tally();
    long end = System.nanoTime() + time.toNanos();
    long cases = 0;
    do {
      long its = seed + cases++;
      Path parent =
          Files.isWritable(IN_MEMORY)
              ? Files.createTempDirectory(IN_MEMORY, "reopen")
              : Files.createTempDirectory("reopen");
      try {
        new ReopenCase(its, parent, tally).run();
      } catch (ReopenCase.Wrong e) {
        throw new AssertionError("case " + its + " (./torture --reopen --case " + its + ")\n" + e.getMessage(), e);
      } finally {
        Trees.delete(parent);
      }
    } while (System.nanoTime() < end);
    return cases + " cases, " + tally;
  }
}
