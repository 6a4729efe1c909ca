/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.ArrayList;
import java.util.List;

/**
 * The parents and children of an object: a parent closes its children before itself, and a child is of the database that
 * its parent is of. Thread-safe.
 */
abstract class Kinship extends DeferredDestruction {
  private volatile Guard parent;
  private volatile Guard otherParent; // of an iterator over a batch and a database

  // Its places among the children of both, guarded by those; and its own youngest child, guarded by this.
  private Place place;
  private Place otherPlace;
  private Place youngest;

  // The database that this object is of, or is; null for what can be used with any. See Membership.
  private Guard database;

  Kinship(Object object, boolean isPrompt) {
    super(object, isPrompt);
  }

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
    if (placeOf(child) == null) {
      Place made = new Place(child, youngest);
      if (youngest != null) {
        youngest.younger = made;
      }
      youngest = made;
      place(child, made);
    }
  }

  /** The place of a child among those of this parent; null if it is not among them. */
  private Place placeOf(Guard child) {
    return child.parent() == this ? ((Kinship) child).place : ((Kinship) child).otherPlace;
  }

  private void place(Guard child, Place its) {
    if (child.parent() == this) {
      ((Kinship) child).place = its;
    } else {
      ((Kinship) child).otherPlace = its;
    }
  }

  final synchronized List<Guard> lives() {
    return youngestFirst().reversed();
  }

  private List<Guard> youngestFirst() {
    List<Guard> all = new ArrayList<>();
    for (Place its = youngest; its != null; its = its.older) {
      all.add(its.child);
    }
    return all;
  }

  /** Closes what lives in this object, the last first. */
  public void closeChildren() {
    if (youngest == null) {
      return; // nobody uses this any more, so no child is added
    }
    for (Guard child : takeChildren()) {
      Closing.closeChild(child);
    }
  }

  /** The guards of the objects that are closed before this one. */
  public List<Guard> children() {
    return lives();
  }

  private synchronized List<Guard> takeChildren() {
    List<Guard> taken = youngestFirst();
    taken.forEach(child -> place(child, null));
    youngest = null;
    return taken;
  }

  synchronized void forget(Guard child) {
    Place its = placeOf(child);
    if (its == null) {
      return;
    }
    place(child, null);
    if (its.older != null) {
      its.older.younger = its.younger;
    }
    if (its.younger != null) {
      its.younger.older = its.older;
    } else {
      youngest = its.older;
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

  /** A child's place among the children of one parent. Guarded by the parent. */
  private static final class Place {
    final Guard child;
    Place older;
    Place younger;

    Place(Guard child, Place older) {
      this.child = child;
      this.older = older;
    }
  }
}
