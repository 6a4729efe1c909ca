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
 * Measures how long single gets take, of which the slowest ones count, in a JVM whose heap is small, so that garbage is
 * collected often; alone, and while another thread writes at a fixed rate, in this JVM's turns.
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
public class LatencyBenchmark extends Measured {
  private static final int ONE = 1;

  /** Data that may be written to meanwhile. */
  @State(Scope.Benchmark)
  public static class Loaded extends StoredData {
    private static final int WRITES_AT_ONCE = 50;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Whether there are writes: of 4 KiB each, 5000 a second, of other keys. */
    @Param({"false", "true"})
    public boolean writes;

    private final ExecutorService writer = Executors.newSingleThreadExecutor();
    private WriteLoop loop;
    private Future<?> writing; // null while nothing is written
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
      do { // even in a turn that ends before this thread has run
        loop.put();
        due += PAUSE_NANOS;
        LockSupport.parkNanos(due - System.nanoTime());
      } while (!ended);
      return null;
    }

    /** The engine is at rest when it returns. */
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
  public void load(Loaded its) {
    loaded = its;
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
