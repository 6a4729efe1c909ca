/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.rocksdbffm.jmh.process.Printed;
import org.rocksdbffm.jmh.programs.store.ProgramStore;
import org.rocksdbffm.jmh.programs.store.Stores;
import org.rocksdbffm.jmh.programs.work.Programs;
import org.rocksdbffm.jmh.programs.work.StoreProgram;

/** Runs a program on an engine, and prints its measurements. */
public final class ProgramProcess {
  private ProgramProcess() {}

  /**
   * Runs a program.
   *
   * @param arguments the engine, the program, an empty folder, and the steps of warm-up and measurement for each thread
   */
  public static void main(String[] arguments) throws Exception {
    long started = System.nanoTime();
    StoreProgram program = Programs.named(arguments[1]);
    long warmUp = Long.parseLong(arguments[3]);
    long steps = Long.parseLong(arguments[4]);
    Meter meter = new Meter(program.threads(), started, warmUp);
    ProcessFigures figures;
    try (ProgramStore store = Stores.open(arguments[0], Path.of(arguments[2]), program.kind(), program.families())) {
      program.prepare(store);
      long sum = runAll(program, store, meter, warmUp + steps);
      figures = meter.end(sum);
    }
    System.out.println(Printed.line(figures));
  }

  private static long runAll(StoreProgram program, ProgramStore store, Meter meter, long steps) throws Exception {
    if (program.threads() == 1) {
      return run(program.work(store, 0), meter.lane(), steps);
    }
    long sum = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(program.threads())) {
      List<Future<Long>> sums = new ArrayList<>();
      for (int thread = 0; thread < program.threads(); thread++) {
        StoreProgram.Work work = program.work(store, thread);
        Meter.Lane lane = meter.lane();
        sums.add(threads.submit(() -> run(work, lane, steps)));
      }
      for (Future<Long> future : sums) {
        sum += future.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
    return sum;
  }

  private static long run(StoreProgram.Work work, Meter.Lane lane, long steps) throws Exception {
    long sum = 0;
    long before = System.nanoTime();
    for (long i = 0; i < steps; i++) {
      sum += work.step();
      long now = System.nanoTime();
      lane.did(now - before);
      before = now;
    }
    return sum;
  }
}
