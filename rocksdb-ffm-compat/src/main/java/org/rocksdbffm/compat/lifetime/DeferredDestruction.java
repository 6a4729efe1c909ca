/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.List;
import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.lifetime.RefCounted;

/**
 * Delays the destruction of a native object while the engine holds pointers to it, and retains the objects that the
 * engine reaches through it. <em>Owns</em> the native object from {@link #dispose} on, and <em>shares</em> the retained
 * objects: the last holder of a disposed object destroys it. Thread-safe.
 */
abstract class DeferredDestruction extends LeakWatch {
  /** Guards the references between objects. Held rarely, and never during a native call. */
  static final Object BONDS = new Object();

  // The objects that the engine points at from this object; and the holders of this object: it is one itself until it is
  // disposed, and so is each object that retains it.
  private volatile Bond kept;
  private final RefCounted holders = new RefCounted();
  private volatile boolean keepsComparator; // never reset

  DeferredDestruction(Object object, boolean isPrompt) {
    super(object, isPrompt);
  }

  abstract boolean isComparator();

  /** Destroys the native object, which is no longer used or pointed at. The Java object may be null. */
  abstract void destroy(Object object);

  /**
   * Destroys the native object, immediately or as soon as the engine has no pointer to it.
   *
   * @param object the Java object; null if unknown or collected
   */
  final void dispose(Object object) {
    if (holders.release()) {
      destroy(object);
      letGoOfKept();
    }
  }

  /** Retains the given objects until this one is destroyed, and releases the objects retained under the same name. */
  final void keep(String what, List<?> others) {
    Bond before;
    List<?> guarded = others.stream().filter(other -> UpstreamFields.guard(other) != null).toList();
    synchronized (BONDS) {
      for (Object other : guarded) {
        guard(other).holders.retain(); // before any allocation: out of memory, never release too early
      }
      before = take(what);
      for (Object other : guarded) {
        kept = new Bond(what, guard(other), other, kept); // a list contains no comparators
      }
    }
    letGo(before);
  }

  /**
   * Retains one object instead of the object retained under the same name. Null, or an object without a guard, only
   * releases.
   */
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

  /** Retains another object under the same name, but does not keep its Java object reachable. */
  final void alsoKeep(String what, DeferredDestruction other) {
    synchronized (BONDS) {
      bind(what, other, null);
    }
  }

  /** Releases the objects retained under a name. */
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
    other.holders.retain(); // first, as in keep
    kept = new Bond(what, other, object, kept);
    keepsComparator |= other.isComparator();
  }

  /** Removes and returns the references with a name. The caller holds {@link #BONDS}. */
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

  /** Whether the engine points at the other object from this object. */
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

  /** Retains everything that the other object retains. The caller holds {@link #BONDS}. */
  final void keepWhatIsKeptBy(DeferredDestruction from) {
    for (Bond bond = from.kept; bond != null; bond = bond.next) {
      if (!keepsAs(bond.what, bond.other)) {
        bind(bond.what, bond.other, bond.object);
      }
    }
  }

  /** Retains the comparators that the other object retains. Called often. */
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
      bond.other.dispose(null);
    }
  }

  /**
   * A reference of the engine from one object to another, which the engine may call, with the name of the setting that
   * created it. Guarded by {@link #BONDS} while in a list.
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
