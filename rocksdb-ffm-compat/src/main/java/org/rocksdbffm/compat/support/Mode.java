/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.lang.System.Logger.Level;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The handling of uses that rocksdbjni allows and this library does not support: a warning once, rejection, or neither.
 * The system property {@value #PROPERTY} selects it: {@code warn}, {@code strict} or {@code quiet}.
 */
public enum Mode {
  WARN,
  STRICT,
  QUIET;

  public static final String LOGGER = "org.rocksdbffm.compat";
  public static final String PROPERTY = "org.rocksdbffm.compat.options";

  private static final Mode NOW = of(System.getProperty(PROPERTY, "warn"));
  private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

  private static Mode of(String word) {
    for (Mode mode : values()) {
      if (mode.name().toLowerCase(Locale.ROOT).equals(word)) {
        return mode;
      }
    }
    System.getLogger(LOGGER)
        .log(Level.WARNING, "-D" + PROPERTY + "=" + word + " is ignored: it is warn, strict or quiet");
    return WARN;
  }

  public static boolean isStrict() {
    return NOW == STRICT;
  }

  public static boolean isQuiet() {
    return NOW == QUIET;
  }

  /** Logs a warning unless one with the same subject was logged before in this JVM. */
  public static void warnOnce(String subject, String warning) {
    if (NOW == WARN && WARNED.add(subject)) {
      System.getLogger(LOGGER).log(Level.WARNING, warning);
    }
  }
}
