/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Locale;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.support.Mode;
import org.rocksdbffm.compat.watch.WatchedDatabase;
import org.rocksdbffm.reports.StatisticsLevel;

/**
 * Adds statistics to databases whose options have none, at the level of the system property {@value #PROPERTY}: metrics
 * for a program that cannot be changed. Each database gets separate statistics.
 */
final class Counting {
  private static final String PROPERTY = "org.rocksdbffm.compat.statistics";
  private static final int EMPTY_POINTER = 16; // zeros: an empty std::shared_ptr

  /** Null if the property is not set. */
  private static final StatisticsLevel LEVEL = level(System.getProperty(PROPERTY));

  /** Locks for options; several options share a lock. Another thread may open a database with the same options. */
  private static final Object[] LOCKS = locks(64);

  private Counting() {}

  private static Object[] locks(int count) {
    Object[] locks = new Object[count];
    for (int i = 0; i < count; i++) {
      locks[i] = new Object();
    }
    return locks;
  }

  private static StatisticsLevel level(String word) {
    StatisticsLevel level = null;
    for (StatisticsLevel named : StatisticsLevel.values()) {
      level = named.name().toLowerCase(Locale.ROOT).equals(word) ? named : level;
    }
    if (word != null && level == null) {
      String names = Arrays.toString(StatisticsLevel.values()).toLowerCase(Locale.ROOT);
      System.getLogger(Mode.LOGGER)
          .log(Level.WARNING, "-D" + PROPERTY + "=" + word + " is ignored: it is one of " + names);
    }
    return level;
  }

  /**
   * Opens a database, with statistics in its options during the opening only, because the options belong to the
   * program.
   */
  static long[] open(String path, long options, boolean isWritable, Opened.Opening<long[]> opening)
      throws RocksDBException {
    if (LEVEL == null) {
      return openWatched(path, options, isWritable, opening);
    }
    synchronized (LOCKS[Long.hashCode(options >>> 4) & LOCKS.length - 1]) {
      return openWatched(path, options, isWritable, opening);
    }
  }

  private static long[] openWatched(
      String path, long options, boolean isWritable, Opened.Opening<long[]> opening) throws RocksDBException {
    long given = Java_org_rocksdb_Options_statistics(options);
    long statistics = given == 0 && LEVEL != null ? EngineStatistics.create(0) : given;
    try {
      long[] opened = statistics == given ? opening.open() : openCounted(options, statistics, opening);
      WatchedDatabase.isAt(
          opened[0], path, isWritable, statistics == 0 ? 0 : EngineStatistics.optionsWith(statistics));
      return opened;
    } finally {
      if (statistics != 0) {
        Java_org_rocksdb_Statistics_disposeInternalJni(statistics);
      }
    }
  }

  private static long[] openCounted(long options, long statistics, Opened.Opening<long[]> opening)
      throws RocksDBException {
    try (Arena arena = Arena.ofConfined()) {
      Java_org_rocksdb_Options_setStatistics(options, statistics);
      rocksdb_options_set_statistics_level(options, LEVEL.level());
      try {
        return opening.open();
      } finally {
        Java_org_rocksdb_Options_setStatistics(options, arena.allocate(EMPTY_POINTER, Long.BYTES).address());
      }
    }
  }

  private static native void rocksdb_options_set_statistics_level(long options, int level);

  private static native long Java_org_rocksdb_Options_statistics(long options);

  private static native void Java_org_rocksdb_Options_setStatistics(long options, long statistics);

  private static native void Java_org_rocksdb_Statistics_disposeInternalJni(long statistics);
}
