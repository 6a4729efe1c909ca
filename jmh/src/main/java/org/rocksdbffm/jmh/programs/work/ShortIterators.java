/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.work;

import java.util.SplittableRandom;
import org.rocksdbffm.jmh.programs.store.ProgramStore;
import org.rocksdbffm.jmh.programs.store.StoreRows;

/** Iterators of ten families that each read a few rows, half of them with an upper bound. */
final class ShortIterators implements StoreProgram {
  private static final int FAMILIES = 10;
  private static final int COUNT = 10_000;
  private static final int MOST_ROWS = 8;
  private static final int SIZE = 100;

  @Override
  public int families() {
    return FAMILIES;
  }

  @Override
  public void prepare(ProgramStore store) throws Exception {
    for (int family = 0; family < FAMILIES; family++) {
      for (int i = 0; i < COUNT; i++) {
        store.put(family, ProgramRows.key(i), ProgramRows.value(i + family, SIZE + family));
      }
      store.flush(family);
    }
  }

  @Override
  public Work work(ProgramStore store, int thread) {
    SplittableRandom random = new SplittableRandom(5);
    return () -> {
      int family = random.nextInt(FAMILIES);
      long from = random.nextInt(COUNT);
      int wanted = 1 + random.nextInt(MOST_ROWS);
      long sum = 0;
      try (StoreRows rows = random.nextBoolean() ? store.rows(family)
          : store.rows(family, ProgramRows.key(from + wanted))) {
        int left = wanted;
        for (boolean is = rows.seek(ProgramRows.key(from)); is && left > 0; is = rows.next(), left--) {
          sum += ProgramRows.sum(rows.key()) + ProgramRows.sum(rows.value());
        }
      }
      return sum;
    };
  }
}
