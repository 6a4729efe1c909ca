/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.frame;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The bytes that are printed unchanged: printable ASCII without the backslash. */
final class Printable {
  private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long TOP_BITS = 0x80 * ONES;
  private static final long SPACES = ' ' * ONES;
  private static final long BACKSLASHES = '\\' * ONES;
  private static final boolean[] IS_PRINTABLE = new boolean[0x100]; // by byte

  static {
    for (char c = ' '; c < 0x7f; c++) {
      IS_PRINTABLE[c] = c != '\\';
    }
  }

  private Printable() {}

  static boolean is(byte b) {
    return IS_PRINTABLE[b & 0xff];
  }

  /**
   * Returns the index of the first byte that is not printable; the length if all are. Checks eight bytes together, in
   * one method, because the compiler of short commands neither vectorizes a loop over bytes nor inlines much.
   */
  static int end(byte[] bytes, int from) {
    int i = from;
    int last = bytes.length - Long.BYTES; // the last word, which may overlap the one before it
    while (i <= last) {
      long word = (long) WORD.get(bytes, i);
      long notBelowSpace = (word | TOP_BITS) - SPACES;
      long notBackslash = (word ^ BACKSLASHES | TOP_BITS) - ONES;
      if (((word | word + ONES | ~(notBelowSpace & notBackslash)) & TOP_BITS) != 0) {
        break;
      }
      i = i == last ? bytes.length : Math.min(i + Long.BYTES, last);
    }
    while (i < bytes.length && IS_PRINTABLE[bytes[i] & 0xff]) {
      i++;
    }
    return i;
  }
}
