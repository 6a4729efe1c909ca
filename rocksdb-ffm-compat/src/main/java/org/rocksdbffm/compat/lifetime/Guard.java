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
 * Keeps a native object from being destroyed while a method of upstream's uses it, and from being used afterwards.
 * Every object that holds a native pointer has one, in a field that the relinker adds, and every method that reads
 * such a pointer says so here first. Thread-safe.
 *
 * <p>A method keeps a chain in a local variable, of what it uses: of {@link Call}s, each of which announces up to three
 * objects that many threads may use, and of guards of objects that serve one thread at a time, which the method holds
 * like a lock. Nothing is allocated for it.
 *
 * <p>A guard does not refer to its object, and is known to the reclaimer while that is open: a forgotten one is reported
 * and its native object destroyed, once no method uses that any more. Other objects are not kept by this, but by their
 * objects: a child has its parents in its fields, and what lives in another object has that as its anchor.
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
  private static final long HEAVY = 8 << 10; // of an iterator, which pins blocks, or a batch

  private final Kind kind;
  private final boolean servesOneThread;

  private final AtomicBoolean owning; // the object's own flag; null for one that has it as a field
  private final WeakReference<Object> itself; // a batch, or of a program's class with its own way to dispose of it
  private long pointer;
  private boolean isSet; // a slice's pointer: its bytes are somebody else's then
  private boolean isOwned;

  // The handle that calls announce. An object that serves one thread gets it when several first share it, which is
  // seldom.
  private volatile Handle handle;

  // The thread that uses an object that serves one at a time, or changes one; once it is closed, the thread that closed it,
  // for ever. A number, not a reference: each use would need the collector's write barrier.
  private volatile long owner;
  private Object before;

  private volatile int closing; // OPEN, or CLOSING from the close on
  // An iterator's row.
  private ReadAheadCursor cursor;
  // Of a database.
  private WatchedDatabase watched;
  // Of a database; see FamilyNames.
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

  /** The object has its native one from now on, and is watched until it is closed or given up. */
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

  /** The object is not the program's to close any more, or is closed. */
  public void endWatch() {
    if (end()) {
      gone();
    }
  }

  private void gone() {
    kind.gone();
    if (watched != null) {
      watched.gone();
    }
  }

  /** A guard that this thread holds for ever: an object that lives in it is of use to no other thread. */
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

  /**
   * Announces a change of options or of a slice, parts of which are freed: waits for those who use or copy them, and has others
   * wait, until the method leaves.
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
      Thread.yield(); // an interrupted thread does not park
      LockSupport.parkNanos(PARKED_NANOS);
    }
  }

  /** Makes an object a child of another, which closes it before itself; an object has up to two parents. */
  static void adopt(Guard parent, Guard child) {
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

  /** Refuses new uses, waits for those there are, and closes the children; false if somebody else did, or does. */
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

  /** Whether this thread is in a method of the object, or of one that lives in it. */
  boolean isInUseByThisThread() {
    return isUsedByThisThread() || lives().stream().anyMatch(Guard::isUsedByThisThread);
  }

  /** A batch; null if it is gone. */
  Object itself() {
    return itself == null ? null : itself.get();
  }

  /** Whether the object is of a class, or of one that extends it. */
  public boolean isOfType(Class<?> type) {
    return kind.is(type);
  }

  /** The object's pointer, to be used by who uses the object. */
  public long pointer() {
    return pointer;
  }

  /** The database that the object is of; for a batch that lives in another, what that one is of. */
  public Guard database() {
    Guard its = itsDatabase();
    Guard where = lender;
    return its == null && where != null && kind.isBatch() ? where.database() : its;
  }

  Map<Integer, String> closedFamilies() {
    return closedFamilies;
  }

  /** The batch that this one lives in, or is; null for what is no batch. */
  Guard batch() {
    if (!kind.isBatch()) {
      return null;
    }
    Guard its = lender == null ? null : lender.batch();
    return its == null ? this : its;
  }

  /** The engine's own indexed batch that an iterator lives in, asked by a method that uses the iterator. */
  public long indexedBatchBelow() {
    return Transactions.indexedBatchOf(lender);
  }

  /** The object was taken over by another, so nobody uses or destroys it any more; said by a method that holds it. */
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

  /** Whether the native object is destroyed by the close of this one. */
  boolean isOwner() {
    return owning == null || owning.get();
  }

  AtomicBoolean owning() {
    return owning;
  }

  /** The native object is destroyed with another one, whose program need not close this one. */
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

  /** A database closes the families that it has handles of, and these are forgotten with it. */
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

  /** A method may use the native object yet, whose caller needs the object no more. */
  @Override
  public void closeForgotten() {
    if (!Transactions.isKnown(this) && closeForgotten(false) != 0) {
      Reclaimer.perform(this::closeForgotten, USED_YET_NANOS);
    }
  }

  /** Returns in how many nanoseconds to try again; 0 for never. */
  private long closeForgotten(boolean isLast) {
    if (!isLast && isInUse()) {
      return USED_YET_NANOS;
    }
    Closing.closeForgotten(this);
    gone();
    return 0;
  }

  private boolean isInUse() {
    Handle announced = handle;
    return owner != NOBODY || announced != null && announced.isInUse();
  }

  /** Another native object, which the constructor has not made, has taken the place of the one before. */
  void points(long pointer) {
    this.pointer = pointer;
    isSet = true;
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
        accompaniedLike(from);
      }
      keepWhatIsKeptBy(from);
    }
  }

  boolean isClosing() {
    return closing != OPEN;
  }

  /** A call that keeps the object; throws if it is closed. */
  Call enter() {
    return Call.enter(handle());
  }

  /** Has a call keep the object as well; throws if it is closed. */
  void alsoUsedBy(Call call) {
    call.alsoUses(handle());
  }

  /** Whether a call that announces the handle with this id uses the object. */
  boolean isAnnouncedAs(long id) {
    Handle announced = handle;
    return announced != null && announced.is(id);
  }

  @Override
  public IllegalStateException closedException() {
    return handle().closedException();
  }
}
