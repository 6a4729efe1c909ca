/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.work;

import java.util.SplittableRandom;
import org.rocksdbffm.jmh.programs.store.ProgramStore;
import org.rocksdbffm.jmh.programs.store.StoreBatch;

/**
 * The log of a Raft group: entries are appended in batches, read by index for followers, truncated at the end when the
 * leader changes, and at the start after a snapshot.
 */
final class RaftLog implements StoreProgram {
  private static final int STATE = 0;
  private static final int LOG = 1;
  private static final byte[] HARD_STATE = {0};
  private static final int MOST_ENTRIES = 16;
  private static final int READS = 12;
  private static final int CUT_EVERY = 512;
  private static final int DROP_EVERY = 2048;
  private static final int KEPT = 4096;
  private static final int SMALLEST = 64;
  private static final int SIZES = 960;

  @Override
  public int families() {
    return 2;
  }

  @Override
  public void prepare(ProgramStore store) {} // the log is empty at the start

  @Override
  public Work work(ProgramStore store, int thread) {
    return new Group(store);
  }

  private static final class Group implements Work {
    private final ProgramStore store;
    private final SplittableRandom random = new SplittableRandom(1);
    private long first = 1;
    private long next = 1;
    private long term = 1;
    private long steps;

    Group(ProgramStore store) {
      this.store = store;
    }

    @Override
    public long step() throws Exception {
      steps++;
      if (steps % CUT_EVERY == 0) {
        cut();
      }
      append(1 + random.nextInt(MOST_ENTRIES));
      if (steps % DROP_EVERY == 0) {
        drop();
      }
      return readBack();
    }

    private void append(int entries) throws Exception {
      try (StoreBatch batch = store.batch()) {
        for (int i = 0; i < entries; i++) {
          batch.put(LOG, ProgramRows.key(next), ProgramRows.value(next + term, SMALLEST + random.nextInt(SIZES)));
          next++;
        }
        batch.put(STATE, HARD_STATE, ProgramRows.key(term, next - 1));
        store.write(batch);
      }
    }

    private long readBack() throws Exception {
      long sum = ProgramRows.sum(store.get(STATE, HARD_STATE));
      for (int i = 0; i < READS; i++) {
        long back = Math.min(next - first, 1 + random.nextInt(i < READS / 2 ? MOST_ENTRIES : KEPT));
        sum += ProgramRows.sum(store.get(LOG, ProgramRows.key(next - back)));
      }
      return sum;
    }

    private void cut() throws Exception {
      long from = Math.max(first, next - 1 - random.nextInt(MOST_ENTRIES));
      term++;
      store.deleteRange(LOG, ProgramRows.key(from), ProgramRows.key(next));
      next = from;
    }

    private void drop() throws Exception {
      long until = Math.max(first, next - KEPT);
      store.deleteRange(LOG, ProgramRows.key(first), ProgramRows.key(until));
      first = until;
    }
  }
}
