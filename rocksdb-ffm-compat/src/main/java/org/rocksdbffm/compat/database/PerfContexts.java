/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.compat.support.Text;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.foreign.Memory;

/** Formats perf contexts, the engine's counters for one thread. */
public final class PerfContexts {
  /** Zeros, for threads without a context. Larger than the engine's PerfContext. */
  private static final MemorySegment NOTHING = Memory.allocate(64 << 10).fill((byte) 0);

  private PerfContexts() {}

  /** Returns the context of the current thread. Virtual threads have none. */
  public static long ofThisThread() {
    return Thread.currentThread().isVirtual() ? NOTHING.address() : Java_org_rocksdb_RocksDB_getPerfContextNative();
  }

  public static String text(long context, boolean withoutZeros) {
    Call call = Scratch.enter();
    try {
      return Text.take(rocksdb_perfcontext_report(Scratch.wrap(call, 0, context), withoutZeros));
    } finally {
      call.exit();
    }
  }

  private static native long Java_org_rocksdb_RocksDB_getPerfContextNative();

  private static native long rocksdb_perfcontext_report(long context, boolean withoutZeros);
}
