/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options.table;

/** RocksDB's integer types. An unsigned 64-bit number is a {@code long} with the same bits. */
public enum NumberType {
  UINT8(0, 255),
  INT(Integer.MIN_VALUE, Integer.MAX_VALUE),
  UINT(0, 0xFFFF_FFFFL),
  LONG(Long.MIN_VALUE, Long.MAX_VALUE),
  ULONG(0, -1);

  private static final String UNITS = "kmgt";

  public final long least;
  public final long most;

  NumberType(long least, long most) {
    this.least = least;
    this.most = most;
  }

  int compare(long a, long b) {
    return this == ULONG ? Long.compareUnsigned(a, b) : Long.compare(a, b);
  }

  boolean holds(long number) {
    return compare(number, least) >= 0 && compare(number, most) <= 0;
  }

  String format(long number) {
    return this == ULONG ? Long.toUnsignedString(number) : Long.toString(number);
  }

  /**
   * Parses a number as RocksDB does, but refuses errors that RocksDB ignores: overflow, trailing letters, and a minus
   * of unsigned numbers.
   *
   * @throws NumberFormatException if the text is not a number of this type
   */
  long parse(String text) {
    String digits = text.startsWith("+") ? text.substring(1) : text;
    int shift = 0;
    if (!digits.isEmpty()) {
      int unit = UNITS.indexOf(Character.toLowerCase(digits.charAt(digits.length() - 1)));
      if (unit >= 0) {
        shift = 10 * (unit + 1);
        digits = digits.substring(0, digits.length() - 1);
      }
    }
    requireDigits(digits, text);
    long number = this == ULONG ? Long.parseUnsignedLong(digits) : Long.parseLong(digits);
    long shifted = number << shift;
    boolean overflows = (this == ULONG ? shifted >>> shift : shifted >> shift) != number;
    if (overflows || !holds(shifted)) {
      throw new NumberFormatException(text);
    }
    return shifted;
  }

  private void requireDigits(String digits, String text) {
    int from = digits.startsWith("-") && this != ULONG ? 1 : 0;
    boolean right = digits.length() > from;
    for (int i = from; i < digits.length(); i++) {
      right &= digits.charAt(i) >= '0' && digits.charAt(i) <= '9';
    }
    if (!right) {
      throw new NumberFormatException(text);
    }
  }
}
