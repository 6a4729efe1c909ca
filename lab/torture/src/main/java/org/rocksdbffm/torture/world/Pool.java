/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.world;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A limited number of objects, open or closed, that all clients use; an object added to a full pool replaces another.
 * Thread-safe.
 */
public final class Pool<H extends Held<?>> {
  private static final int SIZE = 12;
  private static final int TRIES = 4;
  private static final int CLOSED_IN = 12;

  private final AtomicReferenceArray<H> objects = new AtomicReferenceArray<>(SIZE);

  /** Returns an object, mostly an open one; null if the pool is empty. */
  public H any(Random random) {
    boolean closedWillDo = random.nextInt(CLOSED_IN) == 0;
    H found = null;
    int first = random.nextInt(SIZE);
    for (int i = 0; i < SIZE && (found == null || i < TRIES); i++) {
      H next = objects.get((first + i) % SIZE);
      if (next != null) {
        found = next;
        if (closedWillDo || !next.mayBeClosed()) {
          return found;
        }
      }
    }
    return found;
  }

  /** Adds an object, and returns the object that it replaces, or null. */
  H add(H object, Random random) {
    int first = random.nextInt(SIZE);
    for (int i = 0; i < SIZE; i++) {
      if (objects.compareAndSet((first + i) % SIZE, null, object)) {
        return null;
      }
    }
    return objects.getAndSet(first, object);
  }

  /** Empties the pool. */
  List<H> takeAll() {
    List<H> all = new ArrayList<>();
    for (int i = 0; i < SIZE; i++) {
      H object = objects.getAndSet(i, null);
      if (object != null) {
        all.add(object);
      }
    }
    return all;
  }

  List<H> all() {
    List<H> all = new ArrayList<>();
    for (int i = 0; i < SIZE; i++) {
      H object = objects.get(i);
      if (object != null) {
        all.add(object);
      }
    }
    return all;
  }
}
