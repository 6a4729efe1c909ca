/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.Map;
import java.util.TreeMap;

/** How many objects of each of upstream's classes are open. */
public final class OpenObjects {
  private OpenObjects() {}

  /** The classes of which there are any, with the numbers. Exact while nobody works. */
  public static Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>();
    Kind.forEachCount((name, count) -> {
      if (count != 0) {
        counts.put(name, count);
      }
    });
    return counts;
  }
}
