/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;
import org.rocksdbffm.internal.pin.PinLedger;

/** The values that are pinned in a database, and the limits of how many may be. Thread-safe. */
public final class Pins {
  private final PinLedger ledger;

  Pins(PinLedger ledger) {
    this.ledger = ledger;
  }

  /**
   * How many values are pinned at the moment.
   *
   * @return the count of pinned values and multi-gets that are not closed
   */
  public long count() {
    return ledger.count();
  }

  /**
   * The size of the values that are pinned at the moment. The engine may keep more for them: a whole block of its cache for
   * one of the block's values.
   *
   * @return the sum of their sizes
   */
  public ByteSize size() {
    return ByteSize.bytes(ledger.bytes());
  }

  /**
   * The age of the oldest pinned value, among those that are watched: one in 1024, or all of them if their age is limited or
   * leaks are looked for at level {@code all}.
   *
   * @return its age, if any is watched
   */
  public Optional<Duration> oldest() {
    return ledger.oldestAge();
  }

  /**
   * Limits how much may be pinned, and for how long, from now on. Values that are pinned already stay.
   *
   * @param limits replace those before
   */
  public void limit(PinLimits limits) {
    requireNonNull(limits, "limits").apply(ledger);
  }
}
