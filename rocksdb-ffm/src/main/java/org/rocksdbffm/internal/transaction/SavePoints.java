/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.transaction;

import java.util.Arrays;

/**
 * The save points of a transaction. The engine's C API cannot remove one and keep what was changed since, so one that is
 * removed here stays in the engine, and the one before it is returned to by way of it. Used by one thread at a time.
 */
final class SavePoints {
  // How many of the engine's each one stands for.
  private int[] ofEngine = new int[4];
  private int count;

  void push() {
    if (count == ofEngine.length) {
      ofEngine = Arrays.copyOf(ofEngine, count * 2);
    }
    ofEngine[count++] = 1;
  }

  /** How many of the engine's are to be returned to one after the other, for the last one. */
  int top() {
    if (count == 0) {
      throw new IllegalStateException("the transaction has no save point: call setSavePoint first");
    }
    return ofEngine[count - 1];
  }

  void pop() {
    count--;
  }

  /** Removes the last one, so that the one before it stands for it too. */
  void mergeTop() {
    int removed = top();
    pop();
    if (count != 0) {
      ofEngine[count - 1] += removed;
    }
  }
}
