/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.files;

import org.rocksdb.AbstractTraceWriter;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.TraceOptions;
import org.rocksdbffm.compat.lifetime.Guard;
import org.rocksdbffm.compat.lifetime.UpstreamFields;

/**
 * Starts traces. Starts traces. The engine owns a trace writer's native object from the start, and destroys it at the
 * end of the trace.
 */
public final class Traces {
  private Traces() {}

  /** Starts a trace. Starts a trace. A writer serves one trace, and rejects further uses. */
  public static void start(RocksDB db, TraceOptions options, AbstractTraceWriter writer) throws RocksDBException {
    Object used = Guard.use(UpstreamFields.guard(db), null);
    try {
      long mostBytes = options.getMaxTraceFileSize();
      Guard guard = UpstreamFields.guard(writer);
      Guard.check(guard);
      if (!UpstreamFields.owning(writer).compareAndSet(true, false)) {
        throw new IllegalStateException(
            guard.name() + " was given to a trace already, which writes to it alone; make another");
      }
      guard.endWatch();
      UpstreamFields.guard(db).keep("startTrace", writer);
      Java_org_rocksdb_RocksDB_startTrace(db.getNativeHandle(), mostBytes, UpstreamFields.pointer(writer));
    } finally {
      Guard.leave(used);
    }
  }

  private static native void Java_org_rocksdb_RocksDB_startTrace(long db, long mostBytes, long writer)
      throws RocksDBException;
}
