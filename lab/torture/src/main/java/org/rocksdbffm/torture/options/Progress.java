/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.options;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.rocksdbffm.torture.runs.ChildEnd;

/** Counts a child's steps, and ends a child that makes no progress, after printing its stack traces. */
final class Progress {
  static final int HANGS = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(Integer.getInteger("torture.options.patience", 45));

  private final AtomicLong steps = new AtomicLong();
  private final AtomicLong opened = new AtomicLong();
  private final AtomicLong changed = new AtomicLong();
  private final Map<String, Integer> refusals = new TreeMap<>();

  void made() {
    steps.incrementAndGet();
  }

  void opened() {
    opened.incrementAndGet();
  }

  void changed() {
    changed.incrementAndGet();
  }

  synchronized void refused(RuntimeException e) {
    made();
    String message = String.valueOf(e.getMessage()).replaceAll("/\\S*", "PATH").replaceAll("\\d+", "N");
    String kind =
        e.getClass().getSimpleName() + ": " + message.substring(0, Math.min(90, message.length())).replace('\n', ' ');
    refusals.merge(kind, 1, Integer::sum);
  }

  synchronized void print() {
    System.out.println(steps + " steps; options were taken at " + opened + " openings and " + changed + " changes");
    refusals.forEach((kind, count) -> System.out.println("refused " + count + " x " + kind));
  }

  /** Starts a daemon thread that ends the process if it makes no progress. */
  void watch() {
    Thread.ofPlatform().daemon().name("watch").start(() -> {
      long last = -1;
      long since = System.nanoTime();
      while (true) {
        pause();
        long now = steps.get();
        if (now != last) {
          last = now;
          since = System.nanoTime();
        } else if (System.nanoTime() - since > PATIENCE.toNanos()) {
          ChildEnd.hang("HANGS: nothing was done for " + PATIENCE, HANGS);
        }
      }
    });
  }

  private static void pause() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
