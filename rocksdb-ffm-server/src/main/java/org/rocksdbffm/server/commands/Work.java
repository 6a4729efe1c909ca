/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.commands;

/**
 * A command on its way to its answer, in steps that cost little each: one key, or one look at the database. So no command
 * keeps an event loop for long, however many keys it names, and no more than one value of it is on its way out. Used by
 * one thread at a time.
 */
public interface Work {
  /**
   * Takes a step on the event loop, and answers what there is to answer; all of it, or nothing if it throws.
   *
   * @return whether that was the last one
   * @throws Store.WouldWait if the step has to be taken aside first
   */
  boolean step(Answers answers);

  /** Takes the next step on a thread that may wait. Its result is answered by the {@link #step} that follows. */
  void stepAside();

  /**
   * Goes on behind a step that failed.
   *
   * @param error what the client is told
   * @return whether that was the last step
   */
  boolean failed(Answers answers, String error);

  /** Lets go of what was found and not told. */
  void release();
}
