/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.leak;

import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import org.rocksdbffm.internal.loader.Warnings;

/** Which leaked objects are reported; set by the system property {@code org.rocksdbffm.leaks}. */
public enum LeakLevel {
  /** Reports nothing. */
  OFF,
  /** Reports all objects except small ones and most pinned values; a sample with the stack of creation. */
  SAMPLED,
  /** Reports all objects, with the stack of creation. */
  ALL;

  private static final int TRACED_ONE_IN = 128;

  static final String PROPERTY = "org.rocksdbffm.leaks";
  public static final LeakLevel CURRENT = of(System.getProperty(PROPERTY, "sampled"));

  /** Whether the user has set the level. */
  public static boolean isSet() {
    return System.getProperty(PROPERTY) != null;
  }

  /** Whether to record the stack of creation of the next object. */
  boolean isTraceDue() {
    return this == ALL || this == SAMPLED && ThreadLocalRandom.current().nextInt(TRACED_ONE_IN) == 0;
  }

  static LeakLevel of(String name) {
    for (LeakLevel level : values()) {
      if (level.name().equals(name.toUpperCase(Locale.ROOT))) {
        return level;
      }
    }
    Warnings.log(
        System.Logger.Level.WARNING, PROPERTY + "=" + name + " is ignored: it is off, sampled or all", null);
    return SAMPLED;
  }
}
