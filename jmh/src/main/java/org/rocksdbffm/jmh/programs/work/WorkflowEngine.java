/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.work;

import java.util.SplittableRandom;
import org.rocksdbffm.jmh.programs.store.Store;
import org.rocksdbffm.jmh.programs.store.StoreRows;
import org.rocksdbffm.jmh.programs.store.StoreTransaction;

/**
 * The store of a workflow engine: each command is a short transaction, which updates an instance, adds a job and
 * variables, and searches rows by prefix, including its own writes.
 */
final class WorkflowEngine implements Program {
  private static final int INSTANCES = 0;
  private static final int JOBS = 1;
  private static final int VARIABLES = 2;
  private static final int COUNT = 5_000;
  private static final int VARIABLES_EACH = 6;
  private static final int MOST_JOBS = 4;
  private static final int SIZE = 150;

  @Override
  public Store.Kind kind() {
    return Store.Kind.OPTIMISTIC;
  }

  @Override
  public int families() {
    return 3;
  }

  @Override
  public void prepare(Store store) throws Exception {
    for (int i = 0; i < COUNT; i++) {
      store.put(INSTANCES, Bytes.key(i), Bytes.value(i, SIZE));
      for (int variable = 0; variable < VARIABLES_EACH; variable++) {
        store.put(VARIABLES, Bytes.key(i, variable), Bytes.value(variable, SIZE));
      }
    }
  }

  @Override
  public Work work(Store store, int thread) {
    return new Commands(store);
  }

  private static final class Commands implements Work {
    private final Store store;
    private final SplittableRandom random = new SplittableRandom(3);
    private long jobs;

    Commands(Store store) {
      this.store = store;
    }

    @Override
    public long step() throws Exception {
      long instance = random.nextInt(COUNT);
      byte[] key = Bytes.key(instance);
      long sum;
      try (StoreTransaction transaction = store.begin()) {
        sum = Bytes.sum(transaction.get(INSTANCES, key));
        transaction.put(INSTANCES, key, Bytes.value(sum, SIZE));
        transaction.put(JOBS, Bytes.key(instance, jobs), Bytes.value(jobs, SIZE));
        transaction.put(VARIABLES, Bytes.key(instance, jobs % VARIABLES_EACH), Bytes.value(jobs, SIZE));
        jobs++;
        sum += variables(transaction, key);
        sum += finishJobs(transaction, key);
        transaction.commit();
      }
      return sum;
    }

    private static long variables(StoreTransaction transaction, byte[] prefix) {
      long sum = 0;
      try (StoreRows rows = transaction.rows(VARIABLES)) {
        for (boolean is = rows.seek(prefix); is && Bytes.beginsWith(rows.key(), prefix); is = rows.next()) {
          sum += Bytes.sum(rows.value());
        }
      }
      return sum;
    }

    private static long finishJobs(StoreTransaction transaction, byte[] prefix) throws Exception {
      long found = 0;
      byte[] oldest = null;
      try (StoreRows rows = transaction.rows(JOBS)) {
        for (boolean is = rows.seek(prefix); is && Bytes.beginsWith(rows.key(), prefix); is = rows.next()) {
          oldest = found++ == 0 ? rows.key() : oldest;
        }
      }
      if (found > MOST_JOBS) {
        transaction.delete(JOBS, oldest);
      }
      return found;
    }
  }
}
