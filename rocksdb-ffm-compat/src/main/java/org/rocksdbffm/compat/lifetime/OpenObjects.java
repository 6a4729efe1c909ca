/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.Map;
import java.util.TreeMap;

/** Counts the open objects of rocksdbjni's classes. */
public final class OpenObjects {
  private OpenObjects() {}

  /**
   * Returns the number of open objects by class name, without classes that have none. Exact only while no other thread
   * opens or closes objects.
   */
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
