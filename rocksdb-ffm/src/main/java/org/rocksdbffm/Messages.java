/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.lang.System.Logger.Level;
import org.rocksdbffm.internal.callback.RawLog;
import org.rocksdbffm.reports.InfoLog;

/** Converts the engine's info log messages to public ones. */
final class Messages {
  private Messages() {}

  static RawLog to(InfoLog log) {
    return new RawLog() {
      @Override
      public void log(int level, String text) {
        log.log(level(level), text);
      }

      @Override
      public void dropped(long count) {
        log.dropped(count);
      }
    };
  }

  private static Level level(int number) {
    return switch (number) {
      case 0 -> Level.DEBUG;
      case 1, 5 -> Level.INFO; // 5 is the level of settings
      case 2 -> Level.WARNING;
      default -> Level.ERROR;
    };
  }
}
