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

  /** Returns the index of the first byte that is not printable; the length if all are. */
  static int end(byte[] bytes, int from) {
    int i = from;
    while (i <= bytes.length - Long.BYTES && areAll((long) WORD.get(bytes, i))) {
      i += Long.BYTES;
    }
    while (i < bytes.length && IS_PRINTABLE[bytes[i] & 0xff]) {
      i++;
    }
    return i;
  }

  /** Whether all eight bytes are printable; the compiler of short commands does not vectorize a loop over bytes. */
  private static boolean areAll(long word) {
    long notBelowSpace = (word | TOP_BITS) - SPACES;
    long notBackslash = (word ^ BACKSLASHES | TOP_BITS) - ONES;
    return ((word | word + ONES | ~(notBelowSpace & notBackslash)) & TOP_BITS) == 0;
  }
}
