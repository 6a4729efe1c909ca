/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The engines that are compared: ways to the one RocksDB library. */
public enum Engine {
  /** C loops, which are the limit. */
  NATIVE,
  /** rocksdbjni. */
  JNI,
  /** This library. */
  FFM,
  /**
   * The rows of rocksdbjni, on a class path on which the drop-in has its classes. The system property {@code
   * org.rocksdbffm.jmh.compat} gives the class path of that; without it this engine is left out.
   */
  COMPAT;

  /** The class path of what stands for rocksdbjni. */
  public static final String COMPAT_CLASS_PATH = "org.rocksdbffm.jmh.compat";

  static final Set<Engine> ALL = Set.of(values());

  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The value of the benchmarks' parameter. */
  public String parameter() {
    return this == COMPAT ? JNI.id() : id();
  }

  public boolean isAvailable() {
    return this != COMPAT || System.getProperty(COMPAT_CLASS_PATH) != null;
  }

  /** The class path of a JVM that measures this engine. */
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
