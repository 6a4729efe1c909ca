/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import org.rocksdb.AbstractWriteBatch;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.PerfContext;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksObject;
import org.rocksdbffm.compat.support.CompiledApart;
import org.rocksdbffm.compat.support.Settings;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.dropin.ReadAheadCursor;

/**
 * Keeps a native object from being destroyed while a method of upstream's uses it, and from being used afterwards.
 * Every object that holds a native pointer has one, in a field that the relinker adds, and every method that reads
 * such a pointer says so here first. Thread-safe.
 *
 * <p>A method keeps a chain in a local variable, of what it uses: of {@link Call}s, each of which announces up to three
 * objects that many threads may use, and of guards of objects that serve one thread at a time, which the method holds
 * like a lock. Nothing is allocated for it.
 */
public final class Guard extends Loan {
  private static final int SPINS_BEFORE_PARKING = 200;
  private static final long PARKED_NANOS = 20_000;
  private static final long NOBODY = 0;
  private static final int OPEN = 0;
  private static final int CLOSING = 1;

  private static final AtomicLongFieldUpdater<Guard> OWNER = AtomicLongFieldUpdater.newUpdater(Guard.class, "owner");
  private static final AtomicIntegerFieldUpdater<Guard> STATE =
      AtomicIntegerFieldUpdater.newUpdater(Guard.class, "closing");

  private final Object object;
  private final boolean servesOneThread;

  // The handle that calls announce. An object that serves one thread gets it when several first share it, which is
  // seldom.
  private volatile Handle handle;

  // The thread that uses an object that serves one at a time; once it is closed, the thread that closed it, for ever. A
  // number, not a reference: each use would need the collector's write barrier.
  private volatile long owner;
  private Object before;

  private volatile int closing; // OPEN, or CLOSING from the close on
  // An iterator's row.
  private ReadAheadCursor cursor;
  // Of a database; see FamilyNames.
  private Map<Integer, String> closedFamilies = Map.of();

  public Guard(Object object) {
    this.object = object;
    this.servesOneThread = SingleThreaded.is(object.getClass());
    if (!servesOneThread) {
      handle = new Handle(name());
    }
    if (object instanceof PerfContext && !Thread.currentThread().isVirtual()) {
      lender = ofThisThread();
    }
    if (object instanceof RocksDB) {
      isOf(this);
      closedFamilies = new ConcurrentHashMap<>();
    }
  }

  /** A guard that this thread holds for ever: an object that lives in it is of use to no other thread. */
  private static Guard ofThisThread() {
    return new Guard(Thread.currentThread());
  }

  private Guard(Thread thread) {
    object = thread;
    handle = new Handle("thread");
    servesOneThread = true;
    owner = thread.threadId();
  }

  /** Announces the use of an object by the method that has the chain, and returns the chain to go on with. */
  @CompiledApart
  public static Object use(Guard guard, Object chain) {
    Reentrance.check(guard);
    Object used = guard.servesOneThread ? guard.hold(chain) : guard.announce(chain);
    Guard lender = guard.lender;
    Guard companion = chain == null ? null : guard.companion; // at first a method uses the object whose it is
    if (lender == null && companion == null) {
      return used;
    }
    try {
      if (lender != null) {
        used = use(lender, used);
        guard.requireLent();
      }
      return companion == null ? used : use(companion, used);
    } catch (Throwable e) {
      leaveUntil(chain, used);
      throw e;
    }
  }

  /** Announces the use of all objects of a list, which may be null. */
  public static Object useAll(List<?> objects, Object chain) {
    Object used = chain;
    try {
      for (Guard guard : Membership.guards(objects)) {
        used = use(guard, used);
      }
      return used;
    } catch (Throwable e) {
      leaveUntil(chain, used);
      throw e;
    }
  }

  /** Announces the use of an object if it has a guard. */
  public static Object useIfGuarded(Object object, Object chain) {
    Guard guard = UpstreamFields.guard(object);
    return guard == null ? chain : use(guard, chain);
  }

  /** Announces a use by a method that may run while another thread is in a method of the same object. */
  public static Object share(Guard guard, Object chain) {
    Reentrance.check(guard);
    Object used = guard.announce(chain);
    Guard lender = guard.lender;
    if (lender == null) {
      return used;
    }
    try {
      return share(lender, used);
    } catch (Throwable e) {
      leaveUntil(chain, used);
      throw e;
    }
  }

  private Object announce(Object chain) {
    Handle announced = handle();
    if (chain instanceof Call call && call.alsoUses(announced)) {
      return chain;
    }
    return Call.enterHot(announced).before(chain);
  }

  @Override
  String name() {
    return object.getClass().getSimpleName();
  }

  private Handle handle() {
    Handle made = handle;
    return made != null ? made : makeHandle();
  }

  /** Either this sees that the object is being closed, or the close sees the handle. */
  private synchronized Handle makeHandle() {
    if (handle == null) {
      handle = new Handle(name());
      if (isClosing()) {
        handle.close();
      }
    }
    return handle;
  }

  /** Lets go of all that a method uses, which fails if a callback has thrown meanwhile. */
  @CompiledApart
  public static void leave(Object chain) {
    leaveUntil(null, chain);
    Thrown.report();
  }

  private static void leaveUntil(Object end, Object chain) {
    Object used = chain;
    while (used != end) {
      if (used instanceof Call call) {
        used = call.before();
        call.before(null);
        call.exit();
      } else {
        Guard guard = (Guard) used;
        used = guard.before;
        guard.before = null;
        OWNER.lazySet(guard, NOBODY);
      }
    }
  }

  /** Throws if the object is closed. */
  public static void check(Guard guard) {
    if (guard.isClosing()) {
      throw guard.closedException();
    }
  }

  private Object hold(Object chain) {
    long thread = Thread.currentThread().threadId();
    if (!OWNER.compareAndSet(this, NOBODY, thread)) {
      if (isClosing()) {
        throw closedException();
      }
      if (owner == thread) {
        return chain; // a method further down the stack holds it, and lets go of it after this one
      }
      await(thread);
    }
    if (isClosing()) {
      OWNER.lazySet(this, NOBODY);
      throw closedException();
    }
    before = chain;
    return this;
  }

  /** Two threads at once in a batch or an iterator would corrupt it, so one waits for the other. */
  private void await(long thread) {
    if (object instanceof Thread its) {
      throw new IllegalStateException(
          "this counts what the thread " + its.getName() + " does, and lies in its memory: only that may look at it");
    }
    for (int waits = 1; !OWNER.compareAndSet(this, NOBODY, thread); waits++) {
      if (isClosing()) {
        throw closedException();
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

  /** Makes an object a child of another, which closes it before itself; an object has up to two parents. */
  public static void adopt(Guard parent, Guard child) {
    child.isChildOf(parent);
    if (parent.servesOneThread) {
      child.livesForNowIn(parent);
    }
    parent.hasChild(child);
  }

  /** Whether the caller is to destroy the object: it is owned, and open until now. Waits for all who use it. */
  public static boolean mayDispose(AtomicBoolean owning, Guard guard) {
    return owning.get() && guard.close() && owning.compareAndSet(true, false);
  }

  /** Destroys the object that nobody uses any more, and lets go of what it keeps. */
  public static void dispose(Guard guard) {
    guard.dispose();
  }

  /** Refuses new uses, waits for those there are, and closes the children; false if somebody else did, or does. */
  public boolean close() {
    Reentrance.checkClose(this);
    if (isUsedByThisThread()) {
      throw new IllegalStateException(name() + " is closed from within its own use, by a callback");
    }
    if (object instanceof ColumnFamilyHandle family && itsDatabase() != null && !isClosing()) {
      itsDatabase().closedFamilies.putAll(FamilyNames.of(family));
    }
    if (!STATE.compareAndSet(this, OPEN, CLOSING)) {
      return false;
    }
    if (servesOneThread) {
      long thread = Thread.currentThread().threadId();
      for (int waits = 1; !OWNER.compareAndSet(this, NOBODY, thread); waits++) {
        pause(waits);
      }
    }
    if (object instanceof RocksDB) {
      Closing.ofDatabase(name(), this::endUses);
    } else {
      endUses();
    }
    return true;
  }

  @Override
  boolean servesOneThread() {
    return servesOneThread;
  }

  private void endUses() {
    Handle announced = handle;
    if (announced != null) {
      announced.close();
    }
    closeChildren();
  }

  boolean isHeldByThisThread() {
    return owner == Thread.currentThread().threadId() && !isClosing();
  }

  private boolean isUsedByThisThread() {
    Handle announced = handle;
    return servesOneThread ? isHeldByThisThread() : announced != null && announced.isUsedByThisThread();
  }

  /** Whether this thread is in a method of the object, or of one that lives in it. */
  boolean isInUseByThisThread() {
    return isUsedByThisThread() || lives().stream().anyMatch(Guard::isUsedByThisThread);
  }

  Object object() {
    return object;
  }

  /** The database that the object is of; for a batch that lives in another, what that one is of. */
  public Guard database() {
    Guard its = itsDatabase();
    Guard where = lender;
    return its == null && where != null && object instanceof AbstractWriteBatch ? where.database() : its;
  }

  Map<Integer, String> closedFamilies() {
    return closedFamilies;
  }

  /** The batch that this one lives in, or is; null for what is no batch. */
  Guard batch() {
    if (!(object instanceof AbstractWriteBatch)) {
      return null;
    }
    Guard its = lender == null ? null : lender.batch();
    return its == null ? this : its;
  }

  /** The engine's own indexed batch that an iterator lives in, asked by a method that uses the iterator. */
  public long indexedBatchBelow() {
    return Transactions.indexedBatchOf(lender.object);
  }

  /** The object was taken over by another, so nobody uses or destroys it any more; said by a method that holds it. */
  void takenOver() {
    closing = CLOSING;
  }

  @Override
  void destroy() {
    freeCursor();
    if (object instanceof RocksObject its) {
      Settings.forget(its.getNativeHandle());
    }
    UpstreamFields.dispose(object);
  }

  public ReadAheadCursor cursor() {
    return cursor;
  }

  /** Gives an iterator its row, which this guard <em>owns</em>. */
  public void cursor(ReadAheadCursor made) {
    cursor = made;
  }

  /** Frees an iterator's row, when the iterator is destroyed or disowned. */
  void freeCursor() {
    if (cursor != null) {
      cursor.free();
      cursor = null;
    }
  }

  /** Keeps whatever the other keeps, and gets its companion, unless this one has a companion already. */
  void inherit(Guard from) {
    if (from == this || !from.keepsAnything() && from.companion == null) {
      return;
    }
    synchronized (BONDS) {
      if (companion == null) {
        companion = from.companion;
      }
      keepWhatIsKeptBy(from);
    }
  }

  boolean isClosing() {
    return closing != OPEN;
  }

  /** A call that keeps the object; throws if it is closed. */
  Call enter() {
    return Call.enterHot(handle());
  }

  @Override
  public IllegalStateException closedException() {
    return handle().closedException();
  }
}
