/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reports;

import java.lang.System.Logger.Level;

/** The log that discards all messages. */
enum NoLog implements InfoLog {
  /** The only instance. */
  NONE;

  @Override
  public void log(Level level, String text) {}

  @Override
  public String toString() {
    return "none";
  }
}
