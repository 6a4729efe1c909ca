/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.ArrayList;
import java.util.List;

/** The children of an object, which closes them before itself, the youngest first. Thread-safe. */
final class Children<T> {
  private Place<T> youngest;

  /** Adds a child; its place says whose child it is. */
  synchronized Place<T> add(T parent, T child) {
    Place<T> made = new Place<>(this, parent, child, youngest);
    if (youngest != null) {
      youngest.younger = made;
    }
    youngest = made;
    return made;
  }

  private synchronized void remove(Place<T> its) {
    if (!its.isListed) {
      return;
    }
    its.isListed = false;
    if (its.older != null) {
      its.older.younger = its.younger;
    }
    if (its.younger != null) {
      its.younger.older = its.older;
    } else {
      youngest = its.older;
    }
    its.older = null; // a closed child that is still held keeps its place, which must not keep its neighbours
    its.younger = null;
  }

  synchronized List<T> youngestFirst() {
    List<T> all = new ArrayList<>();
    for (Place<T> its = youngest; its != null; its = its.older) {
      all.add(its.child);
    }
    return all;
  }

  /** The children, the youngest first, of which this has none any more. */
  synchronized List<T> take() {
    List<T> taken = youngestFirst();
    while (youngest != null) {
      remove(youngest);
    }
    return taken;
  }

  /** A child's place among the children of one parent. Guarded by those. */
  static final class Place<T> {
    private final Children<T> children;
    final T parent;
    private final T child;
    private boolean isListed = true;
    private Place<T> older;
    private Place<T> younger;

    private Place(Children<T> children, T parent, T child, Place<T> older) {
      this.children = children;
      this.parent = parent;
      this.child = child;
      this.older = older;
    }

    boolean isListed() {
      synchronized (children) {
        return isListed;
      }
    }

    /** The parent has this child no more. */
    void leave() {
      children.remove(this);
    }
  }
}
