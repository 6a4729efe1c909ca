/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The databases that follow another, which the engine lets do less than it says. Thread-safe. */
public final class Secondaries {
  private static final Set<Long> OPEN = ConcurrentHashMap.newKeySet();

  private Secondaries() {}

  static void opened(long db) {
    OPEN.add(db);
  }

  static void closed(long db) {
    if (!OPEN.isEmpty()) {
      OPEN.remove(db);
    }
  }

  /** The engine would wait for ever for the flush of what it cannot write. */
  public static void refuseClip(
      long db, long family, byte[] begin, int beginOffset, int beginLength, byte[] end, int endOffset, int endLength) {
    if (OPEN.contains(db)) {
      throw new UnsupportedOperationException("clipColumnFamily: a secondary database only follows another");
    }
  }
}
