/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.leak;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The kinds of native objects with their counts: for tests, which check that none is left, and for finding leaks.
 * Thread-safe; exact when no other thread is active.
 */
public enum LiveObjects {
  DATABASES,
  COLUMN_FAMILIES,
  ITERATORS,
  SNAPSHOTS,
  TRANSACTIONS,
  INDEXED_BATCHES,
  BLOCK_CACHES,
  ROW_CACHES,
  MEMORY_BUDGETS,
  MEMORY_SHARES,
  RATE_LIMITERS,
  FILE_MANAGERS,
  ENCRYPTIONS,
  BACKUPS,
  LOGS,
  TABLE_FILES,
  EXPORTS,
  PAUSES,
  READ_OPTIONS,
  WRITE_OPTIONS,
  TRANSACTION_OPTIONS,
  /** Pinned values; counted by the databases. */
  PINS,
  /** Memory for the pins of a multi-get. */
  PIN_ARRAYS,
  /** Memory of calls in flight for large keys and values. */
  LARGE_BUFFERS,
  /** Calls that were entered and not exited; the table of calls counts them. */
  CALLS_IN_FLIGHT;

  private final StripedCounter made = new StripedCounter();
  private final StripedCounter bytes = new StripedCounter();
  private volatile LongSupplier counter;

  /** Sets a counter that exists elsewhere, to be used instead of this kind's own counter. */
  public void countBy(LongSupplier newCounter) {
    counter = newCounter;
  }

  public void made() {
    made.increment();
  }

  public void freed() {
    made.decrement();
  }

  /** Counts an object with memory of this library. */
  public void made(long size) {
    made.increment();
    bytes.add(size);
  }

  public void freed(long size) {
    made.decrement();
    bytes.add(-size);
  }

  public long count() {
    if (!isClosed()) {
      Reclaimer.reclaimAtLeisure();
    }
    LongSupplier supplier = counter;
    return supplier == null ? made.sum() : supplier.getAsLong();
  }

  /** Returns the bytes of this library's memory for these objects; the engine's memory is counted by the engine. */
  public long bytes() {
    return bytes.sum();
  }

  /** Whether such objects are destroyed by a close, and not when they are collected. */
  public boolean isClosed() {
    return this != READ_OPTIONS && this != WRITE_OPTIONS && this != TRANSACTION_OPTIONS;
  }

  /** Returns the count of each kind that exists. */
  public static Map<LiveObjects, Long> report() {
    Map<LiveObjects, Long> report = new LinkedHashMap<>();
    for (LiveObjects kind : values()) {
      if (kind.count() != 0 || kind.bytes() != 0) {
        report.put(kind, kind.count());
      }
    }
    return report;
  }
}
