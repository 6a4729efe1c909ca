/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The parents and children of an object: a parent closes its children before itself, and a child is of the database that
 * its parent is of. Thread-safe.
 */
abstract class Kinship extends DeferredDestruction {
  private volatile Guard parent;
  private volatile Guard otherParent; // of an iterator over a batch and a database
  private Set<Guard> children;

  // The database that this object is of, or is; null for what can be used with any. See Membership.
  private Guard database;

  /** Gives the object a parent, of up to two. */
  final void isChildOf(Guard its) {
    if (parent == null) {
      parent = its;
    } else {
      otherParent = its;
    }
    isOf(((Kinship) its).database);
  }

  final synchronized void hasChild(Guard child) {
    if (children == null) {
      children = new LinkedHashSet<>();
    }
    children.add(child);
  }

  final synchronized List<Guard> lives() {
    return children == null ? List.of() : List.copyOf(children);
  }

  /** Closes what lives in this object, the last first. */
  public void closeChildren() {
    for (Guard child : takeChildren()) {
      Closing.closeChild(child.object(), child);
    }
  }

  /** The objects that are closed before this one. */
  public List<Object> children() {
    return lives().stream().map(Guard::object).toList();
  }

  private synchronized List<Guard> takeChildren() {
    List<Guard> taken = children == null ? List.of() : List.copyOf(children).reversed();
    children = null;
    return taken;
  }

  synchronized void forget(Guard child) {
    if (children != null) {
      children.remove(child);
    }
  }

  Guard parent() {
    return parent;
  }

  Guard otherParent() {
    return otherParent;
  }

  /** Says of which database the object is; null for none. */
  void isOf(Guard its) {
    database = its;
  }

  /** The database that was said; see {@link Guard#database}. */
  final Guard itsDatabase() {
    return database;
  }
}
