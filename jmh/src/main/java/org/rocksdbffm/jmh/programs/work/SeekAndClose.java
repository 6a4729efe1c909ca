/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.work;

import java.util.SplittableRandom;
import org.rocksdbffm.jmh.programs.store.ProgramStore;
import org.rocksdbffm.jmh.programs.store.StoreRows;

/** Opens iterators, seeks once, and closes them. */
final class SeekAndClose implements StoreProgram {
  private static final int COUNT = 50_000;
  private static final int SIZE = 100;

  @Override
  public void prepare(ProgramStore store) throws Exception {
    for (int i = 0; i < COUNT; i++) {
      store.put(0, ProgramRows.key(2L * i), ProgramRows.value(i, SIZE));
    }
    store.flush(0);
  }

  @Override
  public Work work(ProgramStore store, int thread) {
    SplittableRandom random = new SplittableRandom(6);
    return () -> {
      try (StoreRows rows = store.rows(0)) {
        return rows.seek(ProgramRows.key(random.nextInt(2 * COUNT))) ? ProgramRows.sum(rows.value()) : 0;
      }
    };
  }
}
