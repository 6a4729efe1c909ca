/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.commands;

/**
 * The execution of a command, in short steps: one key, or one access to the database. So a command with many keys does
 * not block an event loop for long, and pins at most one value. Used by one thread at a time.
 */
public interface CommandWork {
  /**
   * Runs a step on the event loop, and writes its replies; if it throws, nothing is written.
   *
   * @return whether that was the last step
   * @throws Store.WouldWait if {@link #stepAside} must run first
   */
  boolean step(ReplyWriter answers);

  /** Runs the next step on a thread that may block. The following {@link #step} writes the result. */
  void stepAside();

  /**
   * Writes an error for a step that failed, and continues with the next.
   *
   * @param error the message for the client
   * @return whether that was the last step
   */
  boolean failed(ReplyWriter answers, String error);

  /** Releases results that were not written. */
  void release();
}
