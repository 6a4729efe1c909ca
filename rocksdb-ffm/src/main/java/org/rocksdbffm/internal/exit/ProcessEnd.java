/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.exit;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.rocksdbffm.internal.foreign.Upcalls;

/**
 * Closes a database from a shutdown hook. The close waits for running callbacks; a callback that has called {@link
 * System#exit} waits for the hook. So the close waits for such a callback a few seconds only, and then gives up.
 */
public final class ProcessEnd {
  private static final Duration GRACE = Duration.ofSeconds(3);
  private static final Duration LOOK = Duration.ofMillis(50);

  private ProcessEnd() {}

  /** Whether the JVM is shutting down. */
  private static boolean hasStarted() {
    try {
      Runtime.getRuntime().removeShutdownHook(new Thread());
      return false;
    } catch (IllegalStateException started) {
      return true;
    }
  }

  /**
   * Runs a close; during a shutdown on a separate thread, so that this can throw if a callback that called
   * {@link System#exit} blocks it. {@code inCalls} supplies the threads in calls: the JVM's list of all stack traces
   * lacks virtual threads.
   */
  public static void close(String name, Supplier<Collection<Thread>> inCalls, Runnable close) {
    if (!hasStarted()) {
      close.run();
      return;
    }
    FutureTask<Void> task = new FutureTask<>(close, null);
    Thread.ofPlatform().daemon().name("close of " + name).start(task);
    long patience = GRACE.toNanos();
    while (true) {
      try {
        if (isDoneWithin(LOOK, task)) {
          return;
        }
      } catch (ExecutionException e) {
        throw rethrown(e.getCause());
      }
      if (isStartedByCallback(inCalls.get())) {
        patience -= LOOK.toNanos();
      }
      if (patience < 0) {
        throw new IllegalStateException(
            name
                + " is not closed: a callback has called System.exit, and the engine waits for it to return, which it"
                + " never does. What was acknowledged is in the log. Exit from a thread that runs no callback");
      }
    }
  }

  private static boolean isDoneWithin(Duration time, FutureTask<Void> task) throws ExecutionException {
    long end = System.nanoTime() + time.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          task.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
          return true;
        } catch (TimeoutException e) {
          return false;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException rethrown(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return (RuntimeException) cause; // a Runnable throws no checked exceptions
  }

  private static boolean isStartedByCallback(Collection<Thread> inCalls) {
    Stream<StackTraceElement[]> stacks =
        Stream.concat(
            Thread.getAllStackTraces().values().stream(), inCalls.stream().map(Thread::getStackTrace));
    return stacks.anyMatch(ProcessEnd::isOfCallbackThatExits);
  }

  private static boolean isOfCallbackThatExits(StackTraceElement[] frames) {
    return Arrays.stream(frames).anyMatch(ProcessEnd::isOfExit)
        && Arrays.stream(frames).anyMatch(frame -> Upcalls.isEntry(frame.getClassName()));
  }

  private static boolean isOfExit(StackTraceElement frame) {
    return frame.getClassName().equals("java.lang.Runtime") && frame.getMethodName().equals("exit");
  }
}
