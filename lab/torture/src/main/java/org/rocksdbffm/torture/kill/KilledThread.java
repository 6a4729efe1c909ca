/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.kill;

/** The threads of a {@link KilledWriter}. All except {@link #SYNCED_ROWS}, {@link #ROWS} write several families. */
enum KilledThread {
  SYNCED_ROWS,
  ROWS,
  SYNCED_BATCHES,
  BATCHES,

  /** Indexed batches in a database without transactions. */
  SYNCED_TRANSACTIONS,
  TRANSACTIONS,

  /** Two-phase commits; some are rolled back. */
  SYNCED_TWO_PHASES,
  TWO_PHASES,

  /** Batches without WAL, which are acknowledged by a flush. */
  UNLOGGED,

  /** Creates a family, writes it and others by one batch, and drops it. */
  GENERATIONS;

  static final String OTHER = "other";
  static final String THIRD = "third";

  /** The rows of a batch or transaction. */
  static final int BATCH = 7;

  private static final int ROLLED_BACK_ONE_IN = 5;

  boolean isSynced() {
    return name().startsWith("SYNCED");
  }

  boolean isTwoPhase() {
    return this == SYNCED_TWO_PHASES || this == TWO_PHASES;
  }

  /** Whether a two-phase transaction is committed. */
  static boolean isCommitted(long number) {
    return number % ROLLED_BACK_ONE_IN != ROLLED_BACK_ONE_IN - 1;
  }

  /** Returns the name of a prepared transaction. */
  String preparedName(int run, long number) {
    return run + " " + name() + " " + number;
  }

  /** The start of the names of families that {@link #GENERATIONS} creates. */
  static String generations(int run) {
    return "generation-" + run + "-";
  }
}
