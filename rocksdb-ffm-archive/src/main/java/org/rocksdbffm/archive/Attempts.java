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
    /**
     * Returns whether to try again.
     *
     * @param nanos the time since the first failure of the request
     */
    boolean failed(IOException failure, long nanos);

    /** A request has succeeded. */
    void succeeded();
  }

  private final Watch watch;

  Attempts(Watch watch) {
    this.watch = watch;
  }

  /** Repeats each request until a time has passed since its first failure. */
  static Attempts within(Duration limit) {
    return new Attempts(
        new Watch() {
          @Override
          public boolean failed(IOException failure, long nanos) {
            return nanos < limit.toNanos();
          }

          @Override
          public void succeeded() {}
        });
  }

  <T> T run(Request<T> request) throws IOException {
    long pause = FIRST_PAUSE;
    long firstFailure = 0;
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
        long now = System.nanoTime();
        firstFailure = pause == FIRST_PAUSE ? now : firstFailure;
        if (isInterrupted || !watch.failed(failure, now - firstFailure)) {
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
