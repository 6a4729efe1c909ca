/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import org.rocksdb.AbstractComparator;
import org.rocksdb.AbstractImmutableNativeReference;
import org.rocksdb.AbstractSlice;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.PerfContext;
import org.rocksdb.RocksObject;
import org.rocksdb.Transaction;
import org.rocksdbffm.compat.scan.ReadAheadCursor;
import org.rocksdbffm.compat.support.CompiledApart;
import org.rocksdbffm.compat.support.Mode;
import org.rocksdbffm.compat.support.Settings;
import org.rocksdbffm.compat.support.Slices;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.leak.LeakLevel;
import org.rocksdbffm.internal.leak.Reclaimer;

/**
 * Prevents the destruction of a native object while a rocksdbjni method uses it, and any use after the destruction. The
 * relinker adds a field with a guard to each class that holds a native pointer, and a call to the guard at the start of
 * each method that reads the pointer. Thread-safe.
 *
 * <p>Each method keeps a linked chain of its uses in a local variable. An element is a {@link Call}, which announces up
 * to three thread-safe objects, or the guard of an object for one thread at a time, which the method holds like a lock.
 * The chain allocates nothing.
 *
 * <p>A guard does not refer to its object, and is registered with the reclaimer while the object is open: an
 * unreachable object is reported, and its native object is destroyed when no method uses it. Reachability of related
 * objects comes from fields: a child refers to its parents, and a borrowed object to its lender (the anchor).
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

  private static final long USED_YET_NANOS = 20_000_000;
  private static final long PATIENCE_NANOS = 10_000_000_000L;
  private static final long LIGHT = 1 << 10;
  private static final long HEAVY = 8 << 10; // of iterators, which pin blocks, and batches

  private final Kind kind;
  private final boolean servesOneThread;

  private final AtomicBoolean owning; // the object's owningHandle_; null if the class has no AtomicBoolean for it
  private final WeakReference<Object> itself; // a batch, or an object whose class overrides disposeInternal
  private long pointer;
  private boolean isSet; // whether a slice's pointer was set: the slice does not own its bytes then
  private boolean isOwned;

  // The handle that calls announce. Created lazily for an object that serves one thread, when several objects share it.
  private volatile Handle handle;

  // The ID of the thread that uses a single-threaded object, or changes an object; after the close, the ID of the
  // closing thread. A long instead of a Thread, because storing a reference costs a GC write barrier.
  private volatile long owner;
  private Object before;

  private volatile int closing; // OPEN, or CLOSING after close() has started
  // The read-ahead of an iterator.
  private ReadAheadCursor cursor;
  // Only for databases.
  private WatchedDatabase watched;
  // Only for databases; see FamilyNames.
  private Map<Integer, String> closedFamilies = Map.of();

  public Guard(Object object) {
    Kind kind = Kind.of(object.getClass());
    super(object, kind.isDatabase());
    this.kind = kind;
    this.servesOneThread = kind.servesOneThread();
    this.owning = object instanceof AbstractImmutableNativeReference its ? UpstreamFields.owning(its) : null;
    this.itself = kind.overridesDisposal() || kind.isBatch() ? new WeakReference<>(object) : null;
    if (!servesOneThread) {
      handle = new Handle(name());
    }
    if (object instanceof PerfContext && !Thread.currentThread().isVirtual()) {
      lender = ofThisThread();
    }
    if (kind.isDatabase()) {
      isOf(this);
      closedFamilies = new ConcurrentHashMap<>();
    }
  }

  /** Sets the pointer of the created native object, and watches the object for leaks until it is closed or disowned. */
  public static void made(Guard guard, long pointer) {
    guard.pointer = pointer;
    if (pointer != 0 && !guard.kind.is(PerfContext.class)) {
      guard.kind.opened();
      guard.begin();
      if (guard.kind.isDatabase()) {
        guard.watched = WatchedDatabase.opened(guard);
      }
      if (guard.kind.is(Transaction.class)) {
        Transactions.opened(guard);
      }
    }
  }

  /** Ends the leak watch of an object that was closed or disowned. */
  public void endWatch() {
    if (end()) {
      freed();
    }
  }

  private void freed() {
    kind.freed();
    if (watched != null) {
      watched.freed();
    }
  }

  /** Returns a guard that the current thread holds forever. Other threads cannot use objects that live in it. */
  private static Guard ofThisThread() {
    return new Guard(Thread.currentThread());
  }

  private Guard(Thread thread) {
    super(thread, false);
    kind = Kind.of(Thread.class);
    owning = null;
    itself = null;
    handle = new Handle(thread.getName());
    servesOneThread = true;
    owner = thread.threadId();
  }

  /** Announces the use of an object, and returns the extended chain. */
  @CompiledApart
  public static Object use(Guard guard, Object chain) {
    Reentrance.check(guard);
    Object used = guard.servesOneThread ? guard.hold(chain) : guard.announce(chain);
    Guard lender = guard.lender;
    Guard companion = chain == null ? null : guard.companion; // none for the method's receiver
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

  /** Announces the use of all objects in a list; null is an empty list. */
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

  /** Announces a use by a method that may run concurrently with other methods of the object. */
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

  /**
   * Announces a change of options or of a slice, which frees parts of the native object. Waits for concurrent uses and
   * copies, and makes later ones wait until the method returns.
   */
  public static Object change(Guard guard, Object chain) {
    if (guard.servesOneThread || guard.isBorrowed() || guard.isUsedByThisThread()) {
      return use(guard, chain);
    }
    Reentrance.check(guard);
    Object changed = guard.hold(chain);
    if (!guard.handle.pause(PATIENCE_NANOS)) {
      leaveUntil(chain, changed);
      throw new IllegalStateException(guard.name() + " is in use, by a call that takes long: it cannot be changed");
    }
    return changed;
  }

  private Object announce(Object chain) {
    Handle announced = handle();
    try {
      if (chain instanceof Call call && call.alsoUses(announced)) {
        return chain;
      }
      return Call.enter(announced).before(chain);
    } catch (IllegalStateException e) {
      if (!Handle.isPaused(e)) {
        throw e;
      }
      return announceAfterChange(announced, chain);
    }
  }

  private Object announceAfterChange(Handle announced, Object chain) {
    if (isHeldByThisThread()) {
      return chain;
    }
    for (int waits = 1; announced.isRefusing() && !isClosing(); waits++) {
      pause(waits);
    }
    return announce(chain);
  }

  @Override
  public String name() {
    return kind.name();
  }

  private Handle handle() {
    Handle made = handle;
    return made != null ? made : makeHandle();
  }

  /**
   * Creates the handle. If another thread closes the object concurrently, either that thread sees the handle, or this
   * method sees the close, and closes the handle.
   */
  private synchronized Handle makeHandle() {
    if (handle == null) {
      handle = new Handle(name());
      if (isClosing()) {
        handle.close();
      }
    }
    return handle;
  }

  /** Ends all uses in the chain. Throws the exception that a callback has thrown during the method, if any. */
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
        if (!guard.servesOneThread) {
          guard.handle.resume();
        }
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
        return chain; // a method further down the stack holds the object, and releases it later
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

  /** Waits for exclusive access, because concurrent use by two threads would corrupt a batch or an iterator. */
  private void await(long thread) {
    if (kind.is(Thread.class)) {
      throw new IllegalStateException(
          "this counts what the thread " + handle.name() + " does, and lies in its memory: only that may look at it");
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
      Thread.yield(); // parkNanos returns immediately in an interrupted thread
      LockSupport.parkNanos(PARKED_NANOS);
    }
  }

  /**
   * Makes an object a child of another, which closes it before itself. An object has up to two parents. A borrowed database
   * is never closed, so its children are children of its lender.
   */
  static void adopt(Guard of, Guard child) {
    Guard lender = of.lender;
    Guard parent = of.kind.isDatabase() && lender != null && lender.kind.isDatabase() ? lender : of;
    child.isChildOf(parent);
    if (parent.servesOneThread) {
      child.livesForNowIn(parent);
    }
    parent.hasChild(child);
  }

  /** Whether the caller has to destroy the native object, because it is owned and was open. Waits for its users. */
  public static boolean mayDispose(AtomicBoolean owning, Guard guard) {
    return owning.get() && guard.close() && owning.compareAndSet(true, false);
  }

  /**
   * Rejects new uses, waits for current uses, and closes the children. Returns false if already closed or being closed.
   */
  public boolean close() {
    Reentrance.checkClose(this);
    if (isUsedByThisThread()) {
      throw new IllegalStateException(name() + " is closed from within its own use, by a callback");
    }
    if (kind.is(ColumnFamilyHandle.class) && itsDatabase() != null && !isClosing()) {
      itsDatabase().closedFamilies.putAll(FamilyNames.ofFamily(this));
    }
    if (!STATE.compareAndSet(this, OPEN, CLOSING)) {
      return false;
    }
    endWatch();
    long thread = Thread.currentThread().threadId();
    for (int waits = 1; !OWNER.compareAndSet(this, NOBODY, thread); waits++) {
      pause(waits);
    }
    if (kind.isDatabase()) {
      Closing.ofDatabase(name(), this::endUses);
    } else {
      endUses();
    }
    return true;
  }

  @Override
  boolean isComparator() {
    return kind.is(AbstractComparator.class);
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
    if (kind.isDatabase()) {
      MappedFamilies.letGo(this);
    }
  }

  boolean isHeldByThisThread() {
    return owner == Thread.currentThread().threadId() && !isClosing();
  }

  private boolean isUsedByThisThread() {
    Handle announced = handle;
    return isHeldByThisThread() || !servesOneThread && announced.isUsedByThisThread();
  }

  /** Whether the current thread runs a method of the object, or of one of its children. */
  boolean isInUseByThisThread() {
    return isUsedByThisThread() || lives().stream().anyMatch(Guard::isUsedByThisThread);
  }

  /** Returns the batch, or the object with an overridden disposeInternal; null if collected. */
  Object itself() {
    return itself == null ? null : itself.get();
  }

  /** Whether the object is an instance of a class. */
  public boolean isOfType(Class<?> type) {
    return kind.is(type);
  }

  /** Returns the native pointer. The caller must have announced the use of the object. */
  public long pointer() {
    return pointer;
  }

  /** Returns the database to which the object belongs. For a borrowed batch without a database, the lender's. */
  public Guard database() {
    Guard its = itsDatabase();
    Guard where = lender;
    return its == null && where != null && kind.isBatch() ? where.database() : its;
  }

  Map<Integer, String> closedFamilies() {
    return closedFamilies;
  }

  /** Returns the batch that owns this batch's memory, or this batch; null if the object is not a batch. */
  Guard batch() {
    if (!kind.isBatch()) {
      return null;
    }
    Guard its = lender == null ? null : lender.batch();
    return its == null ? this : its;
  }

  /** Returns the engine's indexed batch that the iterator reads. The caller uses the iterator. */
  public long indexedBatchBelow() {
    return Transactions.indexedBatchOf(lender);
  }

  /**
   * Marks the object as closed, because another native object owns its native object now. The caller holds the guard.
   */
  void takenOver() {
    closing = CLOSING;
    endWatch();
  }

  @Override
  void destroy(Object object) {
    if (watched != null) {
      watched.destroy(() -> destroyNow(object));
    } else {
      destroyNow(object);
    }
  }

  private void destroyNow(Object object) {
    freeCursor();
    if (kind.is(RocksObject.class)) {
      Settings.forget(pointer);
    }
    Object its = object == null ? itself() : object;
    if (its != null) {
      UpstreamFields.dispose(its);
    } else if (!kind.overridesDisposal()) {
      if (kind.is(AbstractSlice.class) && !isSet) {
        Slices.disposeBytes(pointer, 0);
      }
      kind.dispose(pointer);
    }
  }

  /** Whether closing the object destroys its native object. */
  boolean isOwner() {
    return owning == null || owning.get();
  }

  AtomicBoolean owning() {
    return owning;
  }

  /** Marks the native object as destroyed together with its parent, so that an unclosed object is no leak. */
  void isOwned() {
    isOwned = true;
  }

  @Override
  public boolean isClosed() {
    return isClosing() || !isOwner();
  }

  @Override
  public long weight() {
    return servesOneThread ? HEAVY : LIGHT;
  }

  /** Not for families whose database was collected too: the database closes their handles. */
  @Override
  protected boolean isToBeReported() {
    return !isOwned
        && !(kind.is(ColumnFamilyHandle.class) && parent().refersTo(null))
        && (LeakLevel.isSet() || !Mode.isQuiet());
  }

  @Override
  protected boolean isSmall() {
    return kind.isSmall();
  }

  @Override
  protected boolean isFreed() {
    return !kind.overridesDisposal() && !Transactions.isKnown(this);
  }

  /** Destroys the native object of an unreachable object, which a method may still be using. */
  @Override
  public void closeForgotten() {
    if (!Transactions.isKnown(this) && closeForgotten(false) != 0) {
      Reclaimer.perform(this::closeForgotten, USED_YET_NANOS);
    }
  }

  /** Returns the nanoseconds until the next attempt; 0 if done. */
  private long closeForgotten(boolean isLast) {
    if (!isLast && isInUse()) {
      return USED_YET_NANOS;
    }
    Closing.closeForgotten(this);
    freed();
    return 0;
  }

  private boolean isInUse() {
    Handle announced = handle;
    return owner != NOBODY || announced != null && announced.isInUse();
  }

  /** Sets the pointer of a native object that the constructor has not created. */
  void points(long pointer) {
    this.pointer = pointer;
    isSet = true;
  }

  public ReadAheadCursor cursor() {
    return cursor;
  }

  /** Sets an iterator's read-ahead, which this guard <em>owns</em>. */
  public void cursor(ReadAheadCursor made) {
    cursor = made;
  }

  /** Frees an iterator's read-ahead, when the iterator is destroyed or disowned. */
  void freeCursor() {
    if (cursor != null) {
      cursor.free();
      cursor = null;
    }
  }

  /** Retains everything that the other object retains, and copies its companion, unless this object has a companion. */
  void inherit(Guard from) {
    if (from == this || !from.keepsAnything() && from.companion == null) {
      return;
    }
    synchronized (BONDS) {
      if (companion == null) {
        accompaniedLike(from);
      }
      keepWhatIsKeptBy(from);
    }
  }

  boolean isClosing() {
    return closing != OPEN;
  }

  /** Enters a call that keeps the object open; throws if it is closed. */
  Call enter() {
    return Call.enter(handle());
  }

  /** Adds the object to the objects that a call keeps open; throws if it is closed. */
  void alsoUsedBy(Call call) {
    call.alsoUses(handle());
  }

  /** Whether a handle ID announced by a call is the ID of this object's handle. */
  boolean isAnnouncedAs(long id) {
    Handle announced = handle;
    return announced != null && announced.is(id);
  }

  @Override
  public IllegalStateException closedException() {
    return handle().closedException();
  }
}
