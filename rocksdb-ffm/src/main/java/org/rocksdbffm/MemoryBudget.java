/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.rocksdbffm.internal.settings.NativeBudget;

/**
 * One bound on the memory of any number of databases: a block cache for all of them, to which their memtables are charged.
 * Its owner closes it; databases opened with it keep their share. Thread-safe.
 *
 * <pre>{@code
 * MemoryBudget budget = MemoryBudget.of(ByteSize.mib(512));
 * RocksDb db = RocksDb.at(folder).options(DatabaseOptions.defaults().memoryBudget(budget)).open();
 * }</pre>
 *
 * <p>Half of it at most is for memtables, in equal shares, or by {@linkplain DatabaseOptions#memoryBudget(MemoryBudget, int)
 * weight}: they become smaller when a database is opened, and larger when one is closed. A database may use
 * what others leave of theirs, too, until they need it. One that has used up both flushes, and its own writes wait for that,
 * never those of another. A quarter more is for blocks, indexes, filters and blobs, which are dropped for others unless
 * pinned values and cursors use them. Those may use more, and memtables give way, down to a quarter. When both have more
 * than three quarters of the budget, pins and new cursors and scans fail with a {@link PinLimitException}. Other reads
 * never fail for it. A batch larger than the share is written all the same, and a database that is opened for reading alone
 * has all of its log in memory; both are counted.
 *
 * <p>The last quarter, or an eighth and 32 MiB, is for what it does not count: freed memory that malloc keeps, which glibc is
 * asked to return, batches and transactions until they are written, what cursors have beside their blocks, values that are
 * pinned as copies, some kilobytes for each open table, and buffers of flushes and compactions. A process that needs more for
 * these exceeds it. Java's heap, and all else that is not the engine's, comes on top.
 */
public final class MemoryBudget extends SharedCache {
  private static final Duration SHORTEST_STALL = Duration.ofMillis(10);
  private static final Duration LONGEST_STALL = Duration.ofHours(1);

  private final NativeBudget budget;

  private MemoryBudget(NativeBudget budget) {
    super(budget);
    this.budget = budget;
  }

  /**
   * Makes a budget.
   *
   * @param limit from 8 MiB to 1024 GiB, and at least 1 MiB for each database
   * @return the budget, which the caller <em>owns</em> and must close
   */
  public static MemoryBudget of(ByteSize limit) {
    return new MemoryBudget(NativeBudget.of(requireNonNull(limit, "limit").bytes()));
  }

  NativeBudget nativeBudget() {
    return budget;
  }

  /**
   * Sets how long a write waits while its database uses too much, and nothing of it is freed. A flush frees memory, but not
   * before the iterators are closed that read what was flushed. So the wait has an end: after it writes pass, until less is
   * in use, or a sixteenth of the budget more, or once more as much as the share.
   *
   * @param longest from 10 milliseconds to an hour, a second at first; zero for writes that never wait
   */
  public void stallAtMost(Duration longest) {
    if (!requireNonNull(longest, "longest").isZero()
        && (longest.compareTo(SHORTEST_STALL) < 0 || longest.compareTo(LONGEST_STALL) > 0)) {
      throw new IllegalArgumentException(
          "longest: " + longest + ", but writes wait from " + SHORTEST_STALL + " to " + LONGEST_STALL + ", or not at all");
    }
    budget.stallAtMost(longest.toNanos());
  }

  /**
   * How long a write waits while its database uses more than its share.
   *
   * @return the longest wait; zero if there is none
   */
  public Duration longestStall() {
    return Duration.ofNanos(budget.patience());
  }

  /**
   * The memory of all memtables, those that are flushed and kept for iterators too. It is part of the {@link #usage}, in
   * steps of 256 KiB for each database.
   *
   * @return the size of what is in use
   */
  public ByteSize memtables() {
    return ByteSize.bytes(budget.memtables());
  }

  /**
   * How many databases have a share.
   *
   * @return the count of those that are open, or being opened
   */
  public int databases() {
    return budget.databases();
  }
}
