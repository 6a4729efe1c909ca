/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.inspect;

import java.util.Arrays;
import java.util.function.Predicate;

/** Finds the first key that fulfills a condition, byte by byte, if all later keys fulfill it, too. */
final class NextKey {
  private static final int LONGEST = 4096;
  private static final int LONGEST_BACKWARD = 256; // because in reverse order there may be no first key
  private static final int LAST_BYTES = 32; // more trailing 0xff bytes than keys have
  private static final int GREATEST = 0xff;

  private NextKey() {}

  /**
   * Finds the first key; null if no key fulfills the condition.
   *
   * @param holdsForLater whether all later keys fulfill the condition; otherwise bytes are tried one by one
   */
  static byte[] of(Predicate<byte[]> holds, boolean isReverse, boolean holdsForLater) {
    return isReverse ? backward(holds) : forward(holds, holdsForLater);
  }

  private static byte[] forward(Predicate<byte[]> holds, boolean holdsForLater) {
    byte[] key = new byte[0];
    if (!holds.test(padded(key))) {
      return null;
    }
    while (!holds.test(key) && key.length < LONGEST) {
      int least = 0;
      int most = GREATEST;
      while (least < most) {
        int middle = holdsForLater ? (least + most) / 2 : least;
        if (holds.test(padded(with(key, middle)))) {
          most = middle;
        } else {
          least = middle + 1;
        }
      }
      key = with(key, least);
    }
    return key;
  }

  /** Finds the greatest key, which is the first in reverse order, in which a key sorts after its extensions. */
  private static byte[] backward(Predicate<byte[]> holds) {
    byte[] key = new byte[0];
    if (!holds.test(key)) {
      return null;
    }
    while (key.length < LONGEST_BACKWARD && holds.test(with(key, 0))) {
      int least = 0;
      int most = GREATEST;
      while (least < most) {
        int middle = (least + most + 1) / 2;
        if (holds.test(with(key, middle))) {
          least = middle;
        } else {
          most = middle - 1;
        }
      }
      key = with(key, least);
    }
    return key;
  }

  private static byte[] with(byte[] key, int next) {
    byte[] longer = Arrays.copyOf(key, key.length + 1);
    longer[key.length] = (byte) next;
    return longer;
  }

  private static byte[] padded(byte[] key) {
    byte[] longer = Arrays.copyOf(key, key.length + LAST_BYTES);
    Arrays.fill(longer, key.length, longer.length, (byte) GREATEST);
    return longer;
  }
}
