/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdb.AbstractImmutableNativeReference;
import org.rocksdbffm.internal.Call;

/**
 * Closes objects in place of upstream's own code: a child while its parent is kept from being closed, or on its
 * parent's behalf.
 */
public final class Closing {
  private static final VarHandle GUARD;
  private static final VarHandle OWNING;
  private static final MethodHandle DISPOSE;

  static {
    try {
      Class<?> type = AbstractImmutableNativeReference.class;
      var lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
      GUARD = lookup.findVarHandle(type, "guard$", Guard.class);
      OWNING = lookup.findVarHandle(type, "owningHandle_", AtomicBoolean.class);
      DISPOSE = lookup.findVirtual(type, "disposeInternal", MethodType.methodType(void.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private Closing() {}

  static Guard guard(AbstractImmutableNativeReference object) {
    return (Guard) GUARD.get(object);
  }

  private static AtomicBoolean owning(AbstractImmutableNativeReference object) {
    return (AtomicBoolean) OWNING.get(object);
  }

  /** Closes an object; does nothing to one that is borrowed. */
  public static void close(AbstractImmutableNativeReference object) {
    if (!owning(object).get()) {
      return;
    }
    Guard guard = guard(object);
    Guard parent = guard.parent();
    if (parent == null) {
      closeOwned(object, guard);
      return;
    }
    Call call;
    try {
      call = parent.enter();
    } catch (IllegalStateException closed) {
      return; // the parent closes it, or did
    }
    try {
      closeOwned(object, guard);
      parent.forget(guard);
    } finally {
      call.exit();
    }
  }

  private static void closeOwned(AbstractImmutableNativeReference object, Guard guard) {
    if (Guard.mayDispose(owning(object), guard)) {
      dispose(object);
    }
  }

  /** Closes a child on behalf of its parent, which nobody uses any more. */
  static void closeChild(Object child, Guard guard) {
    AbstractImmutableNativeReference object = (AbstractImmutableNativeReference) child;
    boolean first = guard.close();
    if (first && owning(object).compareAndSet(true, false)) {
      dispose(object);
    }
  }

  /** Gives the object up: whoever else owns the native one destroys it. */
  public static void disown(AbstractImmutableNativeReference object) {
    owning(object).set(false);
  }

  private static void dispose(AbstractImmutableNativeReference object) {
    try {
      DISPOSE.invokeExact(object);
    } catch (Error | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
