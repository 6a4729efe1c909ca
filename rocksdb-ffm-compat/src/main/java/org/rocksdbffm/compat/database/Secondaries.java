/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.support.Mode;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.internal.call.Call;

/** The open secondary databases, in which some engine functions are wrong. Thread-safe. */
public final class Secondaries {
  private static final String STALE =
      "tryCatchUpWithPrimary: as with rocksdbjni, a secondary keeps rows that it read from the primary's log, so gets "
      + "show"
          + " values that the primary has overwritten or deleted since, and so do iterators once it has compacted them;"
          + " open the secondary again instead";

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

  /**
   * Reads the primary's new writes. Warns once, because the secondary may also return values that the primary has
   * deleted.
   */
  public static void catchUp(long db) throws RocksDBException {
    if (Mode.isStrict()) {
      throw new UnsupportedOperationException(STALE);
    }
    Mode.warnOnce("tryCatchUpWithPrimary", STALE);
    Call call = Scratch.enter();
    try {
      rocksdb_try_catch_up_with_primary(Scratch.wrap(call, 0, db), Scratch.error(call));
      Scratch.check(call);
    } finally {
      call.exit();
    }
  }

  /** Throws for a secondary database, in which the engine would wait forever for a flush. */
  static void refuseClip(long db) {
    if (OPEN.contains(db)) {
      throw new UnsupportedOperationException("clipColumnFamily: a secondary database only follows another");
    }
  }

  private static native void rocksdb_try_catch_up_with_primary(long db, long error);
}
