/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.ArrayList;
import java.util.List;

/**
 * The parents and children of an object. A parent closes its children before itself, and a child belongs to the same
 * database as its parent. Thread-safe.
 */
abstract class Kinship extends DeferredDestruction {
  private volatile Guard parent;
  private volatile Guard otherParent; // only for an iterator over a batch and a database

  // The positions in both parents' lists of children, each guarded by that parent; and the head of this object's list
  // of children, guarded by this.
  private Place place;
  private Place otherPlace;
  private Place youngest;

  // The database that this object belongs to, or is; null if usable with any database. See Membership.
  private Guard database;

  Kinship(Object object, boolean isPrompt) {
    super(object, isPrompt);
  }

  /** Adds a parent, of up to two. */
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

  /** Returns the position of a child in this parent's list; null if absent. */
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

  /** Closes the children of this object, the youngest first. */
  public void closeChildren() {
    if (youngest == null) {
      return; // this object has no more users, so no child is added concurrently
    }
    for (Guard child : takeChildren()) {
      Closing.closeChild(child);
    }
  }

  /** Returns the guards of the objects that are closed before this object. */
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

  /** Sets the database to which the object belongs; null for none. */
  void isOf(Guard its) {
    database = its;
  }

  /** Returns the database from {@link #isOf}; see {@link Guard#database}. */
  final Guard itsDatabase() {
    return database;
  }

  /** A child's position in the list of one parent. Guarded by the parent. */
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
