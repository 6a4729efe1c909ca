/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.scan;

import java.lang.foreign.Arena;

/**
 * The views of large rows of an iterator, one row at a time. Referenced by the user's object; the open iterator, which
 * the database references, only has a weak reference, because an arena references its thread.
 */
final class RowViews {
  /** The arena of the views; null before the first view. */
  Arena arena;

  /** The thread that owns the views. */
  private Thread viewer;

  boolean areMine() {
    return viewer == Thread.currentThread();
  }

  void begin(Arena opened) {
    arena = opened;
    viewer = Thread.currentThread();
  }

  void forget() {
    arena = null;
    viewer = null;
  }
}
