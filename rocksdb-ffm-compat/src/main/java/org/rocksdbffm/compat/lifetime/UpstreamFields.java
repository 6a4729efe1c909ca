/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdb.AbstractImmutableNativeReference;
import org.rocksdb.AbstractRocksIterator;
import org.rocksdb.Range;
import org.rocksdb.RocksCallbackObject;
import org.rocksdb.RocksMutableObject;
import org.rocksdb.Slice;

/**
 * Accesses private members of rocksdbjni's classes: the guard that the relinker adds, ownership flags, pointers and
 * iterator steps.
 */
public final class UpstreamFields {
  private UpstreamFields() {}

  public static Guard guard(AbstractImmutableNativeReference object) {
    return guard$(object);
  }

  /** Returns an object's guard; null if its class has none. */
  public static Guard guard(Object object) {
    if (object instanceof AbstractImmutableNativeReference reference) { // a switch would be linked first
      return guard$(reference);
    }
    return object instanceof RocksMutableObject mutable ? guard$(mutable) : null;
  }

  /** Returns the guards of the objects in a list, and of the slices that bound its ranges. */
  public static List<Guard> guards(List<?> objects) {
    List<Guard> guards = new ArrayList<>();
    if (objects != null) {
      for (Object object : objects) {
        if (object instanceof Range range) {
          guards.addAll(guards(ends(range)));
        } else if (guard(object) instanceof Guard guard) {
          guards.add(guard);
        }
      }
    }
    return guards;
  }

  /** Keeps another object reachable as long as this object is reachable. */
  public static void anchor(Object object, Object other) {
    if (object instanceof RocksMutableObject changeable) {
      anchor$(changeable, both(anchor$(changeable), other));
    } else {
      AbstractImmutableNativeReference reference = (AbstractImmutableNativeReference) object;
      anchor$(reference, both(anchor$(reference), other));
    }
  }

  private static Object both(Object before, Object other) {
    return before == null || before == other ? other : new Object[] {before, other};
  }

  public static AtomicBoolean owning(AbstractImmutableNativeReference object) {
    return owningHandle_$(object);
  }

  public static long pointer(RocksCallbackObject object) {
    return nativeHandle_$(object);
  }

  /** Returns the slices that bound a range. */
  private static List<Slice> ends(Range range) {
    return List.of(start$(range), limit$(range));
  }

  static boolean isOwning(RocksMutableObject object) {
    return owningHandle_$(object);
  }

  /** Sets another pointer. A closed object gets a new guard, because threads may still wait for the old one. */
  static void reopen(RocksMutableObject object, long pointer, boolean owning) {
    nativeHandle_$(object, pointer);
    owningHandle_$(object, owning);
    Guard guard = guard$(object);
    guard.endWatch();
    if (guard.isClosing()) {
      guard = new Guard(object);
      VarHandle.releaseFence();
      guard$(object, guard);
      VarHandle.fullFence();
    }
    guard.points(pointer);
    if (owning) {
      Guard.made(guard, pointer);
    }
  }

  static void renounce(RocksMutableObject object) {
    owningHandle_$(object, false);
  }

  /** Whether an iterator is on an entry, according to its class. The caller holds the guard. */
  public static boolean isValid(AbstractRocksIterator<?> iterator) {
    return isValid0$(iterator, iterator.getNativeHandle());
  }

  /** Moves an iterator with its class's method. The caller holds the guard. */
  public static void next(AbstractRocksIterator<?> iterator) {
    next0$(iterator, iterator.getNativeHandle());
  }

  public static void previous(AbstractRocksIterator<?> iterator) {
    prev0$(iterator, iterator.getNativeHandle());
  }

  /** Destroys the native object. */
  static void dispose(Object object) {
    if (object instanceof RocksMutableObject changeable) {
      disposeInternal$(changeable);
      nativeHandle_$(changeable, 0);
    } else {
      disposeInternal$((AbstractImmutableNativeReference) object);
    }
  }

  // These native methods access members that the relinker adds to rocksdbjni's classes, or that these classes hide; the
  // relinker writes the bodies.

  private static native Guard guard$(AbstractImmutableNativeReference object);

  private static native Guard guard$(RocksMutableObject object);

  private static native void guard$(RocksMutableObject object, Guard guard);

  private static native Object anchor$(AbstractImmutableNativeReference object);

  private static native Object anchor$(RocksMutableObject object);

  private static native void anchor$(AbstractImmutableNativeReference object, Object other);

  private static native void anchor$(RocksMutableObject object, Object other);

  private static native AtomicBoolean owningHandle_$(AbstractImmutableNativeReference object);

  private static native boolean owningHandle_$(RocksMutableObject object);

  private static native void owningHandle_$(RocksMutableObject object, boolean owning);

  private static native void nativeHandle_$(RocksMutableObject object, long pointer);

  private static native long nativeHandle_$(RocksCallbackObject object);

  private static native void disposeInternal$(AbstractImmutableNativeReference object);

  private static native void disposeInternal$(RocksMutableObject object);

  private static native boolean isValid0$(AbstractRocksIterator<?> iterator, long pointer);

  private static native void next0$(AbstractRocksIterator<?> iterator, long pointer);

  private static native void prev0$(AbstractRocksIterator<?> iterator, long pointer);

  private static native Slice start$(Range range);

  private static native Slice limit$(Range range);
}
