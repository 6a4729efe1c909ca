/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin.steps;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdbffm.torture.runs.ChildEnd;

/** Ends the process when a step takes too long, and prints all stack traces. Thread-safe. */
public final class Watchdog {
  static final int HANGS = 98;
  public static final String SAYS = "HANGS: ";

  private record Running(CallStep step, long since) {}

  private final Map<Thread, Running> running = new ConcurrentHashMap<>();
  private final Duration most;

  public Watchdog(Duration most) {
    this.most = most;
    Thread.ofPlatform().daemon().name("watchdog").start(this::watch);
  }

  public void begins(CallStep step) {
    running.put(Thread.currentThread(), new Running(step, System.nanoTime()));
  }

  public void ends() {
    running.remove(Thread.currentThread());
  }

  private void watch() {
    while (true) {
      try {
        Thread.sleep(500);
      } catch (InterruptedException e) {
        return;
      }
      long now = System.nanoTime();
      for (var entry : running.entrySet()) {
        if (now - entry.getValue().since() > most.toNanos()) {
          end(entry.getValue().step());
        }
      }
    }
  }

  private void end(CallStep step) {
    StringBuilder report = new StringBuilder(SAYS + step);
    running.forEach((thread, each) -> report.append("\n  meanwhile " + thread.getName() + ": " + each.step()));
    ChildEnd.hang(report.toString(), HANGS);
  }
}
