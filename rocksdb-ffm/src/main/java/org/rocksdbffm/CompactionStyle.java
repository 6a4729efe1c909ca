/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

/** The ways in which the engine compacts files. */
public enum CompactionStyle {
  /** By levels: reads and space matter most; the engine's default. */
  LEVEL("kCompactionStyleLevel"),
  /** By sorted runs: writes matter most. */
  UNIVERSAL("kCompactionStyleUniversal"),
  /** The oldest files are dropped: for a cache or a log. */
  FIFO("kCompactionStyleFIFO"),
  /** Not at all, unless it is asked for. */
  NONE("kCompactionStyleNone");

  private final String id;

  CompactionStyle(String id) {
    this.id = id;
  }

  /**
   * The engine's name for it.
   *
   * @return the name in option texts
   */
  public String id() {
    return id;
  }
}
