/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.db;

import java.util.ArrayList;
import java.util.List;

/** The children of a parent, the youngest first. Thread-safe. */
public final class Children {
  private Child first;

  public synchronized void add(Child child) {
    child.next = first;
    if (first != null) {
      first.previous = child;
    }
    first = child;
  }

  /** Removes a child; does nothing if it is not in the list. */
  public synchronized void remove(Child child) {
    if (child.previous == null && child != first) {
      return;
    }
    if (child.next != null) {
      child.next.previous = child.previous;
    }
    if (child.previous != null) {
      child.previous.next = child.next;
    } else {
      first = child.next;
    }
    child.next = null;
    child.previous = null;
  }

  /** Returns the current children. */
  public synchronized List<Child> all() {
    List<Child> all = new ArrayList<>();
    for (Child child = first; child != null; child = child.next) {
      all.add(child);
    }
    return all;
  }
}
