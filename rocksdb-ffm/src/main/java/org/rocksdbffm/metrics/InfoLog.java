/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import static java.util.Objects.requireNonNull;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Code that takes the messages which the engine writes to the file {@code LOG} otherwise: its settings, what it does in
 * the background, and what fails there.
 *
 * <p>A thread of its own calls it for one message after the other, soon after they are written, those of the opening and of
 * the close included. The engine does not wait for it: it may take its time, use the database, and close it. While some
 * 500 KiB of messages wait, later ones are dropped, and {@link #dropped} has their count. An exception that it throws is
 * logged, and the next message follows. The last messages of a database may come after its close.
 */
@FunctionalInterface
public interface InfoLog {
  /**
   * Takes a message.
   *
   * @param level how grave it is; the option {@code info_log_level} says which are written at all. By default that is INFO,
   *     with hundreds of messages of settings at an opening
   * @param text may have several lines, without an end of line behind the last
   */
  void log(Level level, String text);

  /**
   * Says that messages were dropped, because too many waited. By default this is a message itself.
   *
   * @param count how many
   */
  default void dropped(long count) {
    log(Level.WARNING, count + " messages of the engine were dropped here, because too many waited");
  }

  /**
   * A log that hands messages to a logger of the platform, at their level.
   *
   * @param logger <em>shared</em> with the databases that are opened with this
   * @return the log
   */
  static InfoLog to(Logger logger) {
    return new LoggerLog(requireNonNull(logger, "logger"));
  }

  /**
   * A log without messages: the engine does not even make them, and writes no file.
   *
   * @return the log
   */
  static InfoLog none() {
    return NoLog.NONE;
  }
}
