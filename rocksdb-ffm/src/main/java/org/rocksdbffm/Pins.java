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
  public void limit(Limits limits) {
    requireNonNull(limits, "limits").apply(ledger);
  }

  /**
   * How much of a database may be pinned, and for how long. A pinned value keeps a block of the cache, or a memtable, or a
   * copy, and a user who forgets to let go, or waits for a slow reader, keeps it long. Immutable.
   *
   * <pre>{@code
   * db.pins().limit(Pins.Limits.none().maxBytes(ByteSize.mib(256)).warnAge(Duration.ofSeconds(30)));
   * }</pre>
   */
  public static final class Limits {
    private static final Limits NONE = new Limits(null, null, null);

    private final ByteSize warnBytes;
    private final ByteSize maxBytes;
    private final Duration warnAge;

    private Limits(ByteSize warnBytes, ByteSize maxBytes, Duration warnAge) {
      this.warnBytes = warnBytes;
      this.maxBytes = maxBytes;
      this.warnAge = warnAge;
    }

    /**
     * No limits, which is what a database begins with.
     *
     * @return limits to start from
     */
    public static Limits none() {
      return NONE;
    }

    /**
     * Warns when more than so many bytes are pinned: once, until there are fewer again. The warning says where the value
     * that was one too many, and the oldest one known, were pinned.
     *
     * @param bytes in all pinned values together
     * @return the changed limits
     */
    public Limits warnBytes(ByteSize bytes) {
      return new Limits(requireNonNull(bytes, "bytes"), maxBytes, warnAge);
    }

    /**
     * Refuses to pin more than so many bytes: the read fails with a {@link PinLimitException}. Reads that copy go on. A
     * multi-get reads its keys one after the other then, and holds one value more than is allowed at most before it fails.
     *
     * @param bytes in all pinned values together
     * @return the changed limits
     */
    public Limits maxBytes(ByteSize bytes) {
      return new Limits(warnBytes, requireNonNull(bytes, "bytes"), warnAge);
    }

    /**
     * Warns of each value that stays pinned for longer than so long, and says where it was pinned. From then on every
     * pinned value is watched, which costs some microseconds each.
     *
     * @param age more than zero
     * @return the changed limits
     */
    public Limits warnAge(Duration age) {
      if (requireNonNull(age, "age").isNegative() || age.isZero()) {
        throw new IllegalArgumentException("age: " + age + " is not more than zero");
      }
      return new Limits(warnBytes, maxBytes, age);
    }

    void apply(PinLedger pins) {
      pins.limit(
          warnBytes().map(ByteSize::bytes).orElse(null), maxBytes().map(ByteSize::bytes).orElse(null), warnAge);
    }

    /**
     * From how many bytes on there is a warning.
     *
     * @return the bytes, if there is such a limit
     */
    public Optional<ByteSize> warnBytes() {
      return Optional.ofNullable(warnBytes);
    }

    /**
     * How many bytes can be pinned.
     *
     * @return the bytes, if there is such a limit
     */
    public Optional<ByteSize> maxBytes() {
      return Optional.ofNullable(maxBytes);
    }

    /**
     * From what age on there is a warning.
     *
     * @return the age, if there is such a limit
     */
    public Optional<Duration> warnAge() {
      return Optional.ofNullable(warnAge);
    }
  }
}
