/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.leak;

import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import org.rocksdbffm.internal.loader.Warnings;

/** How closely objects are watched for being forgotten; set by the system property {@code org.rocksdbffm.leaks}. */
public enum LeakLevel {
  /** Nothing is reported. */
  OFF,
  /** Reports everything except small objects and most pinned values; a sample with the place of creation. */
  SAMPLED,
  /** Reports everything, with the place where it was created. */
  ALL;

  private static final int TRACED_ONE_IN = 128;

  static final String PROPERTY = "org.rocksdbffm.leaks";
  public static final LeakLevel CURRENT = of(System.getProperty(PROPERTY, "sampled"));

  /** Whether the user has set the level. */
  public static boolean isSet() {
    return System.getProperty(PROPERTY) != null;
  }

  /** Whether the next object remembers where it was created. */
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
