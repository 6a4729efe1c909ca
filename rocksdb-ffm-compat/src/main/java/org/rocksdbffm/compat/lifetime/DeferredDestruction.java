/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.List;
import org.rocksdbffm.internal.leak.LeakWatch;

/**
 * Destroys a native object as soon as nothing in the engine points at it any more, and keeps what the engine points at
 * from it until then. It <em>owns</em> the native object from {@link #dispose} on, and <em>shares</em> what it keeps:
 * the last that lets go of an object destroys it if it was disposed of meanwhile. Thread-safe.
 */
abstract class DeferredDestruction extends LeakWatch {
  /** The lock on which object keeps which. It is held seldom, and never while anything native is called. */
  static final Object BONDS = new Object();

  // The objects that the engine points at from this one, and how many point at this one.
  private volatile Bond kept;
  private volatile int keepers; // changed under BONDS, and from 0 by who uses the object alone
  private boolean disposesLater;
  private volatile boolean keepsComparator; // for ever from the first on

  DeferredDestruction(Object object, boolean isPrompt) {
    super(object, isPrompt);
  }

  abstract boolean isComparator();

  /** Destroys the native object, which nobody uses or points at any more; the object itself may be null. */
  abstract void destroy(Object object);

  /**
   * Destroys the native object, now or when nothing in the engine points at it any more.
   *
   * @param object null where it is not at hand, or is gone
   */
  final void dispose(Object object) {
    if (keepers > 0) {
      synchronized (BONDS) {
        if (keepers > 0) {
          disposesLater = true;
          return;
        }
      }
    }
    destroy(object);
    letGoOfKept();
  }

  /** Lets the kept objects live until this one is destroyed, and lets go of what was kept as the same. */
  final void keep(String what, List<?> others) {
    Bond before;
    List<?> guarded = others.stream().filter(other -> UpstreamFields.guard(other) != null).toList();
    synchronized (BONDS) {
      for (Object other : guarded) {
        guard(other).keepers++; // before anything that needs heap: a full one may keep too much for ever, and nothing too little
      }
      before = take(what);
      for (Object other : guarded) {
        kept = new Bond(what, guard(other), other, kept); // never a comparator
      }
    }
    letGo(before);
  }

  /** The same for one object; one without a guard, or null, takes the place of what was kept, and is not kept. */
  final void keep(String what, Object other) {
    Bond before;
    DeferredDestruction its = guard(other);
    synchronized (BONDS) {
      before = take(what);
      if (its != null) {
        bind(what, its, other);
      }
    }
    letGo(before);
  }

  /** Keeps one more as the same, whose object may be forgotten. */
  final void alsoKeep(String what, DeferredDestruction other) {
    synchronized (BONDS) {
      bind(what, other, null);
    }
  }

  /** Lets go of what was kept as something. */
  final void letGoOf(String what) {
    Bond taken;
    synchronized (BONDS) {
      taken = take(what);
    }
    letGo(taken);
  }

  private static DeferredDestruction guard(Object object) {
    return UpstreamFields.guard(object);
  }

  private void bind(String what, DeferredDestruction other, Object object) {
    other.keepers++; // first, as above
    kept = new Bond(what, other, object, kept);
    keepsComparator |= other.isComparator();
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
        bind(bond.what, bond.other, bond.object);
      }
    }
  }

  /** Keeps the comparators that the other keeps; called often. */
  final void keepComparatorsOf(DeferredDestruction from) {
    if (!from.keepsComparator) {
      return;
    }
    synchronized (BONDS) {
      for (Bond bond = from.kept; bond != null; bond = bond.next) {
        if (bond.other.isComparator() && !keepsAs(bond.what, bond.other)) {
          bind(bond.what, bond.other, bond.object);
        }
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
        other.dispose(null);
      }
    }
  }

  /**
   * That the engine points at another object, which it may call, and what it was set as. Guarded by {@link #BONDS} while it
   * is in a list.
   */
  private static final class Bond {
    final String what;
    final DeferredDestruction other;
    final Object object;
    Bond next;

    Bond(String what, DeferredDestruction other, Object object, Bond next) {
      this.what = what;
      this.other = other;
      this.object = object;
      this.next = next;
    }
  }
}
