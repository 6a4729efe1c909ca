/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.loader.NativeLibrary;
import org.rocksdbffm.internal.metrics.ThreadCounts;

/**
 * All that the engine has counted of one piece of work on the thread that did it: the way to see why a single read is slow,
 * where {@link Statistics} are of a database and all of its threads. Immutable.
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
   * Does some work and counts all that the engine does for it on the calling thread, in every database. Nothing is counted
   * before and behind it. Work may have a profile of its own within, which is part of the one around it.
   *
   * <p>The engine counts for a thread of the operating system, of which a virtual thread has now this and now that one. So
   * it is refused on a virtual thread.
   *
   * @param level how much is counted
   * @param work done once, before this returns; an exception of it goes on to the caller
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

  /** Names that are not known here, which those of another engine may be, are left out. */
  private static Map<PerfCounter, Long> named(Map<String, Long> counts) {
    Map<PerfCounter, Long> named = new EnumMap<>(PerfCounter.class);
    for (PerfCounter counter : PerfCounter.values()) {
      named.put(counter, counts.getOrDefault(counter.id(), 0L));
    }
    return named;
  }

  /**
   * One of the counts.
   *
   * @param counter which
   * @return how often, or how many bytes or nanoseconds, as its name says
   */
  public long count(PerfCounter counter) {
    return counts.get(requireNonNull(counter, "counter"));
  }

  /**
   * All counts.
   *
   * @return the counts, zeros included; cannot be changed
   */
  public Map<PerfCounter, Long> counts() {
    return counts;
  }

  /**
   * How long the work took, with the engine's part and all others.
   *
   * @return the time by the clock
   */
  public Duration elapsed() {
    return elapsed;
  }

  /** Lists the counts that are not zero, a line each, by the engine's names. */
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

  /** How much the engine counts and times for a {@link Profile}; each level has all of those above it. */
  public enum Level {
    /** Numbers and sizes alone; no clock is read. */
    COUNTS(2),
    /** Also how long parts of operations take, and the processor's time of them. */
    TIMES(5),
    /** Also how long mutexes are waited for, which takes more time itself. */
    ALL(6);

    private final int level;

    Level(int level) {
      this.level = level;
    }

    /** The engine's number. */
    int level() {
      return level;
    }
  }
}
