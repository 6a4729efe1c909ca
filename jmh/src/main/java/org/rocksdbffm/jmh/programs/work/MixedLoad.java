/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.work;

import java.util.SplittableRandom;
import org.rocksdbffm.jmh.programs.store.ProgramStore;
import org.rocksdbffm.jmh.programs.store.StoreBatch;

/** Two threads that read, write, delete and scan rows of four families; the number of rows stays about constant. */
final class MixedLoad implements StoreProgram {
  private static final int FAMILIES = 4;
  private static final int THREADS = 2;
  private static final int COUNT = 50_000;
  private static final int SMALLEST = 100;
  private static final int LARGEST = 1000;
  private static final int SCANNED = 20;
  private static final int BATCHED = 5;
  private static final int GETS = 60; // the steps in a hundred, like the following constants
  private static final int PUTS = 25;
  private static final int DELETES = 3;
  private static final int SCANS = 7;

  @Override
  public int families() {
    return FAMILIES;
  }

  @Override
  public int threads() {
    return THREADS;
  }

  @Override
  public void prepare(ProgramStore store) throws Exception {
    SplittableRandom random = new SplittableRandom(0);
    for (int family = 0; family < FAMILIES; family++) {
      for (int i = 0; i < COUNT; i++) {
        store.put(family, ProgramRows.key(i), value(random));
      }
    }
  }

  private static byte[] value(SplittableRandom random) {
    return ProgramRows.value(random.nextLong(), random.nextInt(SMALLEST, LARGEST));
  }

  @Override
  public Work work(ProgramStore store, int thread) {
    SplittableRandom random = new SplittableRandom(thread);
    return () -> {
      int family = random.nextInt(FAMILIES);
      byte[] key = ProgramRows.key(random.nextInt(COUNT));
      int kind = random.nextInt(100);
      if (kind < GETS) {
        return ProgramRows.sum(store.get(family, key));
      } else if (kind < GETS + PUTS) {
        store.put(family, key, value(random));
      } else if (kind < GETS + PUTS + DELETES) {
        store.delete(family, key);
      } else if (kind < GETS + PUTS + DELETES + SCANS) {
        return scan(store, family, key);
      } else {
        write(store, random);
      }
      return 0;
    };
  }

  private static long scan(ProgramStore store, int family, byte[] from) throws Exception {
    long[] sum = new long[1];
    store.scan(family, from, SCANNED, (key, value) -> {
      sum[0] += ProgramRows.sum(value);
      return true;
    });
    return sum[0];
  }

  private static void write(ProgramStore store, SplittableRandom random) throws Exception {
    try (StoreBatch batch = store.batch()) {
      for (int i = 0; i < BATCHED; i++) {
        batch.put(random.nextInt(FAMILIES), ProgramRows.key(random.nextInt(COUNT)), value(random));
      }
      store.write(batch);
    }
  }
}
