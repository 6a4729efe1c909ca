/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.db;

import org.rocksdbffm.internal.call.Status;

/**
 * How much of the work that a database does by itself is paused at the moment. Operations that would wait for the end of a
 * pause are refused while there is one. Thread-safe.
 */
public final class WorkPauses {
  private final String database;

  // Guarded by this.
  private int ofWork;
  private int ofManualCompactions;
  private long stops;

  WorkPauses(String database) {
    this.database = database;
  }

  synchronized void begin(NativePause.Kind kind) {
    count(kind, 1);
  }

  synchronized void end(NativePause.Kind kind) {
    count(kind, -1);
  }

  private void count(NativePause.Kind kind, int more) {
    switch (kind) {
      case BACKGROUND_WORK -> ofWork += more;
      case MANUAL_COMPACTIONS -> {
        ofManualCompactions += more;
        stops += more > 0 ? 1 : 0;
      }
      case FILE_DELETIONS -> { } // nothing waits for them
    }
  }

  /** Whether flushes and compactions are paused. */
  synchronized boolean isWorkPaused() {
    return ofWork > 0;
  }

  /** Refuses what needs a flush or a compaction, which would not begin before the pause ends. */
  public synchronized void requireWork() {
    if (ofWork > 0) {
      throw new IllegalStateException(
          "the background work of " + database + " is paused, and this would wait for its end: close the pause first");
    }
  }

  /** Refuses a manual compaction while there are to be none; returns a number for {@link #requireNotStopped}. */
  public synchronized long requireManualCompactions() {
    if (ofManualCompactions > 0) {
      throw new IllegalStateException(
          "the manual compactions of " + database + " are paused: close the pause first");
    }
    return stops;
  }

  /** Fails if manual compactions were stopped since, which the engine does not tell of. */
  void requireNotStopped(long since, String where) {
    synchronized (this) {
      if (stops == since) {
        return;
      }
    }
    Status.fail(
        "Result incomplete: Manual compaction paused: another thread has stopped the manual compactions", where);
  }
}
