/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reports;

import static java.util.Objects.requireNonNull;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * A callback for the messages that the engine would otherwise write to the file {@code LOG}: its settings, its
 * background work, and failures.
 *
 * <p>A separate thread calls it for one message at a time, soon after the message, including messages of the opening
 * and the close. The engine does not wait for it: it may be slow, use the database, and close it. While some 500 KiB of
 * messages are queued, later ones are dropped, and {@link #dropped} gets their number. Exceptions are logged. The last
 * messages of a database may arrive after its close.
 */
@FunctionalInterface
public interface InfoLog {
  /**
   * Receives a message.
   *
   * @param level the severity; the option {@code info_log_level} sets the lowest level that is logged, by default INFO,
   *     with hundreds of messages about settings at an opening
   * @param text may have several lines; does not end with a line break
   */
  void log(Level level, String text);

  /**
   * Reports that messages were dropped, because the queue was full. By default this is logged as a message.
   *
   * @param count the number of dropped messages
   */
  default void dropped(long count) {
    log(Level.WARNING, count + " messages of the engine were dropped here, because too many waited");
  }

  /**
   * Returns a log that passes messages to a platform logger, with their level.
   *
   * @param logger <em>shared</em> with the databases that are opened with this
   * @return the log
   */
  static InfoLog to(Logger logger) {
    return new LoggerLog(requireNonNull(logger, "logger"));
  }

  /**
   * Returns a log that discards all messages: the engine does not format them, and writes no file.
   *
   * @return the log
   */
  static InfoLog none() {
    return NoLog.NONE;
  }
}
