/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reads;

import java.util.HexFormat;
import java.util.Random;

/** Returns random keys of a few bytes, so that many keys are prefixes or direct successors of other keys. */
record Keys(int kinds, int longest) {
  private static final byte[] BYTES = {0, 1, 'a', 'b', (byte) 0xfe, (byte) 0xff};

  static Keys random(Random random) {
    return new Keys(2 + random.nextInt(BYTES.length - 1), 2 + random.nextInt(4));
  }

  byte[] next(Random random) {
    byte[] key = new byte[random.nextInt(longest + 1)];
    for (int i = 0; i < key.length; i++) {
      key[i] = BYTES[BYTES.length - 1 - random.nextInt(kinds)];
    }
    return key;
  }

  static String hex(byte[] key) {
    return key.length == 0 ? "''" : HexFormat.of().formatHex(key);
  }
}
