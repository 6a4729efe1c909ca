/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.lifetime;

import java.util.ArrayList;
import java.util.List;

/**
 * The children of an object, which it closes before itself, the youngest first; and its short loans, which end when it
 * is cleared. Thread-safe.
 */
public final class Owner<C> {
  private Place<C> youngest;
  private volatile int age; // the number of times that it was cleared

  /** A child's position among the children of one owner. Guarded by the owner. */
  public static final class Place<C> {
    private final Owner<C> owner;
    private final C child;
    private Place<C> older;
    private Place<C> younger;
    private boolean isLeft;

    private Place(Owner<C> owner, C child) {
      this.owner = owner;
      this.child = child;
    }

    /** Removes the child from the owner; idempotent. */
    public void leave() {
      synchronized (owner) {
        if (!isLeft) {
          owner.remove(this);
        }
      }
    }
  }

  /** Adds a child; the caller keeps the owner from being closed. */
  public synchronized Place<C> add(C child) {
    Place<C> added = new Place<>(this, child);
    added.older = youngest;
    if (youngest != null) {
      youngest.younger = added;
    }
    youngest = added;
    return added;
  }

  private void remove(Place<C> place) {
    place.isLeft = true;
    if (place.older != null) {
      place.older.younger = place.younger;
    }
    if (place.younger != null) {
      place.younger.older = place.older;
    } else {
      youngest = place.older;
    }
  }

  /** Returns the current children, the youngest first. */
  public synchronized List<C> children() {
    List<C> children = new ArrayList<>();
    for (Place<C> place = youngest; place != null; place = place.older) {
      children.add(place.child);
    }
    return children;
  }

  /** Removes and returns all children, the youngest first. */
  public synchronized List<C> takeChildren() {
    List<C> taken = children();
    for (Place<C> place = youngest; place != null; place = place.older) {
      place.isLeft = true;
    }
    youngest = null;
    return taken;
  }

  /** Ends the short loans. One thread at a time clears an owner. */
  @SuppressWarnings("NonAtomicOperationOnVolatileField")
  public void clear() {
    age++;
  }

  int age() {
    return age;
  }
}
