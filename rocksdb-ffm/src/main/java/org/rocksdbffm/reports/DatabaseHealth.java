/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reports;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.RocksDbException;

/**
 * Whether a database accepts writes now, and whether flushes and compactions keep up.
 *
 * @param refusal the failure of every write, such as a full disk; empty if writes are accepted
 * @param stalled whether a write would wait: for a flush, a compaction, or memory
 * @param delayedRate the bytes per second to which the engine currently slows writes down, so that compactions keep up;
 *     zero if it does not
 * @param backgroundErrors failed flushes and compactions since the opening, including failures that a retry repaired
 * @param runningFlushes the number of running flushes
 * @param runningCompactions the number of running compactions
 * @param fullMemtables the number of memtables that wait for a flush
 * @param compactionDebt the engine's estimate of the bytes that compactions still have to rewrite
 */
public record DatabaseHealth(
    Optional<RocksDbException> refusal,
    boolean stalled,
    ByteSize delayedRate,
    long backgroundErrors,
    long runningFlushes,
    long runningCompactions,
    long fullMemtables,
    ByteSize compactionDebt) {
  /** Refuses null. */
  public DatabaseHealth {
    requireNonNull(refusal, "refusal");
    requireNonNull(delayedRate, "delayedRate");
    requireNonNull(compactionDebt, "compactionDebt");
  }


  /**
   * Returns whether writes are accepted without waiting.
   *
   * @return whether there is neither a refusal nor a stall
   */
  public boolean isWritable() {
    return refusal.isEmpty() && !stalled;
  }
}
