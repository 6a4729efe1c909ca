/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

/** The ways in which the engine compacts files. */
public enum CompactionStyle {
  /** Levels: optimizes reads and space; the engine's default. */
  LEVEL("kCompactionStyleLevel"),
  /** Sorted runs: optimizes writes. */
  UNIVERSAL("kCompactionStyleUniversal"),
  /** Drops the oldest files: for caches and logs. */
  FIFO("kCompactionStyleFIFO"),
  /** No automatic compactions. */
  NONE("kCompactionStyleNone");

  private final String id;

  CompactionStyle(String id) {
    this.id = id;
  }

  /**
   * Returns the engine's name of the style.
   *
   * @return the name in option texts
   */
  public String id() {
    return id;
  }
}
