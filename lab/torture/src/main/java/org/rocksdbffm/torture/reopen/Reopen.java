/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.reopen;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.rocksdbffm.torture.runs.RunArguments;
import org.rocksdbffm.torture.world.Folders;

/**
 * Opens databases repeatedly with changing settings. Arguments: {@code --minutes N} or {@code --seconds N},
 * {@code --seed S}, or {@code --case S} for a case that failed.
 */
public final class Reopen {
  private static final String USAGE =
      "./torture --reopen [--minutes N | --seconds N] [--seed S] | --reopen --case S";

  private Reopen() {}

  public static void main(String[] arguments) throws IOException {
    RunArguments given = RunArguments.parse(USAGE, List.of("--case"), arguments);
    String failed = given.others().get("--case");
    if (failed != null) {
      System.out.println(run(Long.parseLong(failed), Duration.ZERO));
    } else {
      given.print();
      System.out.println(run(given.seed(), given.time()));
    }
  }

  /** Runs at least one case, and returns a report; throws an exception with the case that failed. */
  static String run(long seed, Duration time) throws IOException {
    ReopenCase.Tally tally = new ReopenCase.Tally();
    long end = System.nanoTime() + time.toNanos();
    long cases = 0;
    do {
      long next = seed + cases++;
      Path parent = Folders.create();
      try {
        new ReopenCase(next, parent, tally).run();
      } catch (ReopenCase.Wrong e) {
        throw new AssertionError("case " + next + " (./torture --reopen --case " + next + ")\n" + e.getMessage(), e);
      } finally {
        Folders.delete(parent);
      }
    } while (System.nanoTime() < end);
    return cases + " cases, " + tally;
  }
}
