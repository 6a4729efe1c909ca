/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.lifetime.RefCounted;
import org.rocksdbffm.internal.lifetime.Shared;
import org.rocksdbffm.internal.options.CheckedSettings;
import org.rocksdbffm.internal.options.DatabaseKind;

/**
 * One database's share of a memory budget: a RocksDB write buffer manager, which charges the memtables to the budget's
 * cache. Destroyed when its last holder releases it. Thread-safe.
 *
 * <p>With one manager for several databases, a write to one would flush and stall because of writes to another. So each
 * database has a separate manager.
 */
public final class MemoryShare implements Shared {
  private static final String SIZE = "write_buffer_size";
  private static final String HISTORY = "max_write_buffer_size_to_maintain";
  private static final int SHORTEST_BLOCK = 4 << 10;
  private static final int LONGEST_BLOCK = 64 << 10; // the largest block of a memtable's arena
  private static final int LARGEST_PART = 32; // divisor of the budget: a memtable may have this part, even if it exceeds half of the share
  private static final int STEP_PART = 16; // divisor of the budget: the most that passing writes may add in one step
  private static final int BLOCKS = 32; // each family has at least one

  private final NativeBudget budget;
  private final int weight;
  private final MemorySegment manager;

  private final RefCounted holders = new RefCounted();

  // Guarded by the budget.
  private long ownLimit;
  private long lastUsage;
  private long stuckSince = System.nanoTime();
  private long passedAt;
  private boolean passes;

  /** The sizes of a memtable, of its arena blocks, and of the flushed memtables that are kept. */
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

  /** Returns the budget; equal for databases that share one. */
  NativeBudget budget() {
    return budget;
  }

  /** Returns the part of the budget that is reserved for the memtables of this database. */
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

  /** Makes options charge memtables to this share, and use the budget's cache for blobs. */
  public void setIn(MemorySegment options) {
    RocksDbC.rocksdb_options_set_write_buffer_manager(options, manager);
    RocksDbC.rocksdb_options_set_blob_cache(options, budget.pointer());
  }

  /** Returns the block cache for all families. */
  public MemorySegment cache() {
    return budget.pointer();
  }

  /**
   * Reduces the sizes of a family's memtables so that two of them, one being flushed while the next is written, and the
   * flushed ones that transactions need, fit into this share.
   *
   * @param size the configured memtable size; not positive if none is
   * @param history the configured size of flushed memtables to keep; zero for the default of the database kind
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

  /** Returns the size of the whole budget. */
  public long whole() {
    return budget.limit();
  }

  /** Returns the bytes of the budget's cache that cannot be evicted. */
  public long kept() {
    return RocksDbC.rocksdb_cache_get_pinned_usage(budget.pointer());
  }

  /**
   * Stops stalling writes until the next {@link #look}. A close that waits for a stalled write calls this repeatedly.
   */
  public void endStall() {
    synchronized (budget) {
      pass(true);
    }
  }

  /**
   * Sets the memtable limit until the next check. If no memory was freed for too long, allows writes to exceed the
   * limit by one step. Guarded by the budget.
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

  /** Adds a holder. */
  public MemoryShare share() {
    holders.retain();
    return this;
  }

  /** Removes a holder. */
  @Override
  public void release() {
    if (holders.release()) {
      synchronized (budget) { // the budget reads the usages of its shares under this lock
        RocksDbC.rocksdb_write_buffer_manager_destroy(manager);
        LiveObjects.MEMORY_SHARES.freed();
        budget.leave(this);
      }
    }
  }
}
