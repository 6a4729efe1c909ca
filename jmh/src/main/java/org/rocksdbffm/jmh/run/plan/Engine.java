/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The engines that are compared: ways to call the same RocksDB library. */
public enum Engine {
  /** Loops in C, the lower bound. */
  NATIVE,
  /** rocksdbjni. */
  JNI,
  /** This library. */
  FFM,
  /**
   * The rows of rocksdbjni, with the drop-in on the class path. The system property {@code org.rocksdbffm.jmh.compat}
   * has the drop-in's class path; without it, this engine is omitted.
   */
  COMPAT;

  /** The property with the class path of the drop-in. */
  public static final String COMPAT_CLASS_PATH = "org.rocksdbffm.jmh.compat";

  static final Set<Engine> ALL = Set.of(values());

  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the value of the benchmarks' parameter. */
  public String parameter() {
    return this == COMPAT ? JNI.id() : id();
  }

  public boolean isAvailable() {
    return this != COMPAT || System.getProperty(COMPAT_CLASS_PATH) != null;
  }

  /** Returns the class path of a JVM that measures this engine. */
  public String classPath() {
    String own = System.getProperty("java.class.path");
    if (this != COMPAT) {
      return own;
    }
    List<String> entries = new ArrayList<>(List.of(own.split(":")));
    entries.removeIf(entry -> entry.contains("rocksdbjni"));
    return String.join(":", entries) + ":" + System.getProperty(COMPAT_CLASS_PATH);
  }
}
