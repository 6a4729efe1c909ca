/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.scan;

import java.lang.foreign.Arena;

/**
 * The views of a large row that the user of an iterator has open, one row after the other. It belongs to the user's side:
 * the open iterator, which the database holds, refers to it weakly, because an arena holds its thread.
 */
final class RowViews {
  /** Ends them; null while there are none. */
  Arena arena;

  /** The thread that has them. */
  private Thread viewer;

  boolean areMine() {
    return viewer == Thread.currentThread();
  }

  void begin(Arena its) {
    arena = its;
    viewer = Thread.currentThread();
  }

  void forget() {
    arena = null;
    viewer = null;
  }
}
