/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reports;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.loader.NativeLibrary;
import org.rocksdbffm.internal.reports.ThreadCounts;

/**
 * RocksDB's perf context counts of one piece of work on one thread: shows why a single read is slow, whereas {@link
 * Statistics} cover a database and all of its threads. Immutable.
 *
 * <pre>{@code
 * Profile profile = Profile.of(Level.TIMES, () -> db.get(key));
 * long read = profile.count(PerfCounter.BLOCK_READ_BYTE);
 * }</pre>
 */
public final class Profile {
  private final Map<PerfCounter, Long> counts;
  private final Duration elapsed;

  private Profile(Map<PerfCounter, Long> counts, Duration elapsed) {
    this.counts = Collections.unmodifiableMap(counts);
    this.elapsed = elapsed;
  }

  /**
   * Runs work and counts everything that the engine does for it on the calling thread, in any database. Counting is off
   * before and after it. Nested profiles are included in the outer one.
   *
   * <p>The engine counts per thread of the operating system, and a virtual thread runs on changing carrier threads. So
   * this is refused on a virtual thread.
   *
   * @param level what to count
   * @param work run once before this returns; its exceptions are passed to the caller
   * @return the counts
   * @throws IllegalStateException on a virtual thread
   */
  public static Profile of(Level level, Runnable work) {
    requireNonNull(level, "level");
    requireNonNull(work, "work");
    if (Thread.currentThread().isVirtual()) {
      throw new IllegalStateException(
          "a virtual thread has no counts of its own: the engine's are those of its carrier, which changes; profile the "
              + "work on a platform thread");
    }
    NativeLibrary.load();
    StackRoom.require();
    long began = System.nanoTime();
    try (ThreadCounts thread = ThreadCounts.begin(level.level())) {
      work.run();
      return new Profile(named(thread.sinceBegin()), Duration.ofNanos(System.nanoTime() - began));
    }
  }

  /** Ignores unknown names, which another engine may have. */
  private static Map<PerfCounter, Long> named(Map<String, Long> counts) {
    Map<PerfCounter, Long> named = new EnumMap<>(PerfCounter.class);
    for (PerfCounter counter : PerfCounter.values()) {
      named.put(counter, counts.getOrDefault(counter.id(), 0L));
    }
    return named;
  }

  /**
   * Returns one count.
   *
   * @param counter the counter
   * @return the number, bytes or nanoseconds, as the counter's name says
   */
  public long count(PerfCounter counter) {
    return counts.get(requireNonNull(counter, "counter"));
  }

  /**
   * Returns all counts.
   *
   * @return an unmodifiable map that includes zeros
   */
  public Map<PerfCounter, Long> counts() {
    return counts;
  }

  /**
   * Returns the duration of the work, in the engine and elsewhere.
   *
   * @return the elapsed wall-clock time
   */
  public Duration elapsed() {
    return elapsed;
  }

  /** Lists the non-zero counts, one per line, by the engine's names. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    counts.forEach((counter, count) -> {
      if (count != 0) {
        text.append(counter.id()).append(' ').append(count).append('\n');
      }
    });
    return text.toString();
  }

  /** The counts and times that the engine collects for a {@link Profile}; each level includes the previous ones. */
  public enum Level {
    /** Numbers and sizes; reads no clock. */
    COUNTS(2),
    /** Also the duration and CPU time of parts of operations. */
    TIMES(5),
    /** Also waits for mutexes, whose timing is expensive. */
    ALL(6);

    private final int level;

    Level(int level) {
      this.level = level;
    }

    /** Returns the engine's number of the level. */
    int level() {
      return level;
    }
  }
}
