/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.transactions;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.Transaction;
import org.rocksdbffm.compat.lifetime.Guard;
import org.rocksdbffm.compat.lifetime.UpstreamFields;
import org.rocksdbffm.compat.support.Unchecked;

/**
 * The open transaction databases with pipelined writes. With these, the engine does not retain the WAL files of
 * prepared transactions, so a flush deletes the files, and the next opening loses the transactions. Thread-safe.
 */
public final class PipelinedDatabases {
  private static final String OPTION = "enable_pipelined_write";
  private static final Set<Long> OPEN = ConcurrentHashMap.newKeySet();

  private PipelinedDatabases() {}

  /** Registers a database that was opened with these options. */
  public static void opened(long db, long options) {
    if (rocksdb_options_get_enable_pipelined_write(options) && !Unchecked.lets(OPTION)) {
      OPEN.add(db);
    }
  }

  public static void closed(long db) {
    OPEN.remove(db);
  }

  public static void requireNotOf(Transaction transaction) {
    if (OPEN.isEmpty()) {
      return;
    }
    Guard database = UpstreamFields.guard(transaction).database();
    if (database != null && OPEN.contains(database.pointer())) {
      throw new UnsupportedOperationException(
          "prepare: the database was opened with setEnablePipelinedWrite(true), with which the engine loses prepared "
              + "transactions after a flush; open it without"
              + Unchecked.hint(OPTION));
    }
  }

  private static native boolean rocksdb_options_get_enable_pipelined_write(long options);
}
