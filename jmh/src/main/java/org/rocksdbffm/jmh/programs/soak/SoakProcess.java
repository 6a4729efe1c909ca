/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.soak;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.rocksdbffm.jmh.process.Printed;
import org.rocksdbffm.jmh.programs.process.ProcessMemory;
import org.rocksdbffm.jmh.programs.store.ProgramStore;
import org.rocksdbffm.jmh.programs.store.Stores;
import org.rocksdbffm.jmh.programs.work.Programs;
import org.rocksdbffm.jmh.programs.work.StoreProgram;

/**
 * Measures the maximum rate of the mixed load on this machine, and then runs a part of that rate for some minutes. Each
 * step has a scheduled time, from which its latency is measured, even if it starts late.
 */
public final class SoakProcess {
  private static final double NANOS = 1e9;
  private static final double NANOS_IN_MICRO = 1e3;
  private static final double KIB_IN_MIB = 1024;
  private static final double P99 = 99;
  private static final double P999 = 99.9;
  private static final double PART = 0.9;
  private static final int DIGITS = 2;
  private static final long SHORTEST_PAUSE_NANOS = 100_000;
  private static final int WARM_UP = 2; // the number of minutes at the maximum rate

  private final StoreProgram program;
  private final ProgramStore store;
  private final List<Loop> loops = new ArrayList<>();
  private volatile double perSecond; // 0 for no limit
  private volatile boolean ended;

  private SoakProcess(StoreProgram program, ProgramStore store) {
    this.program = program;
    this.store = store;
  }

  /**
   * Runs the load.
   *
   * @param arguments the engine, an empty folder, the minutes, and the seconds of a minute
   */
  public static void main(String[] arguments) throws Exception {
    StoreProgram program = Programs.named(Programs.MIXED_LOAD);
    try (ProgramStore store = Stores.open(arguments[0], Path.of(arguments[1]), program.kind(), program.families())) {
      program.prepare(store);
      new SoakProcess(program, store).run(Integer.parseInt(arguments[2]), Long.parseLong(arguments[3]));
    }
  }

  private void run(int minutes, long seconds) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(program.threads())) {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < program.threads(); thread++) {
        Loop loop = new Loop(program.work(store, thread));
        loops.add(loop);
        running.add(threads.submit(loop::run));
      }
      try {
        double most = 0;
        for (int i = 0; i < WARM_UP; i++) { // the first minute includes JIT compilation
          most = minute(seconds).perSecond();
        }
        perSecond = most * PART;
        minute(1); // drops the latencies of delayed steps
        for (int minute = 0; minute < minutes; minute++) {
          System.out.println(Printed.line(minute(seconds)));
        }
      } finally {
        ended = true;
      }
      for (Future<?> future : running) {
        future.get();
      }
    }
  }

  private SoakMinute minute(long seconds) throws InterruptedException {
    long before = System.nanoTime();
    TimeUnit.SECONDS.sleep(seconds);
    double took = (System.nanoTime() - before) / NANOS;
    Histogram all = new Histogram(DIGITS);
    loops.forEach(loop -> all.add(loop.times.getIntervalHistogram()));
    return new SoakMinute(
        all.getTotalCount() / took,
        all.getValueAtPercentile(P99) / NANOS_IN_MICRO,
        all.getValueAtPercentile(P999) / NANOS_IN_MICRO,
        ProcessMemory.residentKib() / KIB_IN_MIB);
  }

  /** Runs the steps of a thread, each at its scheduled time. */
  private final class Loop {
    private final StoreProgram.Work work;
    private final SingleWriterRecorder times = new SingleWriterRecorder(DIGITS);

    Loop(StoreProgram.Work work) {
      this.work = work;
    }

    Void run() throws Exception {
      long due = System.nanoTime();
      while (!ended) {
        double rate = perSecond;
        long now = System.nanoTime();
        if (rate == 0) {
          due = now;
        } else {
          due += (long) (NANOS * loops.size() / rate);
          if (due - now > SHORTEST_PAUSE_NANOS) {
            LockSupport.parkNanos(due - now);
          }
        }
        work.step();
        times.recordValue(Math.max(0, System.nanoTime() - due));
      }
      return null;
    }
  }
}
