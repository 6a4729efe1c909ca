/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.work;

import java.util.SplittableRandom;
import org.rocksdbffm.jmh.programs.store.ProgramStore;

/** Four threads that read rows that do not change, and a thread that writes other rows. */
final class ReadersAndWriter implements StoreProgram {
  private static final int READERS = 4;
  private static final int COUNT = 50_000;
  private static final int SIZE = 150;
  private static final int READS = 4;

  @Override
  public int families() {
    return 2;
  }

  @Override
  public int threads() {
    return READERS + 1;
  }

  @Override
  public void prepare(ProgramStore store) throws Exception {
    for (int i = 0; i < COUNT; i++) {
      store.put(0, ProgramRows.key(i), ProgramRows.value(i, SIZE));
    }
  }

  @Override
  public Work work(ProgramStore store, int thread) {
    SplittableRandom random = new SplittableRandom(thread);
    if (thread == READERS) {
      return () -> {
        long number = random.nextInt(COUNT);
        store.put(0, ProgramRows.key(COUNT + number), ProgramRows.value(number, SIZE));
        store.put(1, ProgramRows.key(number), ProgramRows.value(number, SIZE));
        return number;
      };
    }
    return () -> {
      long sum = 0;
      for (int i = 0; i < READS; i++) {
        sum += ProgramRows.sum(store.get(0, ProgramRows.key(random.nextInt(COUNT))));
      }
      return sum;
    };
  }
}
