/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.List;

/**
 * Destroys a native object as soon as nothing in the engine points at it any more, and keeps what the engine points at
 * from it until then. It <em>owns</em> the native object from {@link #dispose} on, and <em>shares</em> what it keeps:
 * the last that lets go of an object destroys it if it was disposed of by then. Thread-safe.
 */
final class Bonds {
  /** The lock on which object keeps which. It is held seldom, and never while anything native is called. */
  private static final Object LOCK = new Object();

  private final Guard owner;

  // The objects that the engine points at from this one, and how many point at this one.
  private volatile Bond kept;
  private int keepers;
  private boolean disposesLater;

  Bonds(Guard owner) {
    this.owner = owner;
  }

  /** Destroys the native object, now or when nothing in the engine points at it any more; see {@link Guard#dispose}. */
  void dispose(Object object) {
    synchronized (LOCK) {
      if (keepers > 0) {
        disposesLater = true;
        return;
      }
    }
    owner.destroy(object);
    letGoOfKept();
  }

  /**
   * Lets an object, or the objects of a list, live until this one is destroyed, and lets go of what was kept as the same.
   * One without a guard, or null, is not kept.
   */
  void keep(String what, Object others) {
    Bond before;
    synchronized (LOCK) {
      count(others); // before anything that needs heap: a full one may keep too much for ever, and nothing too little
      before = take(what);
      bind(what, others);
    }
    letGo(before);
  }

  private static void count(Object others) {
    if (others instanceof List<?> all) {
      for (Object other : all) {
        count(other);
      }
    } else if (UpstreamFields.guard(others) instanceof Guard guard) {
      guard.bonds().keepers++;
    }
  }

  private void bind(String what, Object others) {
    if (others instanceof List<?> all) {
      for (Object other : all) {
        bind(what, other);
      }
    } else if (UpstreamFields.guard(others) instanceof Guard guard) {
      kept = new Bond(what, guard.bonds(), others, kept);
    }
  }

  /** Takes from the list what was kept as something; the caller holds the lock. */
  private Bond take(String what) {
    Bond left = null;
    Bond taken = null;
    for (Bond bond = kept; bond != null; ) {
      Bond next = bond.next;
      if (bond.what.equals(what)) {
        bond.next = taken;
        taken = bond;
      } else {
        bond.next = left;
        left = bond;
      }
      bond = next;
    }
    kept = left;
    return taken;
  }

  /** Whether the engine points at the other from this object, as whatever if that is null. */
  boolean keeps(String what, Bonds other) {
    synchronized (LOCK) {
      for (Bond bond = kept; bond != null; bond = bond.next) {
        if (bond.other == other && (what == null || bond.what.equals(what))) {
          return true;
        }
      }
      return false;
    }
  }

  boolean keepsAnything() {
    return kept != null;
  }

  /** Keeps whatever the other keeps. */
  void keepWhatIsKeptBy(Bonds from) {
    synchronized (LOCK) {
      for (Bond bond = from.kept; bond != null; bond = bond.next) {
        if (!keeps(bond.what, bond.other)) {
          bond.other.keepers++; // first, as above
          kept = new Bond(bond.what, bond.other, bond.object, kept);
        }
      }
    }
  }

  void letGoOfKept() {
    if (kept == null) {
      return;
    }
    Bond all;
    synchronized (LOCK) {
      all = kept;
      kept = null;
    }
    letGo(all);
  }

  private static void letGo(Bond bonds) {
    for (Bond bond = bonds; bond != null; bond = bond.next) {
      Bonds other = bond.other;
      boolean last;
      synchronized (LOCK) {
        other.keepers--;
        last = other.keepers == 0 && other.disposesLater;
        other.disposesLater &= !last;
      }
      if (last) {
        other.dispose(null);
      }
    }
  }

  /**
   * That the engine points at another object, which it may call, and what it was set as. Guarded by the lock while it is in
   * a list.
   */
  private static final class Bond {
    final String what;
    final Bonds other;
    final Object object;
    Bond next;

    Bond(String what, Bonds other, Object object, Bond next) {
      this.what = what;
      this.other = other;
      this.object = object;
      this.next = next;
    }
  }
}
