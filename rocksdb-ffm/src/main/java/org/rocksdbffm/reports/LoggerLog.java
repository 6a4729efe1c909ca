/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reports;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Passes the engine's messages to a platform logger. */
record LoggerLog(Logger logger) implements InfoLog {
  @Override
  public void log(Level level, String text) {
    logger.log(level, text);
  }

  @Override
  public String toString() {
    return "to " + logger.getName();
  }
}
