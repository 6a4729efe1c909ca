/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Repeats requests to a store that fail, after pauses that double up to a limit and differ randomly. Stores throw {@link
 * InterruptedIOException} for time limits too; {@link #run} throws it only if the thread was interrupted.
 */
final class Attempts {
  private static final long FIRST_PAUSE = 50;
  private static final long LONGEST_PAUSE = 10_000;

  /** A request; its effect is the same if it is repeated. */
  interface Request<T> {
    T run() throws IOException;
  }

  /** Receives failures. */
  interface Watch {
    /** Returns whether to try again. */
    boolean failed(IOException failure);

    /** A request has succeeded. */
    void succeeded();
  }

  private final Watch watch;

  Attempts(Watch watch) {
    this.watch = watch;
  }

  /** Repeats requests until a time has passed. */
  static Attempts within(Duration limit) {
    long until = System.nanoTime() + limit.toNanos();
    return new Attempts(
        new Watch() {
          @Override
          public boolean failed(IOException failure) {
            return System.nanoTime() < until;
          }

          @Override
          public void succeeded() {}
        });
  }

  <T> T run(Request<T> request) throws IOException {
    long pause = FIRST_PAUSE;
    while (true) {
      try {
        T result = request.run();
        watch.succeeded();
        return result;
      } catch (Damage | Fenced e) {
        throw e;
      } catch (IOException e) {
        boolean isInterrupted = Thread.currentThread().isInterrupted();
        IOException failure =
            e instanceof InterruptedIOException && !isInterrupted
                ? new IOException("the store exceeds a time limit: " + e.getMessage(), e)
                : e;
        if (isInterrupted || !watch.failed(failure)) {
          throw failure;
        }
        sleep(ThreadLocalRandom.current().nextLong(pause / 2, pause + 1));
        pause = Math.min(2 * pause, LONGEST_PAUSE);
      }
    }
  }

  private static void sleep(long millis) throws InterruptedIOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("stopped");
    }
  }
}
