/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.scan.RangeEnds;
import org.rocksdbffm.internal.settings.WriteRules;

/**
 * A range of keys, from one end to another. Each end is open, or a key that belongs to the range or does not. Immutable.
 *
 * <p>{@link #between} has its first key and not its last, as most ranges of computers have; {@link #closed} has both, {@link
 * #after} begins behind a key and {@link #through} ends with one. {@link #excludingStart} and {@link #includingEnd} change an
 * end of any range. All of it holds in every order of keys: where these are not ordered as bytes, a scan compares each row
 * with an end that belongs to the range, and under a comparator in Java it may read a row behind it.
 *
 * <p>A range whose end comes before its first key, in the order of the column family, holds no keys: a scan of it finds
 * none, and only {@link KeyWriter#deleteRange(byte[], byte[])} refuses it, because it is more likely an error there.
 */
public final class KeyRange {
  private static final KeyRange ALL = new KeyRange(null, false, null, false);
  private static final int LAST_BYTE = 0xff;

  private final byte[] from;
  private final boolean startExcluded;
  private final byte[] until;
  private final boolean endIncluded;

  private KeyRange(byte[] from, boolean startExcluded, byte[] until, boolean endIncluded) {
    this.from = from;
    this.startExcluded = startExcluded;
    this.until = until;
    this.endIncluded = endIncluded;
  }

  /**
   * All keys.
   *
   * @return a range that is open on both sides
   */
  public static KeyRange all() {
    return ALL;
  }

  /**
   * All keys from one on.
   *
   * @param key the first key that may be in the range; copied
   * @return the range
   */
  public static KeyRange from(byte[] key) {
    return new KeyRange(copy("key", key), false, null, false);
  }

  /**
   * All keys from one on.
   *
   * @param key the first key that may be in the range; copied
   * @return the range
   */
  public static KeyRange from(MemorySegment key) {
    return new KeyRange(copy("key", key), false, null, false);
  }

  /**
   * All keys behind one.
   *
   * @param key the last key that is not in the range yet; copied
   * @return the range
   */
  public static KeyRange after(byte[] key) {
    return new KeyRange(copy("key", key), true, null, false);
  }

  /**
   * All keys behind one.
   *
   * @param key the last key that is not in the range yet; copied
   * @return the range
   */
  public static KeyRange after(MemorySegment key) {
    return new KeyRange(copy("key", key), true, null, false);
  }

  /**
   * All keys before one.
   *
   * @param key the first key that is not in the range any more; copied
   * @return the range
   */
  public static KeyRange until(byte[] key) {
    return new KeyRange(null, false, copy("key", key), false);
  }

  /**
   * All keys before one.
   *
   * @param key the first key that is not in the range any more; copied
   * @return the range
   */
  public static KeyRange until(MemorySegment key) {
    return new KeyRange(null, false, copy("key", key), false);
  }

  /**
   * All keys up to one, and that too.
   *
   * @param key the last key that may be in the range; copied
   * @return the range
   */
  public static KeyRange through(byte[] key) {
    return new KeyRange(null, false, copy("key", key), true);
  }

  /**
   * All keys up to one, and that too.
   *
   * @param key the last key that may be in the range; copied
   * @return the range
   */
  public static KeyRange through(MemorySegment key) {
    return new KeyRange(null, false, copy("key", key), true);
  }

  /**
   * The keys from one up to, and not with, another.
   *
   * @param from the first key that may be in the range; copied
   * @param until the first key that is not in the range any more; copied
   * @return the range
   */
  public static KeyRange between(byte[] from, byte[] until) {
    return new KeyRange(copy("from", from), false, copy("until", until), false);
  }

  /**
   * The keys from one up to, and not with, another.
   *
   * @param from the first key that may be in the range; copied
   * @param until the first key that is not in the range any more; copied
   * @return the range
   */
  public static KeyRange between(MemorySegment from, MemorySegment until) {
    return new KeyRange(copy("from", from), false, copy("until", until), false);
  }

  /**
   * The keys from one up to another, and that too.
   *
   * @param from the first key that may be in the range; copied
   * @param through the last key that may be in the range; copied
   * @return the range
   */
  public static KeyRange closed(byte[] from, byte[] through) {
    return new KeyRange(copy("from", from), false, copy("through", through), true);
  }

  /**
   * The keys from one up to another, and that too.
   *
   * @param from the first key that may be in the range; copied
   * @param through the last key that may be in the range; copied
   * @return the range
   */
  public static KeyRange closed(MemorySegment from, MemorySegment through) {
    return new KeyRange(copy("from", from), false, copy("through", through), true);
  }

  /**
   * The keys that begin with some bytes, where keys are ordered as unsigned bytes (the default).
   *
   * @param prefix what they begin with; copied
   * @return the range
   */
  public static KeyRange prefix(byte[] prefix) {
    return ofPrefixes(copy("prefix", prefix), copy("prefix", prefix));
  }

  /**
   * The keys that begin with some bytes, where keys are ordered as unsigned bytes (the default).
   *
   * @param prefix what they begin with; copied
   * @return the range
   */
  public static KeyRange prefix(MemorySegment prefix) {
    return ofPrefixes(copy("prefix", prefix), copy("prefix", prefix));
  }

  /** The keys from the first that begins with some bytes to the last that begins with others, ordered as unsigned bytes. */
  static KeyRange ofPrefixes(byte[] first, byte[] last) {
    return new KeyRange(first, false, firstBehind(last), false);
  }

  /** The least key above all that begin with the prefix; null if there is none. */
  private static byte[] firstBehind(byte[] prefix) {
    int length = prefix.length;
    while (length > 0 && (prefix[length - 1] & LAST_BYTE) == LAST_BYTE) {
      length--;
    }
    if (length == 0) {
      return null;
    }
    byte[] end = Arrays.copyOf(prefix, length);
    end[length - 1]++;
    return end;
  }

  private static byte[] copy(String name, byte[] key) {
    return requireNonNull(key, name).clone();
  }

  private static byte[] copy(String name, MemorySegment key) {
    return requireNonNull(key, name).toArray(ValueLayout.JAVA_BYTE);
  }

  /**
   * The same range without the key that it begins with.
   *
   * @return the range; one that is open at its start stays as it is
   */
  public KeyRange excludingStart() {
    return from == null ? this : new KeyRange(from, true, until, endIncluded);
  }

  /**
   * The same range with the key that it ends at. The end of a {@link #prefix} is the first key that has another one.
   *
   * @return the range; one that is open at its end stays as it is
   */
  public KeyRange includingEnd() {
    return until == null ? this : new KeyRange(from, startExcluded, until, true);
  }

  /** The key at the start, whether it is in the range or not; null if that is open. Not to be changed. */
  byte[] lower() {
    return from;
  }

  /** The key at the end, whether it is in the range or not; null if that is open. Not to be changed. */
  byte[] upper() {
    return until;
  }

  /** Whether the key at the start is not in the range. */
  boolean isStartExcluded() {
    return startExcluded;
  }

  /** Whether the key at the end is in the range. */
  boolean isEndIncluded() {
    return endIncluded;
  }

  /** Throws unless a record or two of the engine delete it. */
  void requireDeletable() {
    if (from == null || until == null) {
      throw new IllegalArgumentException(
          "range: " + this + " is open, and the engine deletes from one key up to another; name both");
    }
    if (startExcluded) {
      throw new IllegalArgumentException(
          "range: " + this + " begins behind a key, and the engine deletes from a key on: the next one is known only where keys"
              + " are ordered as bytes, which a batch knows by WriteBatch.in; name the first key to delete");
    }
  }

  /** The same range with its first key and not its last, for keys that are ordered as unsigned bytes. */
  KeyRange halfOpen() {
    return startExcluded || endIncluded
        ? new KeyRange(startExcluded ? next(from) : from, false, endIncluded ? next(until) : until, false)
        : this;
  }

  /** The key that comes right behind another where keys are ordered as unsigned bytes, and in no other order. */
  private static byte[] next(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  /** The part of the range behind a key; all of it where the key is before its start. */
  KeyRange behind(byte[] key, WriteRules order) {
    boolean isBefore =
        from != null
            && order.compare(MemorySegment.ofArray(key), key.length, MemorySegment.ofArray(from), from.length) < 0;
    return isBefore ? this : new KeyRange(key, true, until, endIncluded);
  }

  /** The same range, half open if that is possible in the order of a column family. */
  KeyRange in(WriteRules order) {
    return order.isOrderedByBytes() ? halfOpen() : this;
  }

  /** The range as scans take it, for the keys of a column family. */
  RangeEnds ends(WriteRules order) {
    StackRoom.require(); // a class that is initialized at the end of a stack stays unusable
    KeyRange its = in(order);
    return RangeEnds.of(its.from, its.startExcluded, its.until, its.endIncluded, order);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyRange that
        && startExcluded == that.startExcluded
        && endIncluded == that.endIncluded
        && Arrays.equals(from, that.from)
        && Arrays.equals(until, that.until);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(from) + Arrays.hashCode(until);
  }

  @Override
  public String toString() {
    return (startExcluded ? "(" : "[") + hex(from) + ", " + hex(until) + (endIncluded ? "]" : ")");
  }

  private static String hex(byte[] key) {
    return key == null ? "..." : HexFormat.of().formatHex(key);
  }
}
