/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.options.CheckedSettings;
import org.rocksdbffm.internal.options.DatabaseKind;

/**
 * One database's part of a memory budget: the engine's manager of its memtables, which are charged to the budget's cache.
 * It goes with the last of those that hold it. Thread-safe.
 *
 * <p>A manager that databases share has a write to one flush and stall for what another has written. So each has its own.
 */
public final class MemoryShare {
  private static final String SIZE = "write_buffer_size";
  private static final String HISTORY = "max_write_buffer_size_to_maintain";
  private static final int SHORTEST_BLOCK = 4 << 10;
  private static final int LONGEST_BLOCK = 64 << 10; // shares become smaller when databases are opened
  private static final int LARGEST_PART = 32; // of the budget, for a memtable beyond half of a share
  private static final int STEP_PART = 16; // of the budget, that writes take at most when they pass
  private static final int BLOCKS = 32; // of which each family has one at least

  private final NativeBudget budget;
  private final int weight;
  private final MemorySegment manager;

  // Under the lock of the budget.
  private int holders = 1;
  private long ownLimit;
  private long lastUsage;
  private long stuckSince = System.nanoTime();
  private long passedAt;
  private boolean passes;

  /** The sizes of a memtable, of the blocks that it grows by, and of what is kept of flushed ones. */
  public record Memtables(long size, long block, long history) {}

  MemoryShare(NativeBudget budget, int weight, long limit, boolean stalls) {
    this.budget = budget;
    this.weight = weight;
    this.passes = !stalls;
    this.ownLimit = limit;
    this.manager = RocksDbC.rocksdb_write_buffer_manager_create_with_cache(limit, budget.pointer(), stalls);
    LiveObjects.MEMORY_SHARES.made();
  }

  int weight() {
    return weight;
  }

  /** Equal for databases that share one. */
  NativeBudget budget() {
    return budget;
  }

  /** How much the memtables may take, whatever other databases need. */
  public long limit() {
    synchronized (budget) {
      return ownLimit;
    }
  }

  void limit(long bytes) {
    ownLimit = bytes;
    RocksDbC.rocksdb_write_buffer_manager_set_buffer_size(manager, bytes);
  }

  long usage() {
    return RocksDbC.rocksdb_write_buffer_manager_memory_usage(manager);
  }

  /** Has whole options in the engine charge memtables to this, and blobs to its cache. */
  public void setIn(MemorySegment options) {
    RocksDbC.rocksdb_options_set_write_buffer_manager(options, manager);
    RocksDbC.rocksdb_options_set_blob_cache(options, budget.pointer());
  }

  /** The cache that is to serve all families. */
  public MemorySegment cache() {
    return budget.pointer();
  }

  /**
   * The sizes that have the memtables of a family fit into this, and into what others leave. One is flushed while the next is
   * written, and those that transactions look into stay for that.
   *
   * @param size that was asked for
   * @param history of memtables that are flushed; zero for what the kind of database needs
   */
  public Memtables fitting(DatabaseKind kind, long size, long history) {
    boolean keeps = kind.hasTransactions() || history != 0;
    long most = limit() / (keeps ? 4 : 2);
    long largest = keeps ? most : Math.max(most, whole() / LARGEST_PART);
    long fitting = size <= 0 ? largest : Math.min(size, largest);
    return new Memtables(
        fitting,
        Math.clamp(Math.min(fitting, most) / BLOCKS, SHORTEST_BLOCK, LONGEST_BLOCK),
        keeps && history <= 0 ? most : Math.min(history, most));
  }

  CheckedSettings fitting(DatabaseKind kind, CheckedSettings settings) {
    Memtables fitting = fitting(kind, settings.number(SIZE), settings.number(HISTORY));
    return settings.with(
        Map.of(SIZE, "" + fitting.size, "arena_block_size", "" + fitting.block, HISTORY, "" + fitting.history),
        Map.of("cache_index_and_filter_blocks", "true"));
  }

  /** The size of the budget that this is a share of. */
  public long whole() {
    return budget.limit();
  }

  /** How much of the budget cannot be dropped. */
  public long kept() {
    return RocksDbC.rocksdb_cache_get_pinned_usage(budget.pointer());
  }

  /** Lets writes pass until the next look, for a close that waits for one: it tries again and again, until that is over. */
  public void endStall() {
    synchronized (budget) {
      pass(true);
    }
  }

  /**
   * Sets what the memtables may take until the next look, and lets writes pass when no memory was freed for too long, for one
   * step. In the lock of the budget.
   */
  void look(double ownPart, long left, long most, long patience) {
    long now = usage();
    long limit = Math.clamp(now + left, (long) (ownLimit * ownPart), most);
    RocksDbC.rocksdb_write_buffer_manager_set_buffer_size(manager, limit);
    long step = Math.min(ownLimit, whole() / STEP_PART);
    boolean isStuck = now >= limit && (passes ? now <= passedAt + step : now >= lastUsage);
    lastUsage = now;
    if (!isStuck) {
      stuckSince = System.nanoTime();
    }
    boolean passed = passes;
    pass(patience == 0 || isStuck && System.nanoTime() - stuckSince >= patience);
    if (!passed) {
      passedAt = now;
    }
  }

  private void pass(boolean pass) {
    if (passes != pass) {
      passes = pass;
      RocksDbC.rocksdb_write_buffer_manager_set_allow_stall(manager, !pass);
    }
  }

  /** For another that holds it, from one that does. */
  public MemoryShare share() {
    synchronized (budget) {
      holders++;
      return this;
    }
  }

  /** Ends a hold. */
  public void release() {
    synchronized (budget) {
      holders--;
      if (holders == 0) {
        RocksDbC.rocksdb_write_buffer_manager_destroy(manager);
        LiveObjects.MEMORY_SHARES.gone();
        budget.leave(this);
      }
    }
  }
}
