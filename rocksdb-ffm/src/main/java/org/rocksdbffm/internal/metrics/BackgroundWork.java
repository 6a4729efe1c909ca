/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.metrics;

import java.util.List;
import org.rocksdbffm.internal.db.NativeFamily;

/**
 * The engine's properties about its flushes and compactions, and about the writes that wait for them.
 *
 * @param errors how many flushes and compactions have failed since the opening
 * @param stopped whether writes wait
 * @param delayedRate to how many bytes a second writes are slowed down; zero if they are not
 * @param flushes that run
 * @param compactions that run
 * @param fullMemtables that wait for a flush, of all families
 * @param debt the bytes that compactions have to rewrite, of all families
 */
public record BackgroundWork(
    long errors, boolean stopped, long delayedRate, long flushes, long compactions, long fullMemtables, long debt) {
  /** Asks the engine; a family that another thread closes meanwhile does not count. */
  public static BackgroundWork of(NativeFamily any, List<NativeFamily> families) {
    long full = 0;
    long debt = 0;
    for (NativeFamily family : families) {
      full += ask(family, "rocksdb.num-immutable-mem-table");
      debt += ask(family, "rocksdb.estimate-pending-compaction-bytes");
    }
    return new BackgroundWork(
        ask(any, "rocksdb.background-errors"),
        ask(any, "rocksdb.is-write-stopped") != 0,
        ask(any, "rocksdb.actual-delayed-write-rate"),
        ask(any, "rocksdb.num-running-flushes"),
        ask(any, "rocksdb.num-running-compactions"),
        full,
        debt);
  }

  private static long ask(NativeFamily family, String property) {
    try {
      return family.longProperty(property).orElse(0);
    } catch (IllegalStateException closed) {
      family.database().requireOpen();
      return 0;
    }
  }
}
