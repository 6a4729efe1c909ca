/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.util.Locale;

/** How much is done to notice what nobody closed; set by the system property {@code org.rocksdbffm.leaks}. */
enum LeakLevel {
  /** Nothing is reported. */
  OFF,
  /** All is reported but pinned values, of which one in some is watched. */
  SAMPLED,
  /** All is reported, with the place where it was created. */
  ALL;

  static final String PROPERTY = "org.rocksdbffm.leaks";
  static final LeakLevel CURRENT = of(System.getProperty(PROPERTY, "sampled"));

  static LeakLevel of(String name) {
    for (LeakLevel level : values()) {
      if (level.name().equals(name.toUpperCase(Locale.ROOT))) {
        return level;
      }
    }
    System.getLogger(Watch.LOGGER)
        .log(System.Logger.Level.WARNING, PROPERTY + "=" + name + " is none of off, sampled and all; it is sampled");
    return SAMPLED;
  }
}
