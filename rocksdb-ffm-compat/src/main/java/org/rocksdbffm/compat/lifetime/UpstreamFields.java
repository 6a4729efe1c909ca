/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
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
  private static final VarHandle ANCHOR;
  private static final VarHandle OWNING;
  private static final MethodHandle DISPOSE;
  private static final MethodHandle IS_VALID;
  private static final MethodHandle NEXT;
  private static final MethodHandle PREVIOUS;
  private static final VarHandle CALLBACK_POINTER;
  private static final VarHandle MUTABLE_GUARD;
  private static final VarHandle MUTABLE_ANCHOR;
  private static final VarHandle MUTABLE_OWNING;
  private static final VarHandle MUTABLE_POINTER;
  private static final MethodHandle MUTABLE_DISPOSE;

  static {
    try {
      var type = AbstractImmutableNativeReference.class;
      var lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
      ANCHOR = lookup.findVarHandle(type, "anchor$", Object.class);
      OWNING = lookup.findVarHandle(type, "owningHandle_", AtomicBoolean.class);
      DISPOSE = lookup.findVirtual(type, "disposeInternal", MethodType.methodType(void.class));
      var iterator = AbstractRocksIterator.class;
      var iteratorLookup = MethodHandles.privateLookupIn(iterator, MethodHandles.lookup());
      IS_VALID = iteratorLookup.findVirtual(iterator, "isValid0", MethodType.methodType(boolean.class, long.class));
      NEXT = iteratorLookup.findVirtual(iterator, "next0", MethodType.methodType(void.class, long.class));
      PREVIOUS = iteratorLookup.findVirtual(iterator, "prev0", MethodType.methodType(void.class, long.class));
      var callback = RocksCallbackObject.class;
      CALLBACK_POINTER =
          MethodHandles.privateLookupIn(callback, MethodHandles.lookup())
              .findVarHandle(callback, "nativeHandle_", long.class);
      var mutable = RocksMutableObject.class;
      var mutableLookup = MethodHandles.privateLookupIn(mutable, MethodHandles.lookup());
      MUTABLE_GUARD = mutableLookup.findVarHandle(mutable, "guard$", Guard.class);
      MUTABLE_ANCHOR = mutableLookup.findVarHandle(mutable, "anchor$", Object.class);
      MUTABLE_OWNING = mutableLookup.findVarHandle(mutable, "owningHandle_", boolean.class);
      MUTABLE_POINTER = mutableLookup.findVarHandle(mutable, "nativeHandle_", long.class);
      MUTABLE_DISPOSE = mutableLookup.findVirtual(mutable, "disposeInternal", MethodType.methodType(void.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The bounds of ranges. A separate class, because few programs use ranges: initialized with the first one. */
  private static final class RangeEnds {
    static final VarHandle START;
    static final VarHandle LIMIT;

    static {
      try {
        var lookup = MethodHandles.privateLookupIn(Range.class, MethodHandles.lookup());
        START = lookup.findVarHandle(Range.class, "start", Slice.class);
        LIMIT = lookup.findVarHandle(Range.class, "limit", Slice.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }
  }

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
    VarHandle anchor = object instanceof RocksMutableObject ? MUTABLE_ANCHOR : ANCHOR;
    Object before = anchor.get(object);
    anchor.set(object, before == null || before == other ? other : new Object[] {before, other});
  }

  public static AtomicBoolean owning(AbstractImmutableNativeReference object) {
    return (AtomicBoolean) OWNING.get(object);
  }

  public static long pointer(RocksCallbackObject object) {
    return (long) CALLBACK_POINTER.get(object);
  }

  /** Returns the slices that bound a range. */
  private static List<Slice> ends(Range range) {
    return List.of((Slice) RangeEnds.START.get(range), (Slice) RangeEnds.LIMIT.get(range));
  }

  static boolean isOwning(RocksMutableObject object) {
    return (boolean) MUTABLE_OWNING.get(object);
  }

  /** Sets another pointer. A closed object gets a new guard, because threads may still wait for the old one. */
  static void reopen(RocksMutableObject object, long pointer, boolean owning) {
    MUTABLE_POINTER.set(object, pointer);
    MUTABLE_OWNING.set(object, owning);
    Guard guard = guard$(object);
    guard.endWatch();
    if (guard.isClosing()) {
      guard = new Guard(object);
      MUTABLE_GUARD.setVolatile(object, guard);
    }
    guard.points(pointer);
    if (owning) {
      Guard.made(guard, pointer);
    }
  }

  static void renounce(RocksMutableObject object) {
    MUTABLE_OWNING.set(object, false);
  }

  /** Whether an iterator is on an entry, according to its class. The caller holds the guard. */
  public static boolean isValid(AbstractRocksIterator<?> iterator) {
    try {
      return (boolean) IS_VALID.invokeExact((AbstractRocksIterator) iterator, iterator.getNativeHandle());
    } catch (Error | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Moves an iterator with its class's method. The caller holds the guard. */
  public static void next(AbstractRocksIterator<?> iterator) {
    try {
      NEXT.invokeExact((AbstractRocksIterator) iterator, iterator.getNativeHandle());
    } catch (Error | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  public static void previous(AbstractRocksIterator<?> iterator) {
    try {
      PREVIOUS.invokeExact((AbstractRocksIterator) iterator, iterator.getNativeHandle());
    } catch (Error | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Destroys the native object. */
  static void dispose(Object object) {
    try {
      if (object instanceof RocksMutableObject mutable) {
        MUTABLE_DISPOSE.invokeExact(mutable);
        MUTABLE_POINTER.set(mutable, 0L);
      } else {
        DISPOSE.invokeExact((AbstractImmutableNativeReference) object);
      }
    } catch (Error | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  // Fields that the relinker adds, and reads here: a VarHandle would be inlined into each caller.

  private static native Guard guard$(AbstractImmutableNativeReference object);

  private static native Guard guard$(RocksMutableObject object);
}
