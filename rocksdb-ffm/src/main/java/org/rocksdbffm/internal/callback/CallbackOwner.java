/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

import org.rocksdbffm.internal.call.HandledResource;

/** A database, as the callbacks that serve it know it. */
public interface CallbackOwner extends HandledResource {
  /**
   * Refuses all but the close, because what is written could not be in order any more, and has the engine give up
   * what it is writing. Called by a callback, so in the midst of the engine's work.
   */
  void stop(String reason, Throwable cause);

  /**
   * Whether the engine gives up what it writes, for which this waits. Where the thread that asks holds the engine's
   * lock, the engine cannot be told, so the wait has an end.
   */
  boolean awaitStopOfEngine(long nanos);

  /** Throws if the database was stopped, be it by what the thread that asks had the engine do. */
  void requireSound();
}
