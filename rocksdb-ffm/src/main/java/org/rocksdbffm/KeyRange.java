/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * A range of keys: from a first key, which belongs to it, up to an end, which does not. Either may be
 * open. Immutable.
 *
 * <p>A range whose end comes before its first key, in the order of the column family, holds no keys: a scan of it finds
 * none, and only {@link Writer#deleteRange(byte[], byte[])} refuses it, because it is more likely an error there.
 */
public final class KeyRange {
  private static final KeyRange ALL = new KeyRange(null, null);
  private static final int LAST_BYTE = 0xff;

  private final byte[] from;
  private final byte[] until;

  private KeyRange(byte[] from, byte[] until) {
    this.from = from;
    this.until = until;
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
    return new KeyRange(requireNonNull(key, "key").clone(), null);
  }

  /**
   * All keys before one.
   *
   * @param key the first key that is not in the range any more; copied
   * @return the range
   */
  public static KeyRange until(byte[] key) {
    return new KeyRange(null, requireNonNull(key, "key").clone());
  }

  /**
   * The keys from one up to, and not with, another.
   *
   * @param from the first key that may be in the range; copied
   * @param until the first key that is not in the range any more; copied
   * @return the range
   */
  public static KeyRange between(byte[] from, byte[] until) {
    return new KeyRange(requireNonNull(from, "from").clone(), requireNonNull(until, "until").clone());
  }

  /**
   * The keys that begin with some bytes, where keys are ordered as unsigned bytes (the default).
   *
   * @param prefix what they begin with; copied
   * @return the range
   */
  public static KeyRange prefix(byte[] prefix) {
    return new KeyRange(requireNonNull(prefix, "prefix").clone(), firstBehind(prefix));
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

  /** The first key that may be in the range; null if it is open. Not to be changed. */
  byte[] lower() {
    return from;
  }

  /** The first key behind the range; null if it is open. Not to be changed. */
  byte[] upper() {
    return until;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyRange that && Arrays.equals(from, that.from) && Arrays.equals(until, that.until);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(from) + Arrays.hashCode(until);
  }

  @Override
  public String toString() {
    return "[" + hex(from) + ", " + hex(until) + ")";
  }

  private static String hex(byte[] key) {
    return key == null ? "..." : HexFormat.of().formatHex(key);
  }
}
