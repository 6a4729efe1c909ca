/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import java.util.Arrays;
import java.util.function.Supplier;

/** The calls of one operation on several objects, exited together. Not thread-safe. */
public final class Calls implements AutoCloseable {
  private static final int FEW = 4;

  private Call[] taken = {};
  private int count;

  public void enter(Handle handle) {
    enter(() -> Call.enter(handle));
  }

  /** Enters a call by the supplier, and adds it; ensures capacity first, so that adding cannot fail. */
  public Call enter(Supplier<Call> taking) {
    if (count == taken.length) {
      taken = Arrays.copyOf(taken, Math.max(FEW, 2 * count));
    }
    taken[count] = taking.get();
    return taken[count++];
  }

  @Override
  public void close() {
    while (count > 0) {
      count--;
      taken[count].exit();
    }
  }
}
