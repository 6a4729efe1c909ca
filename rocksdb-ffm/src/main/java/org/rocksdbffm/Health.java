/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.metrics.BackgroundWork;

/**
 * Whether a database takes writes at one moment, and how its flushes and compactions keep up.
 *
 * @param refusal the failure that each write meets, such as that of a full disk; none if writes are taken
 * @param stalled whether a write would wait: for a flush, a compaction, or memory
 * @param delayedRate to how much a second the engine slows writes down, so that compactions keep up; zero if it does not
 * @param backgroundErrors how many flushes and compactions have failed since the opening; those that went well later count
 * @param runningFlushes how many flushes run
 * @param runningCompactions how many compactions run
 * @param fullMemtables how many memtables wait for a flush
 * @param compactionDebt how much compactions have to rewrite, by the engine's estimate
 */
public record Health(
    Optional<RocksDbException> refusal,
    boolean stalled,
    ByteSize delayedRate,
    long backgroundErrors,
    long runningFlushes,
    long runningCompactions,
    long fullMemtables,
    ByteSize compactionDebt) {
  private static final WriteOptions AT_ONCE = WriteOptions.defaults().noSlowdown(true);

  /** Refuses null. */
  public Health {
    requireNonNull(refusal, "refusal");
    requireNonNull(delayedRate, "delayedRate");
    requireNonNull(compactionDebt, "compactionDebt");
  }

  static Health of(KeySpace defaults, NativeFamily any, List<NativeFamily> families) {
    Optional<RocksDbException> failure = tryToWrite(defaults);
    boolean waits = failure.filter(its -> its.code() == RocksDbException.Code.INCOMPLETE).isPresent();
    BackgroundWork work = BackgroundWork.of(any, families);
    return new Health(
        waits ? Optional.empty() : failure,
        waits || work.stopped(),
        ByteSize.bytes(work.delayedRate()),
        work.errors(),
        work.flushes(),
        work.compactions(),
        work.fullMemtables(),
        ByteSize.bytes(work.debt()));
  }

  /** The engine has no property that tells whether it refuses writes, but refuses one that writes nothing, too. */
  private static Optional<RocksDbException> tryToWrite(KeySpace defaults) {
    try {
      defaults.with(AT_ONCE).write(new WriteBatch(ByteSize.bytes(0)));
      return Optional.empty();
    } catch (RocksDbException e) {
      return Optional.of(e);
    }
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
