/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;
import org.rocksdbffm.internal.pin.PinLedger;

/** The pinned values of a database, and their limits. Thread-safe. */
public final class Pins {
  private final PinLedger ledger;

  Pins(PinLedger ledger) {
    this.ledger = ledger;
  }

  /**
   * Returns the number of values that are pinned now.
   *
   * @return the number of open pinned values and multi-gets
   */
  public long count() {
    return ledger.count();
  }

  /**
   * Returns the size of the values that are pinned now. The engine may retain more memory for them: a whole cache block
   * for one of its values.
   *
   * @return the sum of their sizes
   */
  public ByteSize size() {
    return ByteSize.bytes(ledger.bytes());
  }

  /**
   * Returns the age of the oldest pinned value that is watched: one in 1024 is, or all of them if their age is limited
   * or the leak level is {@code all}.
   *
   * @return the age; empty if none is watched
   */
  public Optional<Duration> oldest() {
    return ledger.oldestAge();
  }

  /**
   * Sets the limits of pinned memory, and of its age. Existing pins stay.
   *
   * @param limits replace earlier ones
   */
  public void limit(Limits limits) {
    requireNonNull(limits, "limits").apply(ledger);
  }

  /**
   * Limits of a database's pinned memory, and of its age. A pinned value retains a cache block, a memtable or a copy; a
   * program that forgets to close it, or waits for a slow reader, retains it for long. Immutable.
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
     * Returns no limits, the default.
     *
     * @return limits with nothing set
     */
    public static Limits none() {
      return NONE;
    }

    /**
     * Sets the pinned bytes above which a warning is logged: once, until fewer bytes are pinned again. The warning says
     * where the last value, and the oldest known one, were pinned.
     *
     * @param bytes the size of all pinned values
     * @return the changed limits
     */
    public Limits warnBytes(ByteSize bytes) {
      return new Limits(requireNonNull(bytes, "bytes"), maxBytes, warnAge);
    }

    /**
     * Sets the maximum of pinned bytes, above which reads fail with a {@link PinLimitException}. Reads that copy are
     * not affected. A multi-get then reads key by key, and exceeds the limit by one value at most before it fails.
     *
     * @param bytes the size of all pinned values
     * @return the changed limits
     */
    public Limits maxBytes(ByteSize bytes) {
      return new Limits(warnBytes, requireNonNull(bytes, "bytes"), warnAge);
    }

    /**
     * Sets the age above which a warning about a pinned value is logged, with the stack that pinned it. From then on
     * every pinned value is watched, which costs some microseconds each.
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
     * Returns the pinned bytes above which a warning is logged.
     *
     * @return the limit; empty if absent
     */
    public Optional<ByteSize> warnBytes() {
      return Optional.ofNullable(warnBytes);
    }

    /**
     * Returns the maximum of pinned bytes.
     *
     * @return the limit; empty if absent
     */
    public Optional<ByteSize> maxBytes() {
      return Optional.ofNullable(maxBytes);
    }

    /**
     * Returns the age above which a warning is logged.
     *
     * @return the limit; empty if absent
     */
    public Optional<Duration> warnAge() {
      return Optional.ofNullable(warnAge);
    }

    @Override
    public String toString() {
      return "warnBytes=" + warnBytes + ", maxBytes=" + maxBytes + ", warnAge=" + warnAge;
    }
  }

  @Override
  public String toString() {
    return "pins of " + ledger;
  }
}
