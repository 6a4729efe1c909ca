/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.rocksdbffm.internal.Call;
import org.rocksdbffm.internal.Handle;

/**
 * Keeps a native object from being destroyed while a method of upstream's uses it, and from being used afterwards.
 * Every object that holds a native pointer has one, in a field that the relinker adds, and every method that reads
 * such a pointer says so here first. Thread-safe.
 *
 * <p>What a method uses is a chain that it keeps in a local: of {@link Call}s, each of which announces up to three
 * objects that many threads may use, and of guards of objects that serve one thread at a time, which the method holds
 * like a lock. Nothing is allocated for it.
 */
public final class Guard {
  private static final int SPINS_BEFORE_PARKING = 200;
  private static final long PARKED_NANOS = 20_000;
  private static final VarHandle OWNER;
  private static final VarHandle CLOSING;

  static {
    try {
      var lookup = MethodHandles.lookup();
      OWNER = lookup.findVarHandle(Guard.class, "owner", Thread.class);
      CLOSING = lookup.findVarHandle(Guard.class, "closing", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Object object;
  private final Handle handle;
  private final boolean servesOneThread;

  // Who uses an object that serves one thread at a time; once it is closed, the thread that closed it, for ever.
  private volatile Thread owner;
  private Object before;

  private volatile boolean closing;
  private volatile Guard parent;
  private Set<Guard> children;

  public Guard(Object object) {
    this.object = object;
    this.handle = new Handle(object.getClass().getSimpleName());
    this.servesOneThread = SingleThreaded.is(object.getClass());
  }

  /** Announces the use of an object by the method that has the chain, and returns the chain to go on with. */
  public static Object use(Guard guard, Object chain) {
    if (guard.servesOneThread) {
      return guard.hold(chain);
    }
    if (chain instanceof Call call && call.alsoUses(guard.handle)) {
      return chain;
    }
    return Call.enter(guard.handle).before(chain);
  }

  /** Lets go of all that a method uses. */
  public static void leave(Object chain) {
    Object used = chain;
    while (used != null) {
      if (used instanceof Call call) {
        used = call.before();
        call.before(null);
        call.exit();
      } else {
        Guard guard = (Guard) used;
        used = guard.before;
        guard.before = null;
        OWNER.setRelease(guard, (Thread) null);
      }
    }
  }

  /** Throws if the object is closed. */
  public static void check(Guard guard) {
    if (guard.closing) {
      throw guard.handle.closedException();
    }
  }

  private Object hold(Object chain) {
    Thread thread = Thread.currentThread();
    if (!OWNER.compareAndSet(this, (Thread) null, thread)) {
      if (closing) {
        throw handle.closedException();
      }
      if (owner == thread) {
        return chain; // a method further down the stack holds it, and lets go of it after this one
      }
      await(thread);
    }
    if (closing) {
      OWNER.setRelease(this, (Thread) null);
      throw handle.closedException();
    }
    before = chain;
    return this;
  }

  /** Two threads at once in a batch or an iterator would corrupt it, so one waits for the other. */
  private void await(Thread thread) {
    for (int waits = 1; !OWNER.compareAndSet(this, (Thread) null, thread); waits++) {
      if (closing && owner == null) {
        throw handle.closedException();
      }
      pause(waits);
    }
  }

  private static void pause(int waits) {
    if (waits < SPINS_BEFORE_PARKING) {
      Thread.onSpinWait();
    } else {
      Thread.yield(); // an interrupted thread does not park
      LockSupport.parkNanos(PARKED_NANOS);
    }
  }

  /** Makes an object a child of another, which closes it before itself. */
  public static void adopt(Guard parent, Guard child) {
    child.parent = parent;
    synchronized (parent) {
      if (parent.children == null) {
        parent.children = new LinkedHashSet<>();
      }
      parent.children.add(child);
    }
  }

  /** Whether the caller is to destroy the object: it is owned, and open until now. Waits for all who use it. */
  public static boolean mayDispose(AtomicBoolean owning, Guard guard) {
    return owning.get() && guard.close() && owning.compareAndSet(true, false);
  }

  /** Refuses new uses, waits for those there are, and closes the children; false if somebody else did, or does. */
  boolean close() {
    if (isUsedByThisThread()) {
      throw new IllegalStateException(handle.name() + " is closed from within its own use, by a callback");
    }
    if (!CLOSING.compareAndSet(this, false, true)) {
      return false;
    }
    if (servesOneThread) {
      Thread thread = Thread.currentThread();
      for (int waits = 1; !OWNER.compareAndSet(this, (Thread) null, thread); waits++) {
        pause(waits);
      }
    }
    handle.close();
    closeChildren();
    return true;
  }

  private boolean isUsedByThisThread() {
    return servesOneThread ? owner == Thread.currentThread() && !closing : handle.isUsedByThisThread();
  }

  private void closeChildren() {
    for (Guard child : takeChildren()) {
      Closing.closeChild(child.object, child);
    }
  }

  private synchronized List<Guard> takeChildren() {
    List<Guard> taken = children == null ? List.of() : List.copyOf(children).reversed();
    children = null;
    return taken;
  }

  synchronized void forget(Guard child) {
    if (children != null) {
      children.remove(child);
    }
  }

  Guard parent() {
    return parent;
  }

  /** A call that keeps the object; throws if it is closed. */
  Call enter() {
    return Call.enter(handle);
  }

  boolean isClosed() {
    return closing;
  }
}
