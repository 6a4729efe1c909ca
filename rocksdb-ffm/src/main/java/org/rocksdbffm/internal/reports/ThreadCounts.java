/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.reports;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.foreign.EngineTable;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * The calling thread's perf context counts between {@link #begin} and {@link #close}, which restores the perf level.
 * Used by one thread, which must be a platform thread.
 */
public final class ThreadCounts implements AutoCloseable {
  private final int levelBefore;
  private final MemorySegment context;
  private final Map<String, Long> countsBefore;

  private ThreadCounts(int levelBefore, MemorySegment context) {
    this.levelBefore = levelBefore;
    this.context = context;
    this.countsBefore = read();
  }

  /** Starts to count at a perf level (the engine's number); a higher level of the thread stays. */
  public static ThreadCounts begin(int level) {
    RocksDbC.rocksdb_ffm_stop_counting(EngineTable.TABLE); // otherwise the first read calls it, and resets the level
    int before = level();
    ThreadCounts counts = new ThreadCounts(before, RocksDbC.rocksdb_perfcontext_create());
    RocksDbC.rocksdb_set_perf_level(Math.max(before, level));
    return counts;
  }

  /** Returns the thread's perf level. The JNI function numbers levels differently than the engine. */
  private static int level() {
    if (!NativeLibrary.has("Java_org_rocksdb_RocksDB_getPerfLevelNative")) {
      return EngineTable.leavesCounting() ? 2 : 1; // the engine's default, or the level of stopped counting
    }
    byte answer = RocksDbC.Java_org_rocksdb_RocksDB_getPerfLevelNative(MemorySegment.NULL, MemorySegment.NULL);
    return switch (answer) {
      case 2 -> 2;
      case 3 -> 4;
      case 4 -> 5;
      case 5 -> 6;
      case 6 -> 3; // a level that the JNI function has no number for
      default -> 1;
    };
  }

  /** Returns the non-zero counts since the start, by RocksDB's names. */
  public Map<String, Long> sinceBegin() {
    Map<String, Long> counts = read();
    countsBefore.forEach((name, before) -> counts.computeIfPresent(name, (same, now) -> since(before, now)));
    return counts;
  }

  /** A count below the start value was reset since then, so it is counted from zero. */
  private static Long since(long before, long now) {
    long difference = now < before ? now : now - before;
    return difference == 0 ? null : difference;
  }

  private Map<String, Long> read() {
    return parse(Status.takeText(RocksDbC.rocksdb_perfcontext_report(context, (byte) 1).address()));
  }

  /** Parses {@code name = 7, other = 8}; skips counts of a level, {@code name = 7@level0}. */
  static Map<String, Long> parse(String report) {
    Map<String, Long> counts = new HashMap<>();
    for (String count : report.split(", ")) {
      String[] parts = count.split(" = ");
      if (parts.length == 2 && parts[1].chars().allMatch(c -> c >= '0' && c <= '9')) {
        counts.put(parts[0].strip(), Long.parseUnsignedLong(parts[1]));
      }
    }
    return counts;
  }

  @Override
  public void close() {
    RocksDbC.rocksdb_set_perf_level(levelBefore);
    RocksDbC.rocksdb_perfcontext_destroy(context);
  }
}
