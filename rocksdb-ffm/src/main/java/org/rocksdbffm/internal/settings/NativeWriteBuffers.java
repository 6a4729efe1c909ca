/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * A limit of the memory that memtables take together. Unlike other things that databases share, it is kept until the last
 * of its databases is gone, for writes may stall on it and somebody has to watch over them. Thread-safe.
 *
 * <p>The engine lets a stalled write wait until memory is freed. It never is where memtables are kept by an iterator of
 * the thread that writes, or belong to a database that nobody writes to, which has its memtables flushed by its next
 * write alone. So a thread of this object looks how long the limit is exceeded, and lets writes pass it when that takes
 * too long.
 */
public final class NativeWriteBuffers extends NativeShare {
  private static final long LONGEST_LOOK_NANOS = 100_000_000;
  private static final int LOOKS = 4;
  private static final long MILLI = 1_000_000;

  private final boolean chargesCache;

  // Under the lock of this object.
  private int shares = 1;
  private long patience;
  private Thread watch;
  private boolean lets;

  private NativeWriteBuffers(MemorySegment buffers, boolean chargesCache) {
    super(buffers, "write buffer manager", LiveObjects.WRITE_BUFFER_MANAGERS);
    this.chargesCache = chargesCache;
  }

  public static NativeWriteBuffers of(long limit) {
    NativeLibrary.load();
    return new NativeWriteBuffers(RocksDbC.rocksdb_write_buffer_manager_create(limit, false), false);
  }

  /** A limit of memory that takes room in a block cache, of which it has a share. */
  public static NativeWriteBuffers chargedTo(NativeCache cache, long limit) {
    try (Call _ = cache.enter()) {
      return new NativeWriteBuffers(
          RocksDbC.rocksdb_write_buffer_manager_create_with_cache(limit, cache.pointer(), false), true);
    }
  }

  public long limit() {
    return ask(RocksDbC::rocksdb_write_buffer_manager_buffer_size);
  }

  public void setLimit(long bytes) {
    use(buffers -> RocksDbC.rocksdb_write_buffer_manager_set_buffer_size(buffers, bytes));
  }

  public long usage() {
    return ask(RocksDbC::rocksdb_write_buffer_manager_memory_usage);
  }

  public long activeUsage() {
    return ask(RocksDbC::rocksdb_write_buffer_manager_mutable_memtable_memory_usage);
  }

  public long cacheUsage() {
    return ask(buffers -> chargesCache ? RocksDbC.rocksdb_write_buffer_manager_dummy_entries_in_cache_usage(buffers) : 0);
  }

  /** How long a write may stall, in nanoseconds; zero if it does not. */
  public long patience() {
    return ask(buffers -> {
      synchronized (this) {
        return patience;
      }
    });
  }

  /** Lets writes stall while the limit is exceeded, but no longer than this; zero for never. */
  public void stallAtMost(long nanos) {
    use(buffers -> {
      synchronized (this) {
        if (nanos != 0 && watch == null) {
          watch = Thread.ofPlatform().daemon().name("stall watch of a " + name()).start(this::watch);
        }
        patience = nanos;
        lets = false;
        RocksDbC.rocksdb_write_buffer_manager_set_allow_stall(buffers, nanos != 0);
        notifyAll();
      }
    });
  }

  private synchronized void watch() {
    long since = 0;
    while (shares != 0 && patience != 0) {
      if (RocksDbC.rocksdb_write_buffer_manager_memory_usage(pointer())
          < RocksDbC.rocksdb_write_buffer_manager_buffer_size(pointer())) {
        since = 0;
      } else if (since == 0) {
        since = System.nanoTime() | 1;
      }
      let(since != 0 && System.nanoTime() - since >= patience);
      try {
        wait(Math.max(1, Math.min(LONGEST_LOOK_NANOS, patience / LOOKS) / MILLI));
      } catch (InterruptedException e) {
        continue; // a thread that nobody has a reason to interrupt
      }
    }
    watch = null;
  }

  /** Lets writes pass until the next look, for a close that waits for one: it tries again and again, until that is over. */
  public synchronized void endStall() {
    if (watch != null && patience != 0) {
      let(true);
    }
  }

  private void let(boolean pass) {
    if (lets != pass) {
      lets = pass;
      RocksDbC.rocksdb_write_buffer_manager_set_allow_stall(pointer(), !pass);
    }
  }

  /** A share for something that has one already, or is entered. */
  public synchronized NativeWriteBuffers share() {
    shares++;
    return this;
  }

  /** Gives up a share. */
  public synchronized void release() {
    shares--;
    if (shares == 0) {
      notifyAll();
      destroy();
    }
  }

  @Override
  void end() {
    release();
  }

  @Override
  void destroy(MemorySegment buffers) {
    RocksDbC.rocksdb_write_buffer_manager_destroy(buffers);
  }
}
