/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.work;

import org.rocksdbffm.jmh.programs.store.ProgramStore;

/** Scans of all rows, which compute a sum. */
final class FullScans implements StoreProgram {
  private static final int COUNT = 20_000;
  private static final int SMALLEST = 20;
  private static final int SIZES = 300;

  private final boolean backward;

  FullScans(boolean backward) {
    this.backward = backward;
  }

  @Override
  public void prepare(ProgramStore store) throws Exception {
    for (int i = 0; i < COUNT; i++) {
      store.put(0, ProgramRows.key(i), ProgramRows.value(i, SMALLEST + i % SIZES));
    }
    store.flush(0);
  }

  @Override
  public Work work(ProgramStore store, int thread) {
    return () -> {
      long[] sum = new long[1];
      ProgramStore.RowSink sink =
          (key, value) -> {
            sum[0] += ProgramRows.number(key) + value.length;
            return true;
          };
      if (backward) {
        store.scanBackward(0, sink);
      } else {
        store.scan(0, null, Integer.MAX_VALUE, sink);
      }
      return sum[0];
    };
  }
}
