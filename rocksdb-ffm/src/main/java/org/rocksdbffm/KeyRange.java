/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.scan.RangeEnds;
import org.rocksdbffm.internal.settings.WriteRules;

/**
 * A range of keys. Each end is open, or a key that is included or excluded. Immutable.
 *
 * <p>{@link #between} includes its first key and excludes its last; {@link #closed} includes both; {@link #after}
 * excludes its start, and {@link #through} includes its end. {@link #excludingStart} and {@link #includingEnd} change
 * an end of any range. All of these work in every key order: unless keys are in bytewise order, a scan compares each
 * row with an inclusive end, and with a Java comparator it may read a row after it.
 *
 * <p>A range whose end comes before its start, in the order of the column family, is empty: a scan finds no rows, and
 * only {@link KeyWriter#deleteRange(byte[], byte[])} refuses it, because it is probably an error there.
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
   * Returns the range of all keys.
   *
   * @return a range that is open at both ends
   */
  public static KeyRange all() {
    return ALL;
  }

  /**
   * Returns the range from a key on.
   *
   * @param key the inclusive lower bound; copied
   * @return the range
   */
  public static KeyRange from(byte[] key) {
    return new KeyRange(copy("key", key), false, null, false);
  }

  /**
   * Returns the range from a key on.
   *
   * @param key the inclusive lower bound; copied
   * @return the range
   */
  public static KeyRange from(MemorySegment key) {
    return new KeyRange(copy("key", key), false, null, false);
  }

  /**
   * Returns the range after a key.
   *
   * @param key the exclusive lower bound; copied
   * @return the range
   */
  public static KeyRange after(byte[] key) {
    return new KeyRange(copy("key", key), true, null, false);
  }

  /**
   * Returns the range after a key.
   *
   * @param key the exclusive lower bound; copied
   * @return the range
   */
  public static KeyRange after(MemorySegment key) {
    return new KeyRange(copy("key", key), true, null, false);
  }

  /**
   * Returns the range before a key.
   *
   * @param key the exclusive upper bound; copied
   * @return the range
   */
  public static KeyRange until(byte[] key) {
    return new KeyRange(null, false, copy("key", key), false);
  }

  /**
   * Returns the range before a key.
   *
   * @param key the exclusive upper bound; copied
   * @return the range
   */
  public static KeyRange until(MemorySegment key) {
    return new KeyRange(null, false, copy("key", key), false);
  }

  /**
   * Returns the range up to and including a key.
   *
   * @param key the inclusive upper bound; copied
   * @return the range
   */
  public static KeyRange through(byte[] key) {
    return new KeyRange(null, false, copy("key", key), true);
  }

  /**
   * Returns the range up to and including a key.
   *
   * @param key the inclusive upper bound; copied
   * @return the range
   */
  public static KeyRange through(MemorySegment key) {
    return new KeyRange(null, false, copy("key", key), true);
  }

  /**
   * Returns the range from one key up to, but not including, another.
   *
   * @param from the inclusive lower bound; copied
   * @param until the exclusive upper bound; copied
   * @return the range
   */
  public static KeyRange between(byte[] from, byte[] until) {
    return new KeyRange(copy("from", from), false, copy("until", until), false);
  }

  /**
   * Returns the range from one key up to, but not including, another.
   *
   * @param from the inclusive lower bound; copied
   * @param until the exclusive upper bound; copied
   * @return the range
   */
  public static KeyRange between(MemorySegment from, MemorySegment until) {
    return new KeyRange(copy("from", from), false, copy("until", until), false);
  }

  /**
   * Returns the range from one key up to and including another.
   *
   * @param from the inclusive lower bound; copied
   * @param through the inclusive upper bound; copied
   * @return the range
   */
  public static KeyRange closed(byte[] from, byte[] through) {
    return new KeyRange(copy("from", from), false, copy("through", through), true);
  }

  /**
   * Returns the range from one key up to and including another.
   *
   * @param from the inclusive lower bound; copied
   * @param through the inclusive upper bound; copied
   * @return the range
   */
  public static KeyRange closed(MemorySegment from, MemorySegment through) {
    return new KeyRange(copy("from", from), false, copy("through", through), true);
  }

  /**
   * Returns the range of keys with a prefix, in bytewise order (the default).
   *
   * @param prefix the prefix; copied
   * @return the range
   */
  public static KeyRange prefix(byte[] prefix) {
    return ofPrefixes(copy("prefix", prefix), copy("prefix", prefix));
  }

  /**
   * Returns the range of keys with a prefix, in bytewise order (the default).
   *
   * @param prefix the prefix; copied
   * @return the range
   */
  public static KeyRange prefix(MemorySegment prefix) {
    return ofPrefixes(copy("prefix", prefix), copy("prefix", prefix));
  }

  /** Returns the range from the first key with one prefix to the last key with another, in bytewise order. */
  static KeyRange ofPrefixes(byte[] first, byte[] last) {
    return new KeyRange(first, false, firstBehind(last), false);
  }

  /** Returns the smallest key after all keys with the prefix; null if absent. */
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
    Call.requireKeySize(name, requireNonNull(key, name).byteSize());
    try {
      return key.toArray(ValueLayout.JAVA_BYTE);
    } catch (IllegalStateException | WrongThreadException e) {
      throw Memory.inaccessible(name, e);
    }
  }

  /**
   * Returns this range without its start key.
   *
   * @return the range; unchanged if its start is open
   */
  public KeyRange excludingStart() {
    return from == null ? this : new KeyRange(from, true, until, endIncluded);
  }

  /**
   * Returns this range including its end key. The end of a {@link #prefix} range is the first key without the prefix.
   *
   * @return the range; unchanged if its end is open
   */
  public KeyRange includingEnd() {
    return until == null ? this : new KeyRange(from, startExcluded, until, true);
  }

  /** Returns the start key, included or not; null if the start is open. Must not be modified. */
  byte[] lower() {
    return from;
  }

  /** Returns the end key, included or not; null if the end is open. Must not be modified. */
  byte[] upper() {
    return until;
  }

  /** Whether the end key is included. */
  boolean isEndIncluded() {
    return endIncluded;
  }

  /** Throws unless one or two records can delete the range. */
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

  /** Returns the range with an included start and an excluded end, for bytewise order. */
  KeyRange halfOpen() {
    return startExcluded || endIncluded
        ? new KeyRange(startExcluded ? next(from) : from, false, endIncluded ? next(until) : until, false)
        : this;
  }

  /** Returns the successor of a key in bytewise order; other orders have none. */
  private static byte[] next(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  /** Returns the part of the range after a key, or the whole range if the key is before its start. */
  KeyRange behind(byte[] key, WriteRules order) {
    boolean isBefore =
        from != null
            && order.compare(MemorySegment.ofArray(key), key.length, MemorySegment.ofArray(from), from.length) < 0;
    return isBefore ? this : new KeyRange(key, true, until, endIncluded);
  }

  /** Returns the part of the range before a key that lies within it. */
  KeyRange before(byte[] key) {
    return new KeyRange(from, startExcluded, key, false);
  }

  /** Returns the part of the range from a key on that lies within it. */
  KeyRange since(byte[] key) {
    return new KeyRange(key, false, until, endIncluded);
  }

  /** Returns the range, half-open if the order of the column family is bytewise. */
  KeyRange in(WriteRules order) {
    return order.isOrderedByBytes() ? halfOpen() : this;
  }

  /** Returns the ends of the range for a scan of a column family. */
  RangeEnds ends(WriteRules order) {
    StackRoom.require(); // a class whose initialization overflows the stack stays unusable
    KeyRange ordered = in(order);
    return RangeEnds.of(ordered.from, ordered.startExcluded, ordered.until, ordered.endIncluded, order);
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
