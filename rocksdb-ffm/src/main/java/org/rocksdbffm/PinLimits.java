/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;
import org.rocksdbffm.internal.pin.PinLedger;

/**
 * How much of a database may be pinned, and for how long. A pinned value keeps a block of the cache, or a memtable, or a
 * copy, and a user who forgets to let go, or waits for a slow reader, keeps it long. Immutable.
 *
 * <pre>{@code
 * db.limitPins(PinLimits.none().warnBytes(ByteSize.mib(64)).maxBytes(ByteSize.mib(256)).warnAge(Duration.ofSeconds(30)));
 * }</pre>
 */
public final class PinLimits {
  private static final PinLimits NONE = new PinLimits(null, null, null);

  private final ByteSize warnBytes;
  private final ByteSize maxBytes;
  private final Duration warnAge;

  private PinLimits(ByteSize warnBytes, ByteSize maxBytes, Duration warnAge) {
    this.warnBytes = warnBytes;
    this.maxBytes = maxBytes;
    this.warnAge = warnAge;
  }

  /**
   * No limits, which is what a database begins with.
   *
   * @return limits to start from
   */
  public static PinLimits none() {
    return NONE;
  }

  /**
   * Warns when more than so many bytes are pinned: once, until there are fewer again. The warning says where the value
   * that was one too many, and the oldest one known, were pinned.
   *
   * @param bytes in all pinned values together
   * @return the changed limits
   */
  public PinLimits warnBytes(ByteSize bytes) {
    return new PinLimits(requireNonNull(bytes, "bytes"), maxBytes, warnAge);
  }

  /**
   * Refuses to pin more than so many bytes: the read fails with a {@link PinLimitException}. Reads that copy go on. A
   * multi-get reads its keys one after the other then, and holds one value more than is allowed at most before it fails.
   *
   * @param bytes in all pinned values together
   * @return the changed limits
   */
  public PinLimits maxBytes(ByteSize bytes) {
    return new PinLimits(warnBytes, requireNonNull(bytes, "bytes"), warnAge);
  }

  /**
   * Warns of each value that stays pinned for longer than so long, and says where it was pinned. From then on every
   * pinned value is watched, which costs some microseconds each.
   *
   * @param age more than zero
   * @return the changed limits
   */
  public PinLimits warnAge(Duration age) {
    if (requireNonNull(age, "age").isNegative() || age.isZero()) {
      throw new IllegalArgumentException("age: " + age + " is not more than zero");
    }
    return new PinLimits(warnBytes, maxBytes, age);
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
