/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

/**
 * Destroys a native object as soon as nothing in the engine points at it any more, and keeps what the engine points at
 * from it until then. It <em>owns</em> the native object from {@link #dispose} on, and <em>shares</em> what it keeps:
 * the last that lets go of an object destroys it if it was disposed of meanwhile. Thread-safe.
 */
abstract class DeferredDestruction {
  /** The lock on which object keeps which. It is held seldom, and never while anything native is called. */
  static final Object BONDS = new Object();

  // The objects that the engine points at from this one, and how many point at this one.
  private volatile Bond kept;
  private int keepers;
  private boolean disposesLater;

  /** Destroys the native object, which nobody uses or points at any more. */
  abstract void destroy();

  /** Destroys the native object, now or when nothing in the engine points at it any more. */
  final void dispose() {
    synchronized (BONDS) {
      if (keepers > 0) {
        disposesLater = true;
        return;
      }
    }
    destroy();
    letGoOfKept();
  }

  /** Lets the kept objects live until this one is destroyed, and lets go of what was kept as the same. */
  final void keep(String what, Iterable<? extends DeferredDestruction> others) {
    Bond before;
    synchronized (BONDS) {
      for (DeferredDestruction other : others) {
        other.keepers++; // before anything that needs heap: a full one may keep too much for ever, and nothing too little
      }
      before = take(what);
      for (DeferredDestruction other : others) {
        kept = new Bond(what, other, kept);
      }
    }
    letGo(before);
  }

  /** The same for one object; null lets go of what was kept as the same, and keeps nothing. */
  final void keep(String what, DeferredDestruction other) {
    Bond before;
    synchronized (BONDS) {
      before = take(what);
      if (other != null) {
        bind(what, other);
      }
    }
    letGo(before);
  }

  private void bind(String what, DeferredDestruction other) {
    other.keepers++; // first, as above
    kept = new Bond(what, other, kept);
  }

  /** Takes from the list what was kept as something; the caller holds {@link #BONDS}. */
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

  /** Whether the engine points at the other from this object. */
  final boolean keeps(DeferredDestruction other) {
    synchronized (BONDS) {
      for (Bond bond = kept; bond != null; bond = bond.next) {
        if (bond.other == other) {
          return true;
        }
      }
      return false;
    }
  }

  final boolean keepsAnything() {
    return kept != null;
  }

  /** Keeps whatever the other keeps; the caller holds {@link #BONDS}. */
  final void keepWhatIsKeptBy(DeferredDestruction from) {
    for (Bond bond = from.kept; bond != null; bond = bond.next) {
      if (!keepsAs(bond.what, bond.other)) {
        bind(bond.what, bond.other);
      }
    }
  }

  private boolean keepsAs(String what, DeferredDestruction other) {
    for (Bond bond = kept; bond != null; bond = bond.next) {
      if (bond.other == other && bond.what.equals(what)) {
        return true;
      }
    }
    return false;
  }

  final void letGoOfKept() {
    if (kept == null) {
      return;
    }
    Bond all;
    synchronized (BONDS) {
      all = kept;
      kept = null;
    }
    letGo(all);
  }

  private static void letGo(Bond bonds) {
    for (Bond bond = bonds; bond != null; bond = bond.next) {
      DeferredDestruction other = bond.other;
      boolean last;
      synchronized (BONDS) {
        other.keepers--;
        last = other.keepers == 0 && other.disposesLater;
        other.disposesLater &= !last;
      }
      if (last) {
        other.dispose();
      }
    }
  }

  /** That the engine points at another object, and what it was set as. Guarded by {@link #BONDS} while it is in a list. */
  private static final class Bond {
    final String what;
    final DeferredDestruction other;
    Bond next;

    Bond(String what, DeferredDestruction other, Bond next) {
      this.what = what;
      this.other = other;
      this.next = next;
    }
  }
}
