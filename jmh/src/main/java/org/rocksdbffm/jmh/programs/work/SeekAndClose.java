/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.work;

import java.util.SplittableRandom;
import org.rocksdbffm.jmh.programs.store.Store;
import org.rocksdbffm.jmh.programs.store.StoreRows;

/** Opens iterators, seeks once, and closes them. */
final class SeekAndClose implements Program {
  private static final int COUNT = 50_000;
  private static final int SIZE = 100;

  @Override
  public void prepare(Store store) throws Exception {
    for (int i = 0; i < COUNT; i++) {
      store.put(0, Bytes.key(2L * i), Bytes.value(i, SIZE));
    }
    store.flush(0);
  }

  @Override
  public Work work(Store store, int thread) {
    SplittableRandom random = new SplittableRandom(6);
    return () -> {
      try (StoreRows rows = store.rows(0)) {
        return rows.seek(Bytes.key(random.nextInt(2 * COUNT))) ? Bytes.sum(rows.value()) : 0;
      }
    };
  }
}
