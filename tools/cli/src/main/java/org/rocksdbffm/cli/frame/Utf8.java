/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.frame;

/** Decodes UTF-8 strictly, without exceptions for invalid bytes. */
final class Utf8 {
  private static final int INVALID = -1;
  private static final int[] LEAST = {0, 0, 0x80, 0x800, 0x10000}; // the smallest code point by number of bytes

  private Utf8() {}

  static boolean isValid(byte[] bytes, int from) {
    for (int i = from; i < bytes.length;) {
      if (bytes[i] >= 0) {
        i++;
      } else {
        int c = codePoint(bytes, i);
        if (c == INVALID) {
          return false;
        }
        i += length(c);
      }
    }
    return true;
  }

  /** Returns the code point at an index; negative if invalid. */
  static int codePoint(byte[] bytes, int at) {
    int first = bytes[at];
    if (first >= 0) {
      return first;
    }
    int length = Integer.numberOfLeadingZeros(~(first << 24));
    if (length < 2 || length > 4 || length > bytes.length - at) {
      return INVALID;
    }
    int c = first & 0x7f >> length;
    for (int i = 1; i < length; i++) {
      if ((bytes[at + i] & 0xc0) != 0x80) {
        return INVALID;
      }
      c = c << 6 | bytes[at + i] & 0x3f;
    }
    boolean isSurrogate = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    return c < LEAST[length] || c > Character.MAX_CODE_POINT || isSurrogate ? INVALID : c;
  }

  /** Returns the number of bytes of a code point. */
  static int length(int codePoint) {
    return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }
}
