/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import org.rocksdbffm.internal.call.Reentrance;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.Upcalls;
import org.rocksdbffm.internal.leak.LeakWatch;

/**
 * An object in Java that the engine calls, from when it is made until the engine says that it is done with it. The
 * engine knows it by a number, and one that is not known any more leads to no object, not to a crash. Thread-safe.
 */
@SuppressWarnings("unused") // the engine calls some of its methods
public abstract class Callback {
  protected static final MemorySegment NAME = Upcalls.to(MethodHandles.lookup(), "name");
  protected static final MemorySegment DESTROYED = Upcalls.to(MethodHandles.lookup(), "destroyed");

  private static final Table ALIVE = new Table();

  /** All that the engine may call, by their numbers. */
  private static final class Table {
    private volatile Callback[] callbacks = new Callback[64];

    synchronized long add(Callback callback) {
      int free = 1; // a number that is not NULL, where it is a pointer
      while (free < callbacks.length && callbacks[free] != null) {
        free++;
      }
      Callback[] changed = free < callbacks.length ? callbacks.clone() : Arrays.copyOf(callbacks, free * 2);
      changed[free] = callback;
      callbacks = changed;
      Reentrance.becomesPossible(CallbackFrame.CHECK);
      Upcalls.hold();
      return free;
    }

    synchronized void remove(long id) {
      if (callbacks[(int) id] != null) {
        Callback[] changed = callbacks.clone();
        changed[(int) id] = null;
        callbacks = changed;
        Upcalls.release();
      }
    }
  }

  private final String what;
  private final MemorySegment name;
  private final long id;
  private volatile CallbackOwner owner;

  /** Takes its kind, for messages, and the name that the engine has for it. */
  protected Callback(String what, String name) {
    this.what = what + " '" + name + "'";
    this.name = Memory.string(name, Arena.ofAuto());
    this.id = ALIVE.add(this);
  }

  /** The state that the engine passes. */
  protected final MemorySegment state() {
    return MemorySegment.ofAddress(id);
  }

  /** The number that the engine passes. */
  protected final long id() {
    return id;
  }

  /** The object that is meant. */
  protected static Callback at(long id) {
    return ALIVE.callbacks[(int) id];
  }

  /** For one that the engine never got. */
  protected final void forget() {
    ALIVE.remove(id);
  }

  static long alive() {
    return Arrays.stream(ALIVE.callbacks).filter(callback -> callback != null).count();
  }

  private static long name(long id) {
    return at(id).name.address();
  }

  private static void destroyed(long id) {
    ALIVE.remove(id);
  }

  /** Sets its owner; before that it serves the opening of a database. */
  public void serves(CallbackOwner its) {
    owner = its;
  }

  /** The database that uses it, which calls must not use while this runs; null as long as that is being opened. */
  protected final CallbackOwner owner() {
    return owner;
  }

  /** Logs what its code threw, for which the engine has no place; the caller decides what to answer instead. */
  protected final void tell(Throwable thrown, String consequence) {
    CallbackOwner its = owner;
    warn(its == null ? what : what + " of " + its.name(), thrown, consequence);
  }

  static void warn(String what, Throwable thrown, String consequence) {
    try {
      System.getLogger(LeakWatch.LOGGER).log(Level.WARNING, "the " + what + " threw: " + consequence, thrown);
    } catch (Throwable e) {
      return; // there is no room for that, or the logger throws too
    }
  }

  @Override
  public String toString() {
    return what;
  }
}
