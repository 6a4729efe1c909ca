/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.work;

import java.util.SplittableRandom;
import org.rocksdbffm.jmh.programs.store.ProgramStore;
import org.rocksdbffm.jmh.programs.store.StoreRows;
import org.rocksdbffm.jmh.programs.store.StoreTransaction;

/**
 * The store of a workflow engine: each command is a short transaction, which updates an instance, adds a job and
 * variables, and searches rows by prefix, including its own writes.
 */
final class WorkflowEngine implements StoreProgram {
  private static final int INSTANCES = 0;
  private static final int JOBS = 1;
  private static final int VARIABLES = 2;
  private static final int COUNT = 5_000;
  private static final int VARIABLES_EACH = 6;
  private static final int MOST_JOBS = 4;
  private static final int SIZE = 150;

  @Override
  public ProgramStore.Kind kind() {
    return ProgramStore.Kind.OPTIMISTIC;
  }

  @Override
  public int families() {
    return 3;
  }

  @Override
  public void prepare(ProgramStore store) throws Exception {
    for (int i = 0; i < COUNT; i++) {
      store.put(INSTANCES, ProgramRows.key(i), ProgramRows.value(i, SIZE));
      for (int variable = 0; variable < VARIABLES_EACH; variable++) {
        store.put(VARIABLES, ProgramRows.key(i, variable), ProgramRows.value(variable, SIZE));
      }
    }
  }

  @Override
  public Work work(ProgramStore store, int thread) {
    return new Commands(store);
  }

  private static final class Commands implements Work {
    private final ProgramStore store;
    private final SplittableRandom random = new SplittableRandom(3);
    private long jobs;

    Commands(ProgramStore store) {
      this.store = store;
    }

    @Override
    public long step() throws Exception {
      long instance = random.nextInt(COUNT);
      byte[] key = ProgramRows.key(instance);
      long sum;
      try (StoreTransaction transaction = store.begin()) {
        sum = ProgramRows.sum(transaction.get(INSTANCES, key));
        transaction.put(INSTANCES, key, ProgramRows.value(sum, SIZE));
        transaction.put(JOBS, ProgramRows.key(instance, jobs), ProgramRows.value(jobs, SIZE));
        transaction.put(VARIABLES, ProgramRows.key(instance, jobs % VARIABLES_EACH), ProgramRows.value(jobs, SIZE));
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
        for (boolean is = rows.seek(prefix); is && ProgramRows.beginsWith(rows.key(), prefix); is = rows.next()) {
          sum += ProgramRows.sum(rows.value());
        }
      }
      return sum;
    }

    private static long finishJobs(StoreTransaction transaction, byte[] prefix) throws Exception {
      long found = 0;
      byte[] oldest = null;
      try (StoreRows rows = transaction.rows(JOBS)) {
        for (boolean is = rows.seek(prefix); is && ProgramRows.beginsWith(rows.key(), prefix); is = rows.next()) {
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
