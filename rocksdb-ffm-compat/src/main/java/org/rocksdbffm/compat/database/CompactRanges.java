/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import org.rocksdb.CompactRangeOptions.Timestamp;
import org.rocksdbffm.compat.options.OptionMemory;

/** The timestamp from which a compaction retains history. Stored here, because the C API has no getter for it. */
public final class CompactRanges {
  private static final String HISTORY = "full history";

  private CompactRanges() {}

  public static void setHistory(long options, long start, long range) {
    Java_org_rocksdb_CompactRangeOptions_setFullHistoryTSLow(options, start, range);
    OptionMemory.keep(options, HISTORY, new Timestamp(start, range));
  }

  /** Returns the timestamp that was set, or null. */
  public static Timestamp history(long options) {
    return (Timestamp) OptionMemory.kept(options, HISTORY, null);
  }

  public static void dispose(long options) {
    OptionMemory.forget(options);
    Java_org_rocksdb_CompactRangeOptions_disposeInternalJni(options);
  }

  private static native void Java_org_rocksdb_CompactRangeOptions_setFullHistoryTSLow(
      long options, long start, long range);

  private static native void Java_org_rocksdb_CompactRangeOptions_disposeInternalJni(long options);
}
