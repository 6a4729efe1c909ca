/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.work;

import java.util.SplittableRandom;
import org.rocksdbffm.jmh.programs.store.Store;
import org.rocksdbffm.jmh.programs.store.StoreTransaction;

/** Upserts, each in a separate transaction, which locks and reads the row, and overwrites it. */
final class Upserts implements Program {
  private static final int COUNT = 100_000;
  private static final int SIZE = 100;

  @Override
  public Store.Kind kind() {
    return Store.Kind.LOCKING;
  }

  @Override
  public void prepare(Store store) {} // the first upserts insert

  @Override
  public Work work(Store store, int thread) {
    SplittableRandom random = new SplittableRandom(4);
    return () -> {
      byte[] key = Bytes.key(random.nextInt(COUNT));
      try (StoreTransaction transaction = store.begin()) {
        long sum = Bytes.sum(transaction.getForUpdate(0, key));
        transaction.put(0, key, Bytes.value(sum, SIZE));
        transaction.commit();
        return sum;
      }
    };
  }
}
