/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.opening;

import java.util.List;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.NativeFamily;

/**
 * Refuses a row cache for a database with range deletions. RocksDB caches a row of a file without checking the file's
 * range deletions, and would return deleted rows. With a row cache, RocksDB itself refuses new range deletions.
 */
final class RangeDeletions {
  private static final String OF_FILES = "rocksdb.aggregated-table-properties";
  private static final String IN_MEMORY = "rocksdb.num-entries-active-mem-table";
  private static final String NONE = "# range deletions=0;";

  private static final String OF_FILES_OF_WRITER = "compact all of it first, opened without DatabaseOptions.rowCache";
  private static final String OF_LOG_OF_WRITER = "open it first without DatabaseOptions.rowCache, and flush it";
  private static final String OF_READER =
      "leave out DatabaseOptions.rowCache where it is opened for reading, which cannot flush or compact it; TableOptions.blockCache "
          + "caches blocks for readers";

  private RangeDeletions() {}

  /** Checks a newly opened database, before it is shared. */
  static void requireNone(List<NativeFamily> families, boolean isForReading) {
    for (NativeFamily family : families) {
      String files = family.property(OF_FILES);
      if (files == null || !files.contains(NONE)) {
        refuse(family, "may have deleted ranges in its files", isForReading ? OF_READER : OF_FILES_OF_WRITER);
      }
      if (family.longProperty(IN_MEMORY).orElse(1) != 0) {
        refuse(family, "may have deleted ranges in the log", isForReading ? OF_READER : OF_LOG_OF_WRITER);
      }
    }
  }

  private static void refuse(NativeFamily family, String why, String advice) {
    Status.fail(
        "Not implemented: " + family.handle().name() + " " + why + ", of which a row cache knows nothing",
        "opening it with a row cache: " + advice);
  }
}
