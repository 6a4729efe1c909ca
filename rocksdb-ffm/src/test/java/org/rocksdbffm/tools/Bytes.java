/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.tools;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.Scan;

/** Keys and values for tests. */
public final class Bytes {
  private Bytes() {}

  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  public static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }

  /** Returns all keys of a reader. */
  public static List<String> keys(KeyReader reader) {
    List<String> keys = new ArrayList<>();
    try (Scan scan = reader.scan(KeyRange.all())) {
      while (scan.next()) {
        keys.add(text(scan.keyBytes()));
      }
    }
    return keys;
  }

  /** Returns random bytes, the same for the same seed. */
  public static byte[] random(int size, long seed) {
    byte[] bytes = new byte[size];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
