/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.benchmarks;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;
import org.rocksdbffm.jmh.work.GetLoop;
import org.rocksdbffm.jmh.work.KeyCycle;
import org.rocksdbffm.jmh.work.WriteLoop;

/**
 * Measures the latency of single gets, especially of the slowest gets, in a JVM with a small heap and frequent garbage
 * collections; without writes, and while another thread of this JVM writes at a fixed rate.
 */
@BenchmarkMode(Mode.SampleTime)
@Fork(
    value = 3,
    jvmArgsAppend = {
      "--enable-native-access=ALL-UNNAMED",
      "--sun-misc-unsafe-memory-access=allow",
      "-Xms256m",
      "-Xmx256m",
      "-XX:+AlwaysPreTouch"
    })
public class LatencyBenchmark extends MeasuredState {
  private static final int ONE = 1;

  /** Data that another thread may write to. */
  @State(Scope.Benchmark)
  public static class Loaded extends StoredData {
    private static final int WRITES_AT_ONCE = 50;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Whether there are writes: 5000 per second, of 4 KiB each, to other keys. */
    @Param({"false", "true"})
    public boolean writes;

    private final ExecutorService writer = Executors.newSingleThreadExecutor();
    private WriteLoop loop;
    private Future<?> writing; // null while no thread writes
    private volatile boolean ended;

    @Override
    void prepare() {
      KeyCycle keys = new KeyCycle(data().shuffledMissingKeys());
      loop = binding().writes(keys, new byte[4096], WRITES_AT_ONCE);
    }

    synchronized void beginWrites() {
      if (writes && writing == null) {
        ended = false;
        writing = writer.submit(this::write);
      }
    }

    private Void write() throws Exception {
      long due = System.nanoTime();
      do { // at least once, even if the turn ends before this thread runs
        loop.put();
        due += PAUSE_NANOS;
        LockSupport.parkNanos(due - System.nanoTime());
      } while (!ended);
      return null;
    }

    /** Ends the writes, and waits until the engine is idle. */
    synchronized void endWrites() throws Exception {
      if (writing != null) {
        ended = true;
        writing.get();
        writing = null;
        while (binding().fullMemtables() > 0) {
          Thread.sleep(1);
        }
      }
    }

    @Override
    void finish() {
      ended = true;
      writer.close();
      loop.close();
    }
  }

  /** A thread's gets. */
  @State(Scope.Thread)
  public static class Caller {
    private GetLoop gets;

    @Setup(Level.Trial)
    public void prepare(Loaded loaded) {
      gets = loaded.gets(ONE);
    }
  }

  private Loaded loaded;

  @Setup(Level.Trial)
  public void load(Loaded state) {
    loaded = state;
  }

  @Override
  void begin() {
    loaded.beginWrites();
  }

  @Override
  void end() throws Exception {
    loaded.endWrites();
  }

  @Benchmark
  public long array(Caller caller, Blackhole blackhole) throws Exception {
    return caller.gets.array(blackhole);
  }

  @Benchmark
  public long intoDirect(Caller caller) throws Exception {
    return caller.gets.intoDirect();
  }

  @Benchmark
  public long pinned(Caller caller) {
    return caller.gets.pinned();
  }
}
