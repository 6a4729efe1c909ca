/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.threads;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.rocksdbffm.AsyncReader;
import org.rocksdbffm.RocksDb;

/**
 * An event loop with many connections, each of which reads a row every few milliseconds. Measures how long each task
 * holds the loop, and how long an event that arrives every millisecond waits for the tasks before it.
 */
final class EventLoop {
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(5); // of a connection, between two reads
  private static final int LINKED = 1000; // reads that link and compile the code, as those before a program serves
  private static final long LONG = TimeUnit.MICROSECONDS.toNanos(200);

  private final LargeDatabase rows;
  private final int connections;
  private final int reads; // of each connection

  /** Reads a row for the loop, and runs a task on it when the value was read. */
  private interface Reading {
    void read(byte[] key, Measured loop, Runnable done);
  }

  EventLoop(LargeDatabase rows, int connections, int reads) {
    this.rows = rows;
    this.connections = connections;
    this.reads = reads;
  }

  /** Reads in three ways; with the last one, the loop itself makes no call to the engine. */
  void measure(RocksDb db, ExecutorService disk) throws InterruptedException, ExecutionException {
    LargeDatabase.Read get = db::get;
    run("event loop, db.get", (key, loop, done) -> {
      get.require(key);
      done.run();
    });
    AsyncReader reader = db.async(disk, connections);
    Random random = new Random(0);
    for (int i = 0; i < LINKED; i++) {
      LargeDatabase.requireFound(reader.get(rows.randomKey(random)).join());
    }
    run("event loop, AsyncReader", (key, loop, done) ->
        reader.completeOn(loop).get(key).whenComplete((value, failure) -> loop.ends.run(() -> {
          if (failure != null) {
            throw new IllegalStateException(failure);
          }
          LargeDatabase.requireFound(value);
          done.run();
        })));
    run("event loop, other threads read all", (key, loop, done) -> disk.execute(() -> loop.ends.run(() -> {
      get.require(key);
      loop.execute(done);
    })));
  }

  private void run(String way, Reading reading) throws InterruptedException, ExecutionException {
    try (ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
        RunDelay delay = thread.submit(RunDelay::ofThisThread).get()) {
      Ends ends = new Ends(connections);
      Measured measured = new Measured(thread, delay, ends);
      long collected = collectorMillis();
      clock.scheduleAtFixedRate(measured::tick, 0, 1, TimeUnit.MILLISECONDS);
      for (int i = 0; i < connections; i++) {
        new Connection(new Random(i), reading, measured).next();
      }
      try {
        ends.await();
      } finally {
        clock.shutdownNow();
      }
      thread.submit(() -> measured.print(way, collectorMillis() - collected)).get();
    }
  }

  /** A loop that measures its tasks. */
  private static final class Measured implements Executor {
    private final ScheduledExecutorService thread;
    private final RunDelay delay;
    private final Ends ends;
    private final Durations held = new Durations();
    private final Durations running = new Durations(); // as held, without the waits for a processor
    private final Durations waits = new Durations();
    private final Durations reads = new Durations();

    Measured(ScheduledExecutorService thread, RunDelay delay, Ends ends) {
      this.thread = thread;
      this.delay = delay;
      this.ends = ends;
    }

    @Override
    public void execute(Runnable task) {
      thread.execute(() -> run(task));
    }

    void executeLater(Runnable task, long nanos) {
      thread.schedule(() -> run(task), nanos, TimeUnit.NANOSECONDS);
    }

    private void run(Runnable task) {
      long delayed = delay.nanos();
      long start = System.nanoTime();
      ends.run(task);
      long taken = System.nanoTime() - start;
      held.add(taken);
      running.add(taken < LONG ? taken : taken - (delay.nanos() - delayed));
    }

    /** Called by another thread. */
    void tick() {
      long arrival = System.nanoTime();
      thread.execute(() -> waits.add(System.nanoTime() - arrival));
    }

    void print(String way, long collector) {
      System.out.printf(
          "%-40s a read: p50 %7.1f us, p99.9 %8.1f us; the loop was held: p99.9 %.2f ms, at most %.2f ms, and %.2f ms "
              + "without waits for a processor; an event waited: p99.9 %.2f ms, at most %.2f ms; collector: %d ms%n",
          way,
          reads.micros(0.5),
          reads.micros(0.999),
          held.micros(0.999) / 1e3,
          held.micros(1) / 1e3,
          running.micros(1) / 1e3,
          waits.micros(0.999) / 1e3,
          waits.micros(1) / 1e3,
          collector);
    }
  }

  /** Reads one row after another. */
  private final class Connection {
    private final Random random;
    private final Reading reading;
    private final Measured loop;
    private int left = reads;
    private long start;

    Connection(Random random, Reading reading, Measured loop) {
      this.random = random;
      this.reading = reading;
      this.loop = loop;
    }

    void next() {
      loop.executeLater(this::read, PAUSE / 2 + random.nextLong(PAUSE));
    }

    private void read() {
      start = System.nanoTime();
      reading.read(rows.randomKey(random), loop, this::done);
    }

    private void done() {
      loop.reads.add(System.nanoTime() - start);
      if (--left == 0) {
        loop.ends.ended();
      } else {
        next();
      }
    }
  }

  private static long collectorMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }
}
