/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.compat.support.Text;
import org.rocksdbffm.internal.call.Call;

/** Perf contexts, the engine's counts of a thread's work, as text. */
public final class PerfContexts {
  private PerfContexts() {}

  public static String text(long context, boolean withoutZeros) {
    Call call = Scratch.enter();
    try {
      return Text.take(rocksdb_perfcontext_report(Scratch.wrap(call, 0, context), withoutZeros));
    } finally {
      call.exit();
    }
  }

  private static native long rocksdb_perfcontext_report(long context, boolean withoutZeros);
}
