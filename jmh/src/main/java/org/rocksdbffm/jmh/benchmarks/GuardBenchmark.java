/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.benchmarks;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * Measures the cost of preventing a close of a handle during a call: with this library's guard and with alternatives,
 * around an empty body; and around a downcall into an almost empty function, without a guard, with a guard, and with a
 * segment whose arena the linker keeps alive. Run it with several numbers of threads ({@code -t}).
 */
public class GuardBenchmark extends MeasuredState {
  /** The guards, counters and memory that all threads share. */
  @State(Scope.Benchmark)
  public static class Shared {
    private final StripedInFlight striped = new StripedInFlight();
    private final ReadWriteLock readWriteLock = new ReentrantReadWriteLock();
    private final StampedLock stampedLock = new StampedLock();
    private final AtomicLong counter = new AtomicLong();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment sharedCell = arena.allocate(ValueLayout.JAVA_LONG);
    private final MemorySegment addressOfCell = MemorySegment.ofAddress(sharedCell.address());
    private volatile boolean closed;
    private Handle handle;

    @Setup(Level.Trial)
    public void load() {
      NativeLibrary.load();
      handle = new Handle("what is guarded");
    }

    @TearDown(Level.Trial)
    public void close() {
      closed = true;
      striped.close();
      handle.close();
      arena.close();
    }

    private void requireOpen() {
      if (closed) {
        throw new IllegalStateException("closed");
      }
    }
  }

  /** Only checks whether the handle is closed. */
  @Benchmark
  public void nothing(Shared shared) {
    shared.requireOpen();
  }

  @Benchmark
  public void call(Shared shared) {
    Call call = Call.enter(shared.handle);
    call.exit();
  }

  @Benchmark
  public void stripedCounters(Shared shared) {
    int stripe = shared.striped.enter();
    shared.striped.exit(stripe);
  }

  @Benchmark
  public void atomicLong(Shared shared) {
    shared.counter.getAndIncrement();
    shared.requireOpen();
    shared.counter.getAndDecrement();
  }

  @Benchmark
  public void readWriteLock(Shared shared) {
    shared.readWriteLock.readLock().lock();
    shared.requireOpen();
    shared.readWriteLock.readLock().unlock();
  }

  @Benchmark
  public void stampedLock(Shared shared) {
    long stamp = shared.stampedLock.readLock();
    shared.requireOpen();
    shared.stampedLock.unlockRead(stamp);
  }

  @Benchmark
  public int downcall() {
    return RocksDbC.rocksdb_ffm_abi();
  }

  @Benchmark
  public int downcallInCall(Shared shared) {
    Call call = Call.enter(shared.handle);
    try {
      return RocksDbC.rocksdb_ffm_abi();
    } finally {
      call.exit();
    }
  }

  @Benchmark
  public MemorySegment downcallWithAddress(Shared shared) {
    return RocksDbC.rocksdb_ffm_layouts(shared.addressOfCell);
  }

  @Benchmark
  public MemorySegment downcallWithSharedArena(Shared shared) {
    return RocksDbC.rocksdb_ffm_layouts(shared.sharedCell);
  }

  /**
   * A striped counter of calls in flight, with padding between the stripes, to compare with this library's close
   * protocol.
   */
  private static final class StripedInFlight {
    private static final int STRIPES = 16;
    private static final int LONGS_OF_A_STRIPE = 16; // two cache lines, because the prefetcher loads pairs

    private final AtomicLongArray counts = new AtomicLongArray((STRIPES + 1) * LONGS_OF_A_STRIPE);
    private volatile boolean closed;

    /** Enters, and returns the stripe to leave. */
    int enter() {
      int stripe = (((int) Thread.currentThread().threadId() & (STRIPES - 1)) + 1) * LONGS_OF_A_STRIPE;
      counts.getAndIncrement(stripe);
      if (closed) {
        exit(stripe);
        throw new IllegalStateException("closed");
      }
      return stripe;
    }

    void exit(int stripe) {
      counts.getAndDecrement(stripe);
    }

    void close() {
      closed = true;
    }
  }
}
