/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.frame;

import java.io.Closeable;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Shows the progress of long work on a terminal, and its estimated remaining time. */
public final class ProgressLine implements Closeable {
  /** A test shortens it, because a machine may be too fast for a line. */
  private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(Long.getLong("rocksdbffm.cli.progress", 250));
  private static final String CLEAR = "\r\033[K";
  private static final String ONE_LINE = "\033[?7l%s\033[?7h"; // without wrapping at the edge of the terminal

  private final PrintWriter terminal;
  private final long total;
  private final long began = System.nanoTime();
  private long shown = began;
  private boolean hasLine;
  private boolean isClosed;

  ProgressLine(PrintWriter terminal, long total) {
    this.terminal = terminal;
    this.total = total;
  }

  /** Sets the completed part, in the unit of the total. */
  public void at(long done) {
    at(done, total);
  }

  /** Sets the completed part, and a better estimate of the total. */
  public void at(long done, long of) {
    if (terminal != null) { // a field that never changes: most commands have no terminal
      show(done, of);
    }
  }

  private synchronized void show(long done, long of) {
    if (isClosed) {
      return;
    }
    long now = System.nanoTime();
    if (now - shown < PERIOD) {
      return;
    }
    shown = now;
    hasLine = true;
    terminal.print(CLEAR + ONE_LINE.formatted(line(done, of, (now - began) / 1e9)));
    terminal.flush();
  }

  /** Polls the completed part until this is closed, for work that is a single call. */
  public ProgressLine watch(LongSupplier done) {
    if (terminal != null) {
      Thread.ofPlatform().daemon().start(() -> {
        while (!awaitEnd()) {
          at(done.getAsLong());
        }
      });
    }
    return this;
  }

  private synchronized boolean awaitEnd() {
    try {
      if (!isClosed) {
        TimeUnit.NANOSECONDS.timedWait(this, PERIOD);
      }
      return isClosed;
    } catch (InterruptedException e) {
      return true;
    }
  }

  static String line(long done, long of, double seconds) {
    if (of <= done || done <= 0) {
      return "%,d done in %.0f s".formatted(done, seconds);
    }
    return "%3.0f %%  %,d of about %,d, %.0f s left".formatted(100.0 * done / of, done, of,
        seconds * (of - done) / done);
  }

  /** Removes the line. */
  @Override
  public synchronized void close() {
    isClosed = true;
    notifyAll();
    if (hasLine) {
      hasLine = false;
      terminal.print(CLEAR);
      terminal.flush();
    }
  }
}
