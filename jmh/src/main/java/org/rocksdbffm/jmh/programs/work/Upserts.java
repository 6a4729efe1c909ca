/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.work;

import java.util.SplittableRandom;
import org.rocksdbffm.jmh.programs.store.ProgramStore;
import org.rocksdbffm.jmh.programs.store.StoreTransaction;

/** Upserts, each in a separate transaction, which locks and reads the row, and overwrites it. */
final class Upserts implements StoreProgram {
  private static final int COUNT = 100_000;
  private static final int SIZE = 100;

  @Override
  public ProgramStore.Kind kind() {
    return ProgramStore.Kind.LOCKING;
  }

  @Override
  public void prepare(ProgramStore store) {} // the first upserts insert

  @Override
  public Work work(ProgramStore store, int thread) {
    SplittableRandom random = new SplittableRandom(4);
    return () -> {
      byte[] key = ProgramRows.key(random.nextInt(COUNT));
      try (StoreTransaction transaction = store.begin()) {
        long sum = ProgramRows.sum(transaction.getForUpdate(0, key));
        transaction.put(0, key, ProgramRows.value(sum, SIZE));
        transaction.commit();
        return sum;
      }
    };
  }
}
