/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * A block cache for several databases, to which their memtables are charged, up to half of the limit. Each database has
 * an equal share of that half, and may borrow what the others do not use. Unlike other shared objects, it is kept until
 * the last database is closed: new families still use it, and their writes may stall. Thread-safe.
 *
 * <p>The cache is smaller than the limit: one eighth is reserved for malloc's overhead, and up to another for the
 * buffers of flushes and compactions, which do not grow with the limit.
 *
 * <p>The cache is not strict: a strict one, when full, refuses the index of a new table, and the flush fails
 * permanently.
 *
 * <p>RocksDB stalls a write until memory is freed. That never happens if the writing thread has an iterator that
 * retains the memtables. So a thread of this object checks whether memory is being freed, and lets writes pass if that
 * takes too long.
 */
public final class NativeBudget extends NativeCache {
  /** The smallest and the largest limit. */
  public static final long LEAST = 8L << 20;

  public static final long MOST = 1L << 40;

  private static final long LEAST_SHARE = 512 << 10;
  private static final long LEAST_SHARD = 4L << 20; // each has a lock; charges of 256 KiB fill many shards unevenly
  private static final int MOST_SHARD_BITS = 6;
  private static final int LOOKS = 4;
  private static final long LONGEST_LOOK_MILLIS = 100;
  private static final long BETWEEN_TRIMS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final int TRIMMED_PART = 16;
  private static final int RESERVED_PART = 8;
  private static final int LENT_PART = 2; // lends half: several databases may borrow it before the next check
  private static final long MOST_BUFFERS = 32L << 20;

  /** The part of the limit that memtables and pins may fill together; pins are refused at three quarters. */
  private static final double GROWING_PART = 5 / 8.0;

  private volatile long limit;

  // Guarded by this.
  private final List<MemoryShare> shares = new ArrayList<>();
  private long patience = TimeUnit.SECONDS.toNanos(1);
  private boolean ended;
  private Thread watch;

  private NativeBudget(long limit, int shardBits) {
    super(sharded(counted(limit), shardBits), "memory budget", LiveObjects.MEMORY_BUDGETS);
    this.limit = limit;
  }

  public static NativeBudget of(long limit) {
    requireLimit("limit", limit);
    int bits = 0;
    while (bits < MOST_SHARD_BITS && limit >> bits + 1 >= LEAST_SHARD) {
      bits++;
    }
    return new NativeBudget(limit, bits);
  }

  private static long counted(long limit) {
    return limit - limit / RESERVED_PART - Math.min(limit / RESERVED_PART, MOST_BUFFERS);
  }

  private static void requireLimit(String parameter, long limit) {
    if (limit < LEAST || limit > MOST) {
      throw new IllegalArgumentException(
          parameter + ": " + limit + " bytes, but a memory budget has from " + LEAST + " to " + MOST);
    }
  }

  /**
   * Creates a share for a database that is being opened; its holders release it. Throws if shares would become too
   * small.
   */
  public MemoryShare join(int weight) {
    try (Call _ = enter()) {
      synchronized (this) {
        long weights = weights() + weight;
        int least = Math.min(weight, shares.stream().mapToInt(MemoryShare::weight).min().orElse(weight));
        requireShares(limit, weights, least);
        MemoryShare share = new MemoryShare(this, weight, LEAST_SHARE, patience != 0);
        shares.add(share);
        divide();
        if (watch == null) {
          watch = Thread.ofPlatform().daemon().name("stall watch of a " + name()).start(this::watch);
        }
        return share;
      }
    }
  }

  private static void requireShares(long limit, long weights, int least) {
    long smallest = limit / 2 / weights * least;
    if (smallest < LEAST_SHARE) {
      throw new IllegalStateException(
          "memory budget of " + limit + " bytes: the memtables of one of its databases would have " + smallest
              + " bytes, and the least is " + LEAST_SHARE + ": raise the budget, or have fewer databases open");
    }
  }

  private long weights() {
    return shares.stream().mapToLong(MemoryShare::weight).sum();
  }

  private void divide() {
    long weights = weights();
    shares.forEach(share -> share.limit(limit / 2 / weights * share.weight()));
  }

  synchronized void leave(MemoryShare share) {
    shares.remove(share);
    if (!shares.isEmpty()) {
      divide();
    } else if (ended) {
      destroy();
    }
    notifyAll();
  }

  @Override
  synchronized void end() {
    ended = true;
    if (shares.isEmpty()) {
      destroy();
    }
  }

  long limit() {
    return limit;
  }

  @Override
  public long capacity() {
    return ask(_ -> limit);
  }

  @Override
  public void setCapacity(long capacity) {
    requireLimit("capacity", capacity);
    use(cache -> {
      synchronized (this) {
        shares.stream().mapToInt(MemoryShare::weight).min().ifPresent(least -> requireShares(capacity, weights(), least));
        limit = capacity;
        RocksDbC.rocksdb_cache_set_capacity(cache, counted(capacity));
        divide();
      }
    });
  }

  /** Returns the bytes of all memtables, including flushed ones that iterators retain. */
  public long memtables() {
    return ask(cache -> {
      synchronized (this) {
        return shares.stream().mapToLong(MemoryShare::usage).sum();
      }
    });
  }

  public int databases() {
    return (int) ask(cache -> {
      synchronized (this) {
        return shares.size();
      }
    });
  }

  /** Returns the longest write stall in nanoseconds; zero if writes do not stall. */
  public long patience() {
    return ask(cache -> {
      synchronized (this) {
        return patience;
      }
    });
  }

  public void stallAtMost(long nanos) {
    use(cache -> {
      synchronized (this) {
        patience = nanos;
        look();
        notifyAll();
      }
    });
  }

  /** Sets each share's limit until the next check; returns the bytes of all memtables. */
  private long look() {
    long now = shares.stream().mapToLong(MemoryShare::usage).sum();
    long pins = RocksDbC.rocksdb_cache_get_pinned_usage(pointer()) - now;
    long half = limit / 2;
    long most = Math.clamp((long) (limit * GROWING_PART) - pins, half / 2, half);
    shares.forEach(share -> share.look((double) most / half, (most - now) / LENT_PART, most, patience));
    return now;
  }

  private void watch() {
    boolean isNeeded = true;
    while (isNeeded) {
      try {
        isNeeded = awaitChange();
        NativeLibrary.trimMemory();
      } catch (OutOfMemoryError | LinkageError heapIsFull) {
        continue; // writes that stall need the thread
      }
    }
  }

  /**
   * Checks the shares until memtables have changed by a part of the limit; returns false if there are no shares left.
   */
  private synchronized boolean awaitChange() {
    long began = System.nanoTime();
    long changed = 0;
    long before = -1;
    while (changed < limit / TRIMMED_PART || System.nanoTime() - began < BETWEEN_TRIMS) {
      if (shares.isEmpty()) {
        watch = null;
        return false;
      }
      long now = look();
      changed += before == -1 ? 0 : Math.abs(now - before);
      before = now;
      long millis = patience == 0 ? LONGEST_LOOK_MILLIS : TimeUnit.NANOSECONDS.toMillis(patience / LOOKS);
      try {
        wait(Math.clamp(millis, 1, LONGEST_LOOK_MILLIS));
      } catch (InterruptedException e) {
        continue; // nothing interrupts this thread
      }
    }
    return true;
  }
}
