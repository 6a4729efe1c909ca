/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Destroys a native object as soon as nothing in the engine points at it any more, and keeps what the engine points at
 * from it until then. It <em>owns</em> the native object from {@link #dispose} on, and <em>shares</em> what it keeps:
 * the last that lets go of an object destroys it if it was disposed of meanwhile. Thread-safe.
 */
abstract class DeferredDestruction {
  /** The lock on which object keeps which. It is held seldom, and never while anything native is called. */
  static final Object BONDS = new Object();

  // The objects that the engine points at from this one, by what they were set as; and how many point at this one.
  private volatile Map<String, List<DeferredDestruction>> kept;
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
  final void keep(String what, List<? extends DeferredDestruction> others) {
    List<DeferredDestruction> before;
    synchronized (BONDS) {
      for (DeferredDestruction other : others) {
        other.keepers++;
      }
      if (kept == null) {
        kept = new HashMap<>();
      }
      before = others.isEmpty() ? kept.remove(what) : kept.put(what, List.copyOf(others));
    }
    letGo(before);
  }

  /** Whether the engine points at the other from this object. */
  final boolean keeps(DeferredDestruction other) {
    synchronized (BONDS) {
      return kept != null && kept.values().stream().anyMatch(all -> all.contains(other));
    }
  }

  final boolean keepsAnything() {
    return kept != null;
  }

  /** Keeps whatever the other keeps; the caller holds {@link #BONDS}. */
  final void keepWhatIsKeptBy(DeferredDestruction from) {
    if (from.kept == null) {
      return;
    }
    if (kept == null) {
      kept = new HashMap<>();
    }
    from.kept.forEach((what, others) -> {
      List<DeferredDestruction> all = new ArrayList<>(kept.getOrDefault(what, List.of()));
      for (DeferredDestruction other : others) {
        if (!all.contains(other)) {
          other.keepers++;
          all.add(other);
        }
      }
      kept.put(what, all);
    });
  }

  final void letGoOfKept() {
    if (kept == null) {
      return;
    }
    Map<String, List<DeferredDestruction>> all;
    synchronized (BONDS) {
      all = kept;
      kept = null;
    }
    if (all != null) {
      all.values().forEach(DeferredDestruction::letGo);
    }
  }

  private static void letGo(List<DeferredDestruction> others) {
    if (others == null) {
      return;
    }
    for (DeferredDestruction other : others) {
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
}
