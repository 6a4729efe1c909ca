/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import java.lang.System.Logger.Level;

/** Stands for a log that nothing is written to. */
enum NoLog implements InfoLog {
  /** The only one. */
  NONE;

  @Override
  public void log(Level level, String text) {}

  @Override
  public String toString() {
    return "none";
  }
}
