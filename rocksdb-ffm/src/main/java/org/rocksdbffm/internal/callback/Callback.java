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
import org.rocksdbffm.internal.loader.Warnings;

/**
 * A Java object that the engine calls, until the engine reports that it is destroyed. The engine knows it by an id; the
 * id of a destroyed object finds null instead of crashing. Thread-safe.
 */
@SuppressWarnings("unused") // the engine calls some of its methods
public abstract class Callback {
  protected static final MemorySegment NAME = Upcalls.to(MethodHandles.lookup(), "name");
  protected static final MemorySegment DESTROYED = Upcalls.to(MethodHandles.lookup(), "destroyed");

  private static final Table ALIVE = new Table();

  /** All callbacks that the engine may call, by id. */
  private static final class Table {
    private volatile Callback[] callbacks = new Callback[64];

    synchronized long add(Callback callback) {
      int free = 1; // the engine passes the id as a pointer, which must not be NULL
      while (free < callbacks.length && callbacks[free] != null) {
        free++;
      }
      Callback[] changed = free < callbacks.length ? callbacks.clone() : Arrays.copyOf(callbacks, free * 2);
      changed[free] = callback;
      Reentrance.becomesPossible(CallbackFrame.CHECK);
      Upcalls.hold(); // the last statement that may fail
      callbacks = changed;
      return free;
    }

    synchronized void remove(long id) {
      if (callbacks[(int) id] != null) {
        Callback[] changed = callbacks; // changes the array itself: the heap may be too full for a copy
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

  /** Creates a callback; {@code what} is its kind in messages, {@code name} the name that the engine stores. */
  protected Callback(String what, String name) {
    this.what = what + " '" + name + "'";
    this.name = Memory.string(name, Arena.ofAuto());
    this.id = ALIVE.add(this);
  }

  /** Returns the id as the state pointer that the engine passes. */
  protected final MemorySegment state() {
    return MemorySegment.ofAddress(id);
  }

  /** Returns the id. */
  protected final long id() {
    return id;
  }

  /** Returns the callback with this id. */
  protected static Callback at(long id) {
    return ALIVE.callbacks[(int) id];
  }

  /** Removes a callback that the engine never got. */
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

  /** Sets the database that calls this; before that, a database is being opened. */
  public void serves(CallbackOwner database) {
    owner = database;
  }

  /** Returns the database, which must not be used by calls within this callback; null while it is being opened. */
  protected final CallbackOwner owner() {
    return owner;
  }

  /**
   * Logs an exception of the user's code, which the engine cannot receive. The caller chooses the callback's result.
   */
  protected final void report(Throwable thrown, String consequence) {
    CallbackOwner database = owner;
    warn(database == null ? what : what + " of " + database.name(), thrown, consequence);
  }

  static void warn(String what, Throwable thrown, String consequence) {
    try {
      Warnings.log(Level.WARNING, "the " + what + " threw: " + consequence, thrown);
    } catch (Throwable e) {
      return; // no stack or heap is left, or the logger threw too
    }
  }

  @Override
  public String toString() {
    return what;
  }
}
