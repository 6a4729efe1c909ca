/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

import java.util.ArrayDeque;
import java.util.Deque;

/** Objects that are closed together, the last one first. */
public final class Owned {
  private final Deque<AutoCloseable> objects = new ArrayDeque<>();

  public synchronized <T extends AutoCloseable> T add(T object) {
    objects.push(object);
    return object;
  }

  public synchronized void close() {
    while (!objects.isEmpty()) {
      try {
        objects.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
