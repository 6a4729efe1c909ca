/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.flink.jobs;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** The progress of a job in this JVM: the limit of its source, and the events of its functions. */
final class JobProgress {
  /** Completed checkpoints of this job, counted by one function. */
  static final AtomicInteger CHECKPOINTS = new AtomicInteger();

  /** Whether the next event must fail. */
  private static final AtomicBoolean FAILS = new AtomicBoolean();

  private static final AtomicInteger PROCESSED = new AtomicInteger();

  private static final Map<Long, String> RESULTS = new ConcurrentSkipListMap<>();

  private static final Map<String, Long> COUNTS = new ConcurrentSkipListMap<>();

  private static long produced;
  private static long limit;
  private static CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);

  private JobProgress() {}

  static synchronized void start() {
    CHECKPOINTS.set(0);
    PROCESSED.set(0);
    produced = 0;
    limit = 0;
  }

  /** Lets the source continue up to a number of events. */
  static synchronized void goOnTo(long events) {
    limit = events;
    gate.complete(null);
  }

  /** Returns a stage that completes when the source may emit another event. */
  static synchronized CompletionStage<Void> gate() {
    if (produced < limit) {
      return CompletableFuture.completedFuture(null);
    }
    gate = new CompletableFuture<>();
    return gate;
  }

  static synchronized Long made(long event) {
    produced = event + 1;
    return event;
  }

  static synchronized boolean isAtLimit() {
    return produced >= limit && PROCESSED.get() > 0;
  }

  static void fail() {
    FAILS.set(true);
  }

  static boolean hasFailed() {
    return !FAILS.get();
  }

  /** Called by functions with each event; throws if a failure was requested. */
  static long came(long event) {
    PROCESSED.incrementAndGet();
    if (FAILS.compareAndSet(true, false)) {
      throw new IllegalStateException("asked to fail");
    }
    return event;
  }

  /** Records the final output of a key; a key has two outputs only if state was lost or counted twice. */
  static void result(long key, String words) {
    String before = RESULTS.put(key, words);
    if (before != null && !before.equals(words)) {
      RESULTS.put(key, before + " and " + words);
    }
  }

  static void count(String what, long more) {
    COUNTS.merge(what, more, Long::sum);
  }

  static Map<String, Long> takeCounts() {
    Map<String, Long> taken = new TreeMap<>(COUNTS);
    COUNTS.clear();
    return taken;
  }

  static Map<Long, String> takeResults() {
    Map<Long, String> taken = new TreeMap<>(RESULTS);
    RESULTS.clear();
    return taken;
  }
}
