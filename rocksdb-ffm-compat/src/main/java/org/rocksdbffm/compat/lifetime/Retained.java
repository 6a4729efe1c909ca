/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.List;

/**
 * The objects that the engine reaches through one object, by the names of the settings that created the references.
 * <em>Shares</em> them until they are released. Thread-safe.
 */
final class Retained {
  /** Guards the references between all objects. Held rarely, and never during a native call. */
  private static final Object BONDS = new Object();

  private volatile Bond first;
  private volatile boolean hasComparator; // never reset

  /** The engine's reference to one object, by the name of the setting that created the reference. */
  private static final class Bond {
    final String what;
    final Guard other;
    final Object object; // keeps the Java object reachable; null if not
    Bond next;

    Bond(String what, Guard other, Object object, Bond next) {
      this.what = what;
      this.other = other;
      this.object = object;
      this.next = next;
    }
  }

  boolean isEmpty() {
    return first == null;
  }

  /** Retains the given objects, and releases the objects retained under the same name. */
  void replace(String what, List<?> others) {
    Bond before;
    List<?> guarded = others.stream().filter(other -> UpstreamFields.guard(other) != null).toList();
    synchronized (BONDS) {
      for (Object other : guarded) {
        UpstreamFields.guard(other).retain(); // before any allocation: out of memory, never release too early
      }
      before = take(what);
      for (Object other : guarded) {
        first = new Bond(what, UpstreamFields.guard(other), other, first); // a list contains no comparators
      }
    }
    release(before);
  }

  /**
   * Retains one object instead of the object retained under the same name. Null, or an object without a guard, only
   * releases.
   */
  void replace(String what, Object other) {
    Bond before;
    Guard guard = UpstreamFields.guard(other);
    synchronized (BONDS) {
      before = take(what);
      if (guard != null) {
        bind(what, guard, other);
      }
    }
    release(before);
  }

  /** Retains another object under the same name, but does not keep its Java object reachable. */
  void add(String what, Guard other) {
    synchronized (BONDS) {
      bind(what, other, null);
    }
  }

  /** Retains everything that the other retains, or only comparators. */
  void addAllOf(Retained from, boolean onlyComparators) {
    synchronized (BONDS) {
      for (Bond bond = from.first; bond != null; bond = bond.next) {
        if ((!onlyComparators || bond.other.isComparator()) && !has(bond.what, bond.other)) {
          bind(bond.what, bond.other, bond.object);
        }
      }
    }
  }

  boolean hasComparator() {
    return hasComparator;
  }

  private void bind(String what, Guard other, Object object) {
    other.retain(); // first, as in replace
    first = new Bond(what, other, object, first);
    hasComparator |= other.isComparator();
  }

  private boolean has(String what, Guard other) {
    for (Bond bond = first; bond != null; bond = bond.next) {
      if (bond.other == other && (what == null || bond.what.equals(what))) {
        return true;
      }
    }
    return false;
  }

  /** Whether the other object is retained, under any name. */
  boolean contains(Guard other) {
    synchronized (BONDS) {
      return has(null, other);
    }
  }

  /** Releases the objects retained under a name. */
  void release(String what) {
    Bond taken;
    synchronized (BONDS) {
      taken = take(what);
    }
    release(taken);
  }

  void releaseAll() {
    Bond all;
    synchronized (BONDS) {
      all = first;
      first = null;
    }
    release(all);
  }

  /** Removes and returns the references with a name. The caller holds {@link #BONDS}. */
  private Bond take(String what) {
    Bond left = null;
    Bond taken = null;
    for (Bond bond = first; bond != null; ) {
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
    first = left;
    return taken;
  }

  private static void release(Bond bonds) {
    for (Bond bond = bonds; bond != null; bond = bond.next) {
      bond.other.release(null);
    }
  }
}
