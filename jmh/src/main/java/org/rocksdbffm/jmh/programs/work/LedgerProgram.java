/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.work;

import java.util.SplittableRandom;
import org.rocksdbffm.jmh.programs.store.ProgramStore;
import org.rocksdbffm.jmh.programs.store.StoreBatch;
import org.rocksdbffm.jmh.programs.store.StoreRows;

/**
 * A ledger: a transfer reads two accounts, and writes both and an entry. A balance at a time is read from the last
 * entry at or before that time. A statement reads an account's latest entries.
 */
final class LedgerProgram implements StoreProgram {
  private static final int ACCOUNTS = 0;
  private static final int ENTRIES = 1;
  private static final int COUNT = 20_000;
  private static final int TRANSFERS = 1;
  private static final int BALANCES = 4;
  private static final int LINES = 5;
  private static final int ENTRY = 120;
  private static final int ACCOUNT = 200;

  @Override
  public int families() {
    return 2;
  }

  @Override
  public void prepare(ProgramStore store) throws Exception {
    for (int i = 0; i < COUNT; i++) {
      store.put(ACCOUNTS, ProgramRows.key(i), ProgramRows.value(i, ACCOUNT));
      store.put(ENTRIES, ProgramRows.key(i, 0), ProgramRows.value(i, ENTRY));
    }
  }

  @Override
  public Work work(ProgramStore store, int thread) {
    return new Books(store);
  }

  private static final class Books implements Work {
    private final ProgramStore store;
    private final SplittableRandom random = new SplittableRandom(2);
    private long time = 1;

    Books(ProgramStore store) {
      this.store = store;
    }

    @Override
    public long step() throws Exception {
      long sum = 0;
      for (int i = 0; i < TRANSFERS; i++) {
        sum += transfer(random.nextInt(COUNT), random.nextInt(COUNT));
      }
      for (int i = 0; i < BALANCES; i++) {
        sum += i % 2 == 0 ? floor(random.nextInt(COUNT)) : ceiling(random.nextInt(COUNT));
      }
      return sum + statement(random.nextInt(COUNT));
    }

    private long transfer(long from, long to) throws Exception {
      long sum = ProgramRows.sum(store.get(ACCOUNTS, ProgramRows.key(from)))
          + ProgramRows.sum(store.get(ACCOUNTS, ProgramRows.key(to)));
      try (StoreBatch batch = store.batch()) {
        batch.put(ACCOUNTS, ProgramRows.key(from), ProgramRows.value(sum, ACCOUNT));
        batch.put(ACCOUNTS, ProgramRows.key(to), ProgramRows.value(~sum, ACCOUNT));
        batch.put(ENTRIES, ProgramRows.key(from, time), ProgramRows.value(time, ENTRY));
        batch.put(ENTRIES, ProgramRows.key(to, time), ProgramRows.value(-time, ENTRY));
        store.write(batch);
      }
      time++;
      return sum;
    }

    private long floor(long account) {
      try (StoreRows rows = store.rows(ENTRIES)) {
        return rows.seekForPrevious(ProgramRows.key(account, random.nextLong(time))) ? ProgramRows.sum(rows.value())
            : 0;
      }
    }

    private long ceiling(long account) {
      try (StoreRows rows = store.rows(ENTRIES)) {
        return rows.seek(ProgramRows.key(account, random.nextLong(time))) ? ProgramRows.sum(rows.key()) : 0;
      }
    }

    private long statement(long account) {
      byte[] prefix = ProgramRows.key(account);
      long sum = 0;
      try (StoreRows rows = store.rows(ENTRIES)) {
        int lines = 0;
        for (boolean is = rows.seekForPrevious(ProgramRows.key(account, Long.MAX_VALUE));
            is && lines < LINES && ProgramRows.beginsWith(rows.key(), prefix);
            is = rows.previous(), lines++) {
          sum += ProgramRows.sum(rows.value());
        }
      }
      return sum;
    }
  }
}
