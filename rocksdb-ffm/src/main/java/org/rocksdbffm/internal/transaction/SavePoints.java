/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.transaction;

import java.util.Arrays;

/**
 * The save points of a transaction or an indexed batch. The C API cannot remove a save point and keep the later
 * changes. So a removed save point stays in the engine, and a rollback to the save point before it first rolls back to
 * the removed one. Used by one thread at a time.
 */
final class SavePoints {
  // For each save point, the number of the engine's save points that it represents.
  private int[] ofEngine = new int[4];
  private int count;

  void push() {
    if (count == ofEngine.length) {
      ofEngine = Arrays.copyOf(ofEngine, count * 2);
    }
    ofEngine[count++] = 1;
  }

  /** Returns the number of engine save points that a rollback to the last save point must roll back. */
  int top() {
    if (count == 0) {
      throw new IllegalStateException("there is no save point: call setSavePoint first");
    }
    return ofEngine[count - 1];
  }

  void pop() {
    count--;
  }

  /** Removes the last save point; the save point before it then represents both. */
  void mergeTop() {
    int removed = top();
    pop();
    if (count != 0) {
      ofEngine[count - 1] += removed;
    }
  }
}
