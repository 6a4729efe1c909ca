/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.inspect;

import java.util.Arrays;
import java.util.function.Predicate;

/** Finds the first key of an order for which something holds that holds for all later ones, one byte after the other. */
final class NextKey {
  private static final int LONGEST = 4096;
  private static final int LONGEST_BACKWARD = 256; // where no key is the last before another
  private static final int LAST_BYTES = 32; // more of the greatest byte than keys have in a row
  private static final int GREATEST = 0xff;

  private NextKey() {}

  /**
   * Returns null if it holds for none.
   *
   * @param holdsForLater whether it holds for all later ones indeed; else bytes are tried one by one
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

  /** The greatest one, as the order is reverse: a key comes behind all those that it begins. */
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
