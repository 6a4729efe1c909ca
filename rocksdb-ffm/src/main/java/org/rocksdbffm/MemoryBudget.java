/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.rocksdbffm.internal.settings.NativeBudget;

/**
 * A common limit of the memory of several databases: their common block cache, to which their memtables are charged.
 * Its owner closes it; databases opened with it keep their share. Thread-safe.
 *
 * <pre>{@code
 * MemoryBudget budget = MemoryBudget.of(ByteSize.mib(512));
 * RocksDb db = RocksDb.at(folder).options(DatabaseOptions.defaults().memoryBudget(budget)).open();
 * }</pre>
 *
 * <p>At most half of it is for memtables, in equal shares, or by
 * {@linkplain DatabaseOptions#memoryBudget(MemoryBudget, int) weight}: shares shrink when a database is opened, and
 * grow when one is closed. A database may also use other databases' unused shares, until they need them. When both are
 * used up, it flushes, and its own writes wait for the flush, but never other databases' writes. Another quarter is for
 * blocks, indexes, filters and blobs, which are evicted unless pinned values and cursors use them. Blocks, indexes,
 * filters and blobs may use more; memtables then get less, but at least a quarter. If the memtables and the entries in
 * use together exceed three quarters of the budget, pins and new cursors and scans fail with a
 * {@link PinLimitException}. Other reads never fail because of the budget. A batch larger than the share is written
 * nevertheless, and a database that is opened read-only has its whole WAL in memory; both are counted.
 *
 * <p>The last quarter, or an eighth and 32 MiB, is for memory that the budget does not count: freed memory that malloc
 * retains, which glibc is asked to return; batches and transactions until they are written; memory of cursors besides
 * their blocks; copies of pinned values; some kilobytes for each open table; and buffers of flushes and compactions. A
 * process that needs more memory for these purposes exceeds the budget. The Java heap, and all memory outside of the
 * engine, comes on top.
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
   * Creates a budget.
   *
   * @param limit from 8 MiB to 1024 GiB, and at least 1 MiB for each database
   * @return the budget, which the caller <em>owns</em> and must close
   * @throws IllegalArgumentException if the limit is out of range
   */
  public static MemoryBudget of(ByteSize limit) {
    return new MemoryBudget(NativeBudget.of(requireNonNull(limit, "limit").bytes()));
  }

  NativeBudget nativeBudget() {
    return budget;
  }

  /**
   * Sets how long a write waits while its database uses too much memory, and none of it is freed. A flush frees memory
   * only after the iterators over the flushed memtables are closed, so the wait is limited. After that, writes continue
   * without waiting until memory is freed, or until they have used another sixteenth of the budget, or the size of the
   * share if that is less.
   *
   * @param longest from 10 milliseconds to an hour, initially a second; zero if writes must never wait
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
   * Returns how long a write waits while its database uses more than its share.
   *
   * @return the longest wait; zero if writes do not wait
   */
  public Duration longestStall() {
    return Duration.ofNanos(budget.patience());
  }

  /**
   * Returns the memory of all memtables, including flushed ones that iterators retain. It is part of the
   * {@link #usage}, in steps of 256 KiB for each database.
   *
   * @return the current size
   */
  public ByteSize memtables() {
    return ByteSize.bytes(budget.memtables());
  }

  /**
   * Returns the number of databases with a share.
   *
   * @return the number of databases that are open, or being opened
   */
  public int databases() {
    return budget.databases();
  }
}
