/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options.table;

/** Numbers with a point. The engine reads the beginning of a text and passes over the rest; here all of it counts. */
final class Decimals {
  private Decimals() {}

  /**
   * Reads a finite number.
   *
   * @throws NumberFormatException if it is none
   */
  static double parse(String text) {
    int at = afterSign(text, 0);
    int afterWhole = afterDigits(text, at);
    boolean right = afterWhole > at;
    at = afterWhole;
    if (right && at < text.length() && text.charAt(at) == '.') {
      int afterFraction = afterDigits(text, at + 1);
      right = afterFraction > at + 1;
      at = afterFraction;
    }
    if (right && at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
      int exponent = afterSign(text, at + 1);
      at = afterDigits(text, exponent);
      right = at > exponent;
    }
    if (!right || at < text.length()) {
      throw new NumberFormatException(text);
    }
    double number = Double.parseDouble(text);
    if (Double.isInfinite(number)) {
      throw new NumberFormatException(text);
    }
    return number;
  }

  private static int afterSign(String text, int at) {
    return at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+') ? at + 1 : at;
  }

  private static int afterDigits(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at;
  }
}
