/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.benchmarks;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;
import org.rocksdbffm.jmh.work.DataSet;
import org.rocksdbffm.jmh.work.KeyCycle;
import org.rocksdbffm.jmh.work.TransactionLoop;
import org.rocksdbffm.jmh.work.Tuning;

/**
 * Transactions that read three keys for update, write them and commit, without WAL; times are per transaction. Also
 * gets in a transaction with pending writes, and scans of a batch with an index and its database; times are per value
 * or row.
 */
public class TransactionBenchmark extends MeasuredState {
  static final int UPDATES = 16;
  static final int GETS = 256;
  static final int ROWS = 1000;
  private static final int KEYS = 30_000;

  // Three groups of three keys, each locked in the same order: threads wait for each other, but never deadlock.
  private static final int CONTENDED_KEYS = 9;

  /** A database for transactions, empty at the start of each iteration. */
  @State(Scope.Benchmark)
  public static class Target extends OpenEngine {
    @Param({"LOCKING", "OPTIMISTIC"})
    public String kind;

    private final AtomicInteger threads = new AtomicInteger();
    @Setup(Level.Iteration)
    public void open() throws Exception {
      open(Tuning.forTransactions(Tuning.Transactions.valueOf(kind)));
    }

    /** The first thread that finishes closes the database, while other threads may still end their transactions. */
    @TearDown(Level.Iteration)
    public void close() throws Exception {
      while (threads.get() > 0) {
        Thread.yield();
      }
      closeAll();
    }
  }

  /** A thread's transactions. */
  @State(Scope.Thread)
  public static class Updates {
    @Param({"100", "4096"})
    public int valueSize;

    /** Whether all threads use the same few keys. */
    @Param({"false", "true"})
    public boolean contended;

    private KeyCycle keys;
    private Target target;
    private TransactionLoop transactions;

    @Setup(Level.Trial)
    public void prepare() {
      DataSet data = new DataSet(KEYS, 0);
      keys =
          new KeyCycle(
              contended
                  ? IntStream.range(0, CONTENDED_KEYS).mapToObj(data::key).toArray(byte[][]::new)
                  : data.shuffledKeys());
      int first = keys.position();
      keys.startingAt(first - first % TransactionLoop.KEYS);
    }

    @Setup(Level.Iteration)
    public void open(Target target) throws Exception {
      this.target = target;
      transactions = target.binding.transactions(keys, new DataSet(1, valueSize).value(0), UPDATES, 0);
      target.threads.incrementAndGet();
    }

    @TearDown(Level.Iteration)
    public void close() {
      try {
        transactions.close();
      } finally {
        target.threads.decrementAndGet();
      }
    }
  }

  /** A database of {@link #ROWS} rows, all in the block cache, with an open transaction and an indexed batch. */
  @State(Scope.Thread)
  public static class Above extends OpenEngine {
    @Param({"100", "4096", "65536"})
    public int valueSize;

    /** The number of keys that the transaction and the batch have written. */
    @Param({"0", "10", "1000"})
    public int pending;

    private TransactionLoop transactions;

    @Setup(Level.Trial)
    public void write() throws Exception {
      DataSet data = new DataSet(ROWS, valueSize);
      open(Tuning.forTransactions(Tuning.Transactions.OPTIMISTIC));
      data.writeTo(binding);
      binding.flushAndCompact();
      KeyCycle keys = new KeyCycle(data.shuffledKeys()).startingAt(0);
      transactions = binding.transactions(keys, data.value(0), GETS, pending);
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
      transactions.close();
      closeAll();
    }
  }

  @Benchmark
  @OperationsPerInvocation(UPDATES)
  public long update(Updates updates) throws Exception {
    return updates.transactions.update();
  }

  @Benchmark
  @OperationsPerInvocation(GETS)
  public long get(Above above, Blackhole blackhole) throws Exception {
    return above.transactions.get(blackhole);
  }

  @Benchmark
  @OperationsPerInvocation(GETS)
  public long pinned(Above above) {
    return above.transactions.pinned();
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  public long scan(Above above) throws Exception {
    return above.transactions.scan();
  }
}
