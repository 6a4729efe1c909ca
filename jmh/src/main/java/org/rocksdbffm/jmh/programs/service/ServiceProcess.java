/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.service;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.rocksdbffm.jmh.process.Printed;
import org.rocksdbffm.jmh.programs.process.ProcessMemory;

/**
 * A service under load: threads that read and hold values, threads that keep iterators open, and a thread that writes.
 * The data is several times larger than the memory. Prints the number of steps and the peak memory.
 */
public final class ServiceProcess {
  private static final int KEYS = 100_000;
  private static final int SMALLEST = 100;
  private static final int LARGEST = 16 << 10;
  private static final int READERS = 3;
  private static final int SCANNERS = 2;
  private static final int ITERATORS_A_SCANNER = 16;
  private static final int ROWS_A_TURN = 50;
  private static final long HELD_BYTES_A_READER = 8L << 20;
  private static final long SEED = 7;

  private final Service service;
  private final LongAdder reads = new LongAdder();
  private final LongAdder rows = new LongAdder();
  private final LongAdder writes = new LongAdder();
  private volatile boolean ended;

  private ServiceProcess(Service service) {
    this.service = service;
  }

  /** The measurements that a process prints. */
  record Outcome(double readsPerSecond, double rowsPerSecond, double writesPerSecond, double mostResidentMib) {}

  /**
   * Runs the service.
   *
   * @param arguments the engine, an empty folder, and the seconds
   */
  public static void main(String[] arguments) throws Exception {
    try (Service service =
        arguments[0].equals("jni") ? new JniService(Path.of(arguments[1])) : new FfmService(Path.of(arguments[1]))) {
      System.out.println(Printed.line(new ServiceProcess(service).run(Long.parseLong(arguments[2]))));
    }
  }

  private Outcome run(long seconds) throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < KEYS; i++) {
      service.put(key(i), value(random));
    }
    double most;
    try (ExecutorService threads = Executors.newFixedThreadPool(READERS + SCANNERS + 1)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        running.add(threads.submit(untilTheEnd(new Reading(random.split()))));
      }
      for (int i = 0; i < SCANNERS; i++) {
        running.add(threads.submit(untilTheEnd(new Scanning(random.split()))));
      }
      running.add(threads.submit(untilTheEnd(new Writing(random.split()))));
      try {
        TimeUnit.SECONDS.sleep(seconds);
      } finally {
        ended = true;
      }
      for (Future<?> future : running) {
        future.get();
      }
      most = ProcessMemory.mostResidentKib() / 1024.0;
    }
    return new Outcome(
        (double) reads.sum() / seconds, (double) rows.sum() / seconds, (double) writes.sum() / seconds, most);
  }

  private Callable<Void> untilTheEnd(Load load) {
    return () -> {
      try (load) {
        do { // at least once, also on a busy machine
          load.turn();
        } while (!ended);
      }
      return null;
    };
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  private static byte[] value(SplittableRandom random) {
    byte[] value = new byte[random.nextInt(SMALLEST, LARGEST)];
    random.nextBytes(value);
    return value;
  }

  /** The work of a thread, step by step. */
  private interface Load extends AutoCloseable {
    void turn() throws Exception;

    @Override
    default void close() {}
  }

  /** Reads values, and holds the latest of them. */
  private final class Reading implements Load {
    private final SplittableRandom random;
    private final Deque<Service.Held> held = new ArrayDeque<>();
    private long bytes;

    Reading(SplittableRandom random) {
      this.random = random;
    }

    @Override
    public void turn() throws Exception {
      Service.Held value = service.get(key(random.nextInt(KEYS)));
      if (value != null) {
        held.add(value);
        bytes += value.size();
      }
      while (bytes > HELD_BYTES_A_READER) {
        releaseOldest();
      }
      reads.increment();
    }

    private void releaseOldest() {
      try (Service.Held oldest = held.remove()) {
        bytes -= oldest.size();
      }
    }

    @Override
    public void close() {
      while (!held.isEmpty()) {
        releaseOldest();
      }
    }
  }

  /** Moves one of many open iterators, and replaces an iterator that is at its end. */
  private final class Scanning implements Load {
    private final SplittableRandom random;
    private final List<Service.Rows> open = new ArrayList<>();

    Scanning(SplittableRandom random) {
      this.random = random;
    }

    @Override
    public void turn() {
      if (open.size() < ITERATORS_A_SCANNER) {
        open.add(service.rows(key(random.nextInt(KEYS))));
      }
      Service.Rows iterator = open.get(random.nextInt(open.size()));
      int done = 0;
      while (done < ROWS_A_TURN && iterator.next()) {
        done++;
      }
      rows.add(done);
      if (done < ROWS_A_TURN || random.nextInt(ITERATORS_A_SCANNER) == 0) {
        open.remove(iterator);
        iterator.close();
      }
    }

    @Override
    public void close() {
      open.forEach(Service.Rows::close);
    }
  }

  /** Overwrites rows. */
  private final class Writing implements Load {
    private final SplittableRandom random;

    Writing(SplittableRandom random) {
      this.random = random;
    }

    @Override
    public void turn() throws Exception {
      service.put(key(random.nextInt(KEYS)), value(random));
      writes.increment();
    }
  }
}
