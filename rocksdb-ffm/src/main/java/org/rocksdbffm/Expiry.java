/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.function.Function;
import org.rocksdbffm.internal.callback.ExpiryRules;

/**
 * The age at which rows of a column family expire, by a timestamp in their values; set by {@link FamilyOptions#expiry}.
 * Compactions delete expired rows, in native code, without a call to Java. Immutable.
 *
 * <pre>{@code
 * Expiry month = Expiry.after(Duration.ofDays(30)); // values begin with System.currentTimeMillis(), big-endian
 * FamilyOptions options = FamilyOptions.defaults().expiry(month).periodicCompaction(Duration.ofDays(1));
 * }</pre>
 *
 * <p>An expired row is readable until its file is compacted, which may take long, or forever while automatic
 * compactions are disabled. Files that are not compacted for other reasons are compacted once per
 * {@link FamilyOptions#periodicCompaction}: by default every 30 days for block-based tables, and never with
 * {@link CompactionStyle#FIFO}. Reads that must not return expired rows call {@link #isExpired}. Rows in memtables are
 * not checked by compactions.
 *
 * <p>Rows without a certain timestamp are kept: values that are too short, timestamps before 1990, and unmerged
 * operands; a merged value expires like any other. Snapshots do not preserve expired rows, and transactions see no
 * conflict when they are deleted. A large value in a blob file is read for its timestamp. The machine's clock is used:
 * if it runs ahead, rows are deleted early.
 *
 * <p>{@link KeyWriter#singleDelete} is refused for a column family with an expiry, and an expiry must not be added to a
 * family that has single deletions: the engine turns an expired row into a deletion, and compactions fail if it meets a
 * single deletion.
 */
public final class Expiry {
  /** The formats of timestamps. */
  public enum Time {
    /** Seconds since 1970 in 4 bytes, unsigned: until the year 2106. */
    SECONDS_IN_4_BYTES(Integer.BYTES, false),
    /** Seconds since 1970 in 8 bytes. */
    SECONDS(Long.BYTES, false),
    /** Milliseconds since 1970 in 8 bytes, as {@link System#currentTimeMillis}; the default. */
    MILLISECONDS(Long.BYTES, true);

    private final int width;
    private final boolean milliseconds;

    Time(int width, boolean milliseconds) {
      this.width = width;
      this.milliseconds = milliseconds;
    }
  }

  private final Duration age;
  private final Time time;
  private final int offset;
  private final ByteOrder byteOrder;
  private final byte[] keyPrefix;
  private final ExpiryRules rules;

  private Expiry(Duration age, Time time, int offset, ByteOrder byteOrder, byte[] keyPrefix) {
    this.age = age;
    this.time = time;
    this.offset = offset;
    this.byteOrder = byteOrder;
    this.keyPrefix = keyPrefix;
    boolean bigEndian = byteOrder == ByteOrder.BIG_ENDIAN;
    ByteBuffer prefix = ByteBuffer.wrap(keyPrefix).asReadOnlyBuffer();
    this.rules = new ExpiryRules(inUnits(), offset, time.width, bigEndian, time.milliseconds, prefix);
  }

  /**
   * Returns a rule by which rows expire at an age. Values start with the timestamp, by default in big-endian
   * milliseconds.
   *
   * @param age not negative; zero if the timestamp is the time of expiry
   * @return the rule
   */
  public static Expiry after(Duration age) {
    if (requireNonNull(age, "age").isNegative()) {
      throw new IllegalArgumentException("age: " + age + " is negative");
    }
    return new Expiry(age, Time.MILLISECONDS, 0, ByteOrder.BIG_ENDIAN, new byte[0]);
  }

  /**
   * Sets the format of the timestamp.
   *
   * @param form the format in all values
   * @return the changed rule
   */
  public Expiry time(Time form) {
    return new Expiry(age, requireNonNull(form, "form"), offset, byteOrder, keyPrefix);
  }

  /**
   * Sets the offset of the timestamp in values.
   *
   * @param bytes the offset, at least 0
   * @return the changed rule
   */
  public Expiry offset(int bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes: " + bytes + " is below zero");
    }
    return new Expiry(age, time, bytes, byteOrder, keyPrefix);
  }

  /**
   * Sets the byte order of the timestamp.
   *
   * @param order the byte order in all values
   * @return the changed rule
   */
  public Expiry byteOrder(ByteOrder order) {
    return new Expiry(age, time, offset, requireNonNull(order, "order"), keyPrefix);
  }

  /**
   * Restricts the rule to keys with a prefix; other rows do not expire.
   *
   * @param prefix the prefix; copied
   * @return the changed rule
   */
  public Expiry keyPrefix(byte[] prefix) {
    return new Expiry(age, time, offset, byteOrder, requireNonNull(prefix, "prefix").clone());
  }

  /**
   * Returns a codec that adds the timestamp of this rule in front of values. With {@link #after after(Duration.ZERO)}
   * the timestamp is the end of a row's life, so that each row can have a different one.
   *
   * <pre>{@code
   * ValueCodec<Session> sessions = Expiry.after(Duration.ZERO).stamped(Session::end, json);
   * }</pre>
   *
   * @param time returns the timestamp of a value that is written, or the current time. A time beyond the format's range
   *     becomes its latest time; a time before 1990 is refused, because the row would never expire
   * @param values the codec of the value without timestamp
   * @param <V> the type of the values
   * @return the codec, which removes the timestamp when it reads
   */
  public <V> ValueCodec<V> stamped(Function<? super V, Instant> time, ValueCodec<V> values) {
    requireNonNull(time, "time");
    requireNonNull(values, "values");
    if (offset > 0) {
      throw new IllegalArgumentException("offset: " + offset + ", and a time in front of a value has 0");
    }
    return ValueCodec.inPlace(
        value -> rules.stamp(requireNonNull(time.apply(value), "time"), values.encode(value)),
        bytes -> values.decode(rules.stamped(bytes)));
  }

  /**
   * Returns whether a row is expired now, whether or not it was deleted.
   *
   * @param key of the row; borrowed
   * @param value of the row; borrowed
   * @return true if a compaction that starts now deletes the row
   */
  public boolean isExpired(byte[] key, byte[] value) {
    return isExpired(
        MemorySegment.ofArray(requireNonNull(key, "key")), MemorySegment.ofArray(requireNonNull(value, "value")));
  }

  /**
   * Returns whether a row is expired now, whether or not it was deleted.
   *
   * @param key the key, such as {@link Row#key}; borrowed
   * @param value of the row; borrowed
   * @return true if a compaction that starts now deletes the row
   */
  public boolean isExpired(MemorySegment key, MemorySegment value) {
    return isExpired(key, value, System.currentTimeMillis());
  }

  /**
   * Returns whether a row is expired at a time, for example to compare all rows of a scan with the same time.
   *
   * @param key of the row; borrowed
   * @param value of the row; borrowed
   * @param instant the time to use instead of the current time
   * @return true if a compaction that starts at that time deletes the row
   */
  public boolean isExpired(MemorySegment key, MemorySegment value, Instant instant) {
    return isExpired(key, value, requireNonNull(instant, "instant").toEpochMilli());
  }

  private boolean isExpired(MemorySegment key, MemorySegment value, long millis) {
    requireNonNull(key, "key");
    requireNonNull(value, "value");
    return rules.isExpired(key, value, millis);
  }

  /** Returns the rule for compactions. */
  ExpiryRules rules() {
    return rules;
  }

  /**
   * Returns the age in the unit of the timestamp, rounded up; an age that is too large means that rows never expire.
   */
  private long inUnits() {
    try {
      return time.milliseconds
          ? age.plusNanos(999_999).toMillis()
          : age.plusNanos(999_999_999).toSeconds();
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE;
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Expiry that
        && age.equals(that.age)
        && time == that.time
        && offset == that.offset
        && byteOrder == that.byteOrder
        && Arrays.equals(keyPrefix, that.keyPrefix);
  }

  @Override
  public int hashCode() {
    return Objects.hash(age, time, offset, byteOrder, Arrays.hashCode(keyPrefix));
  }

  @Override
  public String toString() {
    String keys = keyPrefix.length == 0 ? "" : " of keys that begin with 0x" + HexFormat.of().formatHex(keyPrefix);
    return "after " + age + keys + " by " + time + " at " + offset + ", " + byteOrder;
  }
}
