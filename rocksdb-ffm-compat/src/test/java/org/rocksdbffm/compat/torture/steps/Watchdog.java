/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.torture.steps;


import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Ends the process when a step takes too long, and prints all stack traces. Thread-safe. */
public final class Watchdog {
  static final int HANGS = 98;
  public static final String SAYS = "HANGS: ";

  private record Running(Step step, long since) {}

  private final Map<Thread, Running> running = new ConcurrentHashMap<>();
  private final Duration most;

  public Watchdog(Duration most) {
    this.most = most;
    Thread.ofPlatform().daemon().name("watchdog").start(this::watch);
  }

  public void begins(Step step) {
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

  private void end(Step step) {
    System.out.println(SAYS + step);
    running.forEach((thread, its) -> System.out.println("  meanwhile " + thread.getName() + ": " + its.step()));
    Thread.getAllStackTraces()
        .forEach(
            (thread, trace) -> {
              System.out.println(thread);
              for (StackTraceElement element : trace) {
                System.out.println("    at " + element);
              }
            });
    System.out.flush();
    Runtime.getRuntime().halt(HANGS);
  }
}
