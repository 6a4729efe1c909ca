/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines.capi;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.openjdk.jmh.infra.Blackhole;
import org.rocksdbffm.jmh.work.KeyCycle;
import org.rocksdbffm.jmh.work.MultiGetLoop;

/** A thread's multi-gets in C, one call for each. */
final class NativeMultiGetLoop implements MultiGetLoop {
  private static final MethodHandle COPIED = NativeLoops.loop("multi_get_copied");
  private static final MethodHandle COPIED_SORTED = NativeLoops.loop("multi_get_copied_sorted");
  private static final MethodHandle PINNED = NativeLoops.loop("multi_get_pinned");
  private static final MethodHandle PINNED_SORTED = NativeLoops.loop("multi_get_pinned_sorted");

  private final NativeWork work;
  private final boolean sorted;

  NativeMultiGetLoop(MemorySegment database, byte[][] keys, int count, boolean sorted) {
    work = new NativeWork(database, new KeyCycle(keys).startingAt(0), new byte[0], count);
    this.sorted = sorted;
  }

  @Override
  public long list(Blackhole blackhole) {
    return work.run(sorted ? COPIED_SORTED : COPIED);
  }

  @Override
  public long pinned() {
    return work.run(sorted ? PINNED_SORTED : PINNED);
  }
}
