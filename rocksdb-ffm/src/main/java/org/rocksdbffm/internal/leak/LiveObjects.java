/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.leak;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The kinds of native objects, and how many there are of each: for tests, which end with none, and for a search for a
 * leak. Thread-safe; exact while nobody works.
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
  BACKUPS,
  LOGS,
  TABLE_FILES,
  EXPORTS,
  PAUSES,
  READ_OPTIONS,
  WRITE_OPTIONS,
  TRANSACTION_OPTIONS,
  /** Values that are pinned; counted by the databases. */
  PINS,
  /** Memory for the pins of a multi-get. */
  PIN_ARRAYS,
  /** Memory for keys and values of calls in flight that are larger than what calls have. */
  LARGE_BUFFERS,
  /** Counted by the table of calls. */
  CALLS_IN_FLIGHT;

  private final StripedCounter made = new StripedCounter();
  private final StripedCounter bytes = new StripedCounter();
  private volatile LongSupplier counter;

  /** Has objects of this kind counted by their own table, which counts them anyway. */
  public void countBy(LongSupplier itsCounter) {
    counter = itsCounter;
  }

  public void made() {
    made.increment();
  }

  public void gone() {
    made.decrement();
  }

  /** Counts an object with memory of this library's own. */
  public void made(long size) {
    made.increment();
    bytes.add(size);
  }

  public void gone(long size) {
    made.decrement();
    bytes.add(-size);
  }

  public long count() {
    if (!isClosed()) {
      Reclaimer.reclaimAtLeisure();
    }
    LongSupplier its = counter;
    return its == null ? made.sum() : its.getAsLong();
  }

  /** How much native memory of this library's own they take; what the engine takes for them it counts itself. */
  public long bytes() {
    return bytes.sum();
  }

  /** Whether such an object is destroyed by a close, and not when it is collected. */
  public boolean isClosed() {
    return this != READ_OPTIONS && this != WRITE_OPTIONS && this != TRANSACTION_OPTIONS;
  }

  /** The kinds of which there are any, with the counts. */
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
