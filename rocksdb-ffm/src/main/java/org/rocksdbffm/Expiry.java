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
 * How old rows of a column family get, by a time that their values carry; given to {@link FamilyOptions#expiry}. Compactions
 * delete the rows that are older, in native code, without a call to Java. Immutable.
 *
 * <pre>{@code
 * Expiry month = Expiry.after(Duration.ofDays(30)); // values begin with System.currentTimeMillis(), big-endian
 * FamilyOptions options = FamilyOptions.defaults().expiry(month).periodicCompaction(Duration.ofDays(1));
 * }</pre>
 *
 * <p>A row stays readable until its file is compacted, which may take long, or for ever while automatic compactions are
 * off. Files that nothing else compacts are compacted once in {@link FamilyOptions#periodicCompaction}: in 30 days unless that is
 * set, for files of block based tables, and never with {@link CompactionStyle#FIFO}.
 * Reads that must not see expired rows ask {@link #isExpired}. Rows in memtables are
 * not looked at.
 *
 * <p>All that is not certainly a time of an expired row is kept: values that are too short, times before 1990, and operands
 * that are still to be merged; their merged value expires as any other. Snapshots do not keep a row that expires, and nor do
 * transactions, which see no conflict in it. A large value that lies in a blob file is read for its time. The clock is the
 * machine's: where that runs ahead, rows go early.
 *
 * <p>{@link KeyWriter#singleDelete} is refused for a column family that expires rows, and none that has single deletions from
 * before may begin to: an expired row is a deletion to the engine, whose compactions fail where the two kinds meet.
 */
public final class Expiry {
  /** The form of the time in a value. */
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
   * Rows expire when they are older than an age. Their values begin with the time, in big-endian milliseconds unless
   * something else is said.
   *
   * @param age not negative; zero where values carry the moment from which on they are not wanted
   * @return the rule
   */
  public static Expiry after(Duration age) {
    if (requireNonNull(age, "age").isNegative()) {
      throw new IllegalArgumentException("age: " + age + " is negative");
    }
    return new Expiry(age, Time.MILLISECONDS, 0, ByteOrder.BIG_ENDIAN, new byte[0]);
  }

  /**
   * Sets the form of the time.
   *
   * @param form of the time in all values
   * @return the changed rule
   */
  public Expiry time(Time form) {
    return new Expiry(age, requireNonNull(form, "form"), offset, byteOrder, keyPrefix);
  }

  /**
   * Sets where in a value the time is.
   *
   * @param bytes before it, at least 0
   * @return the changed rule
   */
  public Expiry offset(int bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes: " + bytes + " is below zero");
    }
    return new Expiry(age, time, bytes, byteOrder, keyPrefix);
  }

  /**
   * Sets the order of the bytes of the time.
   *
   * @param order in all values
   * @return the changed rule
   */
  public Expiry byteOrder(ByteOrder order) {
    return new Expiry(age, time, offset, requireNonNull(order, "order"), keyPrefix);
  }

  /**
   * Leaves out keys that do not begin with some bytes: their rows do not expire.
   *
   * @param prefix what keys begin with whose rows can expire; copied
   * @return the changed rule
   */
  public Expiry keyPrefix(byte[] prefix) {
    return new Expiry(age, time, offset, byteOrder, requireNonNull(prefix, "prefix").clone());
  }

  /**
   * Values with their time in front, in the form that this rule reads. Under {@link #after after(Duration.ZERO)} it is the
   * end of a row, so that each has a life of its own.
   *
   * <pre>{@code
   * ValueCodec<Session> sessions = Expiry.after(Duration.ZERO).stamped(Session::end, json);
   * }</pre>
   *
   * @param time takes the time from a value that is written, or from the clock; one that is later than the form can say
   *     is the last that it can, and one before 1990 is refused, as its row would never expire
   * @param values the codec of the rest
   * @param <V> the type of the values
   * @return the codec, which leaves the time out when it reads
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
   * Whether a row is expired by now, whether it was deleted for it or not.
   *
   * @param key of the row; borrowed
   * @param value of the row; borrowed
   * @return true if a compaction that begins now deletes it
   */
  public boolean isExpired(byte[] key, byte[] value) {
    return isExpired(
        MemorySegment.ofArray(requireNonNull(key, "key")), MemorySegment.ofArray(requireNonNull(value, "value")));
  }

  /**
   * Whether a row is expired by now, whether it was deleted for it or not.
   *
   * @param key of the row, such as {@link Row#key}; borrowed
   * @param value of the row; borrowed
   * @return true if a compaction that begins now deletes it
   */
  public boolean isExpired(MemorySegment key, MemorySegment value) {
    return isExpired(key, value, System.currentTimeMillis());
  }

  /**
   * Whether a row is expired at a moment, so that all rows of a scan are held against one.
   *
   * @param key of the row; borrowed
   * @param value of the row; borrowed
   * @param moment taken for now
   * @return true if a compaction that begins then deletes it
   */
  public boolean isExpired(MemorySegment key, MemorySegment value, Instant moment) {
    return isExpired(key, value, requireNonNull(moment, "moment").toEpochMilli());
  }

  private boolean isExpired(MemorySegment key, MemorySegment value, long millis) {
    requireNonNull(key, "key");
    requireNonNull(value, "value");
    return rules.isExpired(key, value, millis);
  }

  /** The rule as compactions have it. */
  ExpiryRules rules() {
    return rules;
  }

  /** The age in the units of the time, no less than it is; one that is too long for these never ends. */
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
    return other instanceof Expiry its
        && age.equals(its.age)
        && time == its.time
        && offset == its.offset
        && byteOrder == its.byteOrder
        && Arrays.equals(keyPrefix, its.keyPrefix);
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
