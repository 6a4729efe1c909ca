/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

import org.rocksdbffm.internal.call.HandledResource;

/** A database, as seen by its callbacks. */
public interface CallbackOwner extends HandledResource {
  /**
   * Refuses all operations but the close, and makes the engine discard its current output, because its key order is no
   * longer certain. Called by a callback that the engine runs.
   */
  void stop(String reason, Throwable cause);

  /**
   * Waits until the engine has stopped writing; returns whether it has. The wait is limited, because the engine cannot
   * be stopped while the calling thread holds its lock.
   */
  boolean awaitStopOfEngine(long nanos);

  /** Throws if the database was stopped, including by the calling thread's last engine call. */
  void requireSound();
}
