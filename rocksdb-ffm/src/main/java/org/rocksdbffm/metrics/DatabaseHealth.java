/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.RocksDbException;

/**
 * Whether a database takes writes at one moment, and how its flushes and compactions keep up.
 *
 * @param refusal the failure that each write meets, such as that of a full disk; none if writes are taken
 * @param stalled whether a write would wait: for a flush, a compaction, or memory
 * @param delayedRate to how much a second the engine slows writes down, so that compactions keep up; zero if it does not
 * @param backgroundErrors failed flushes and compactions since the opening, including those that a retry repaired
 * @param runningFlushes how many flushes run
 * @param runningCompactions how many compactions run
 * @param fullMemtables how many memtables wait for a flush
 * @param compactionDebt how much compactions have to rewrite, by the engine's estimate
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
   * Whether writes are taken, and do not wait.
   *
   * @return whether there is neither a refusal nor a stall
   */
  public boolean isWritable() {
    return refusal.isEmpty() && !stalled;
  }
}
