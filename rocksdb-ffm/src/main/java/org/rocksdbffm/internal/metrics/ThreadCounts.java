/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.metrics;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.foreign.EngineTable;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * The engine's counts of the calling thread, from the making of this object to its close. The thread counts nothing
 * before and afterwards, unless somebody else had it count. One thread, which is one of the operating system.
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

  /** Begins to count, at the engine's number of a level; one that counts more already stays. */
  public static ThreadCounts begin(int level) {
    RocksDbC.rocksdb_ffm_stop_counting(EngineTable.TABLE); // the first read of this thread would do it, and end the level
    int before = level();
    ThreadCounts counts = new ThreadCounts(before, RocksDbC.rocksdb_perfcontext_create());
    RocksDbC.rocksdb_set_perf_level(Math.max(before, level));
    return counts;
  }

  /** The engine's number of the thread's level, from the number that its function for it has. */
  private static int level() {
    if (!NativeLibrary.has("Java_org_rocksdb_RocksDB_getPerfLevelNative")) {
      return EngineTable.leavesCounting() ? 2 : 1; // as the engine begins with, and as it was just set
    }
    byte answer = RocksDbC.Java_org_rocksdb_RocksDB_getPerfLevelNative(MemorySegment.NULL, MemorySegment.NULL);
    return switch (answer) {
      case 2 -> 2;
      case 3 -> 4;
      case 4 -> 5;
      case 5 -> 6;
      case 6 -> 3; // for which it has none
      default -> 1;
    };
  }

  /** The counts since the beginning, by the engine's names; those that are zero are not among them. */
  public Map<String, Long> sinceBegin() {
    Map<String, Long> counts = read();
    countsBefore.forEach((name, before) -> counts.computeIfPresent(name, (same, now) -> since(before, now)));
    return counts;
  }

  /** Less than before is counted from zero: somebody has had the counts begin anew. */
  private static Long since(long before, long now) {
    long difference = now < before ? now : now - before;
    return difference == 0 ? null : difference;
  }

  private Map<String, Long> read() {
    return parse(Status.takeText(RocksDbC.rocksdb_perfcontext_report(context, (byte) 1).address()));
  }

  /** Reads {@code name = 7, other = 8}; counts of a level, {@code name = 7@level0}, are left out. */
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
