/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.rocksdbffm.jmh.run.plan.Cell;

/** Prints the current cell and the remaining time: in one line of a terminal, otherwise in a line from time to time. */
final class RunProgress {
  private static final Duration PAUSE = Duration.ofSeconds(10);
  private static final int WIDTH = 100;

  private final PrintStream out;
  private final boolean terminal;
  private Instant said = Instant.EPOCH;

  RunProgress(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Prints the next row, before its cells are measured. */
  void next(List<Cell> row, int done, int all, String round, Duration elapsed) {
    String where = "[%d/%d, %s] ".formatted(done + 1, all, round);
    say(where + left(done, all, elapsed) + row.getFirst().rowText());
  }

  /** Prints a preparation before the first cell. */
  void preparing(String what) {
    say("Preparing " + what);
  }

  private static String left(int done, int all, Duration elapsed) {
    if (done == 0) {
      return "";
    }
    Duration left = elapsed.multipliedBy(all - done).dividedBy(done);
    return "about %d:%02d left; ".formatted(left.toMinutes(), left.toSecondsPart());
  }

  private void say(String line) {
    if (terminal) {
      String shown = line.length() > WIDTH ? line.substring(0, WIDTH) : line;
      out.printf("\r%-" + WIDTH + "s", shown);
      out.flush();
    } else if (Duration.between(said, Instant.now()).compareTo(PAUSE) >= 0) {
      said = Instant.now();
      out.println(line);
    }
  }

  void end() {
    if (terminal) {
      out.printf("\r%-" + WIDTH + "s\r", "");
      out.flush();
    }
  }
}
