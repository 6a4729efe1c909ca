/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.transaction;

import java.util.Arrays;

/**
 * The save points of a transaction or an indexed batch. The C API cannot remove one and keep the later changes. So a removed one stays in
 * the engine, and a rollback to the one before it first rolls back to the removed one. Used by one thread at a time.
 */
final class SavePoints {
  // How many of the engine's save points each one represents.
  private int[] ofEngine = new int[4];
  private int count;

  void push() {
    if (count == ofEngine.length) {
      ofEngine = Arrays.copyOf(ofEngine, count * 2);
    }
    ofEngine[count++] = 1;
  }

  /** Returns how many engine save points a rollback to the last one must roll back. */
  int top() {
    if (count == 0) {
      throw new IllegalStateException("there is no save point: call setSavePoint first");
    }
    return ofEngine[count - 1];
  }

  void pop() {
    count--;
  }

  /** Removes the last one; the one before it then represents both. */
  void mergeTop() {
    int removed = top();
    pop();
    if (count != 0) {
      ofEngine[count - 1] += removed;
    }
  }
}
