/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

/** How much the engine counts and times for a {@link Profile}; each level has all of those above it. */
public enum ProfileLevel {
  /** Numbers and sizes alone; no clock is read. */
  COUNTS(2),
  /** Also how long parts of operations take, and the processor's time of them. */
  TIMES(5),
  /** Also how long mutexes are waited for, which takes more time itself. */
  ALL(6);

  private final int level;

  ProfileLevel(int level) {
    this.level = level;
  }

  /** The engine's number. */
  int level() {
    return level;
  }
}
