/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.AbstractImmutableNativeReference;
import org.rocksdb.AbstractSlice;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.PerfContext;
import org.rocksdb.RocksObject;
import org.rocksdb.Transaction;
import org.rocksdbffm.compat.support.CompiledApart;
import org.rocksdbffm.compat.support.FamilyHandles;
import org.rocksdbffm.compat.support.Settings;
import org.rocksdbffm.compat.support.Slices;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.CallTable;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.dropin.ReadAheadCursor;
import org.rocksdbffm.internal.exit.ProcessEnd;
import org.rocksdbffm.internal.leak.LeakWatch;
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
public final class Guard extends LeakWatch {
  private static final int SPINS_BEFORE_PARKING = 200;
  private static final long PARKED_NANOS = 20_000;
  private static final int WAITS_OF_A_SECOND = 12_000;
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
  private boolean isOnLoan; // of a database, which releases it

  // The handle that calls announce. An object that serves one thread gets it when several first share it, which is
  // seldom.
  private volatile Handle handle;

  // The thread that uses an object that serves one at a time, or changes one; once it is closed, the thread that closed it,
  // for ever. A number, not a reference: each use would need the collector's write barrier. Below 0 for a virtual thread.
  private volatile long owner;
  private Object before;

  private volatile int closing; // OPEN, or CLOSING from the close on

  // The database that this object is of, or is; null for what can be used with any. See Membership.
  private Guard database;
  private volatile Children.Place<Guard> place; // among its parent's children
  private volatile Children.Place<Guard> otherPlace; // of an iterator over a batch and a database
  private volatile Children<Guard> children;
  private volatile Bonds bonds; // made with an object that others may point at
  private volatile Loan loan; // of an object that lives in another
  private volatile Object companion; // used along with it by methods of other objects, as a snapshot is with the options
  private volatile int age; // incremented when what lives in it for now ends

  private ReadAheadCursor cursor; // an iterator's row

  // Of a database: the names of its column families by their numbers, as far as there are or were handles of them.
  private final Map<Integer, String> families;

  public Guard(Object object) {
    Kind kind = Kind.of(object.getClass());
    super(object, kind.isDatabase());
    this.kind = kind;
    this.servesOneThread = kind.servesOneThread();
    this.owning = object instanceof AbstractImmutableNativeReference its ? UpstreamFields.owning(its) : null;
    this.itself = kind.overridesDisposal() || kind.isBatch() ? new WeakReference<>(object) : null;
    if (!servesOneThread) {
      handle = new Handle(name());
      bonds = new Bonds(this);
    }
    if (object instanceof PerfContext && !Thread.currentThread().isVirtual()) {
      livesIn(ofThisThread());
    }
    database = kind.isDatabase() ? this : null;
    families = kind.isDatabase() ? new ConcurrentHashMap<>(Map.of(0, "default")) : null;
  }

  /** The object has its native one from now on, and is watched until it is closed or given up. */
  public static void made(Guard guard, long pointer) {
    guard.pointer = pointer;
    if (pointer != 0 && !guard.kind.is(PerfContext.class)) {
      guard.watch();
      if (guard.kind.isDatabase()) {
        Recordings.opened(guard.handle, pointer);
      }
    }
  }

  private void watch() {
    kind.opened();
    begin();
  }

  /** Lends this object, which the program gives back to its database: a forgotten one is reported, and no more. */
  void isOnLoanOf(Guard database) {
    livesIn(database);
    isOnLoan = true;
    watch();
  }

  /** The object is not the program's to close any more, or is closed. */
  public void endWatch() {
    if (end()) {
      gone();
    }
  }

  private void gone() {
    kind.gone();
    if (kind.isDatabase()) {
      Recordings.gone(handle, pointer);
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
    owner = here();
    families = null;
  }

  /** Announces the use of an object by the method that has the chain, and returns the chain to go on with. */
  @CompiledApart
  public static Object use(Guard guard, Object chain) {
    guard.requireOutsideOfCallbacks(false);
    Loan loan = guard.loan;
    Object companion = chain == null ? null : guard.companion; // at first a method uses the object whose it is
    if (loan == null && companion == null) {
      return guard.holdOrAnnounce(chain);
    }
    Object used = chain;
    try {
      if (loan != null) { // the lender first: it may close what it lends while it is held
        check(guard);
        used = use(loan.lender(), used);
      }
      used = guard.holdOrAnnounce(used);
      if (loan != null) {
        loan.requireLent(guard);
      }
      return companion == null ? used : use(UpstreamFields.guard(companion), used);
    } catch (Throwable e) {
      leaveUntil(chain, used);
      throw e;
    }
  }

  private Object holdOrAnnounce(Object chain) {
    return servesOneThread ? hold(chain) : announce(chain);
  }

  /** Announces the use of all objects of a list, which may be null. */
  public static Object useAll(List<?> objects, Object chain) {
    Object used = chain;
    try {
      for (Guard guard : UpstreamFields.guards(objects)) {
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
    guard.requireOutsideOfCallbacks(false);
    Object used = guard.announce(chain);
    Loan loan = guard.loan;
    if (loan == null) {
      return used;
    }
    try {
      return share(loan.lender(), used);
    } catch (Throwable e) {
      leaveUntil(chain, used);
      throw e;
    }
  }

  /**
   * Announces a change of options, parts of which the engine frees: waits for those who use or copy them, and has others
   * wait, until the method leaves.
   */
  public static Object change(Guard guard, Object chain) {
    if (guard.servesOneThread || guard.loan != null || guard.isUsedByThisThread()) {
      return use(guard, chain);
    }
    guard.requireOutsideOfCallbacks(false);
    Object changed = guard.hold(chain);
    if (!guard.handle.pause(PATIENCE_NANOS)) {
      leaveUntil(chain, changed);
      throw new IllegalStateException(guard.name() + " is in use, by a call that takes long: it cannot be changed");
    }
    return changed;
  }

  /** Throws if this thread runs a callback that must not use the object, or not close it. */
  private void requireOutsideOfCallbacks(boolean isClose) {
    Object callback = Reentrance.runningHere();
    if (callback != null && isServedBy(callback, isClose)) {
      throw Reentrance.refusal(name(), callback);
    }
  }

  private boolean isServedBy(Object callback, boolean isClose) {
    Guard its = isClose ? this : database();
    Guard calls = UpstreamFields.guard(callback);
    return its != null
        && ((isClose || !(callback instanceof AbstractEventListener)) && calls != null && its.keeps(calls)
            || its.isInUseByThisThread());
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
    long thread = here();
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

  private void pause(int waits) {
    if (waits < SPINS_BEFORE_PARKING) {
      Thread.onSpinWait();
      return;
    }
    Thread.yield(); // an interrupted thread does not park
    LockSupport.parkNanos(PARKED_NANOS);
    if (waits % WAITS_OF_A_SECOND == 0) {
      endLostHold();
    }
  }

  /**
   * Lets go for a platform thread that has ended: where the heap is full, the JVM may end a method without its finally.
   * A virtual thread is not found by its number.
   */
  private void endLostHold() {
    long holder = owner;
    if (holder > NOBODY && ManagementFactory.getThreadMXBean().getThreadInfo(holder) == null) {
      if (!servesOneThread) {
        handle.resume();
      }
      OWNER.compareAndSet(this, holder, NOBODY);
    }
  }

  /** The number of this thread as an owner. */
  private static long here() {
    Thread thread = Thread.currentThread();
    return thread.isVirtual() ? -thread.threadId() : thread.threadId();
  }

  /** Makes an object a child of another, which closes it before itself; an object has up to two parents. */
  static void adopt(Guard of, Guard child) {
    Guard parent = of.kind.isDatabase() && of.loan != null ? of.lender() : of; // a borrowed one is not closed
    child.database = parent.database;
    if (parent.servesOneThread) {
      child.loan = Loan.forNow(parent);
    }
    Children.Place<Guard> first = child.place;
    if (first != null && first.parent != parent) {
      child.otherPlace = parent.madeChildren().add(parent, child);
    } else if (first == null || !first.isListed()) {
      child.place = parent.madeChildren().add(parent, child);
    }
    if (child.kind.is(ColumnFamilyHandle.class) && parent.database != null) {
      parent.database.families.put(FamilyHandles.number(child.pointer), child.familyName());
    }
  }


  private synchronized Children<Guard> madeChildren() {
    if (children == null) {
      children = new Children<>();
    }
    return children;
  }

  /** Whether the caller is to destroy the object: it is owned, and open until now. Waits for all who use it. */
  public static boolean mayDispose(AtomicBoolean owning, Guard guard) {
    return owning.get() && guard.close() && owning.compareAndSet(true, false);
  }

  /** Refuses new uses, waits for those there are, and closes the children; false if somebody else did, or does. */
  public boolean close() {
    requireOutsideOfCallbacks(true);
    if (isUsedByThisThread()) {
      throw new IllegalStateException(name() + " is closed from within its own use, by a callback");
    }
    if (!STATE.compareAndSet(this, OPEN, CLOSING)) {
      return false;
    }
    endWatch();
    long thread = here();
    for (int waits = 1; !OWNER.compareAndSet(this, NOBODY, thread); waits++) {
      pause(waits);
    }
    if (kind.isDatabase()) {
      ProcessEnd.close(name(), CallTable::threads, this::endUses); // not if a callback ends the process
    } else {
      endUses();
    }
    return true;
  }

  private void endUses() {
    Handle announced = handle;
    if (announced != null) {
      announced.close();
    }
    closeChildren();
  }

  /** Closes what lives in this object, the last first. */
  public void closeChildren() {
    Children<Guard> its = children;
    if (its != null) {
      for (Guard child : its.take()) {
        child.closeWithin(null, null, null, false);
      }
    }
  }

  /**
   * Closes an object, and destroys the native one. A child is closed while its parents are kept from being closed, or by
   * them: then this does nothing.
   *
   * @param object null where it is not at hand, or is gone
   */
  void closeAndDispose(Object object) {
    closeWithin(place, otherPlace, object, false);
  }

  private void closeWithin(
      Children.Place<Guard> first, Children.Place<Guard> second, Object object, boolean isForgotten) {
    if (first == null) {
      boolean isKnown = isForgotten && kind.is(Transaction.class) && TransactionEnds.isNamed(pointer);
      if (!isKnown && (owning == null ? close() : mayDispose(owning, this))) { // others find it by its name
        dispose(object);
      }
      return;
    }
    Call call;
    try {
      call = Call.enter(first.parent.handle());
    } catch (IllegalStateException closed) {
      return;
    }
    try {
      closeWithin(second, null, object, isForgotten);
      if (isClosed()) {
        first.leave();
      }
    } finally {
      call.exit();
    }
  }

  /** The object is not the program's to close any more; returns what it was a child of, or null. */
  Guard leaveParent() {
    Children.Place<Guard> its = place;
    if (its == null) {
      return null;
    }
    its.leave();
    return its.parent;
  }

  /** Destroys the native object, now or when nothing in the engine points at it any more; see {@link #closeAndDispose}. */
  void dispose(Object object) {
    Bonds its = bonds;
    if (its == null) {
      destroy(object);
    } else {
      its.dispose(object);
    }
  }

  Bonds bonds() {
    Bonds its = bonds;
    return its != null ? its : makeBonds();
  }

  private synchronized Bonds makeBonds() {
    if (bonds == null) {
      bonds = new Bonds(this);
    }
    return bonds;
  }

  private boolean keeps(Guard other) {
    return bonds != null && bonds.keeps(null, other.bonds());
  }

  boolean isHeldByThisThread() {
    return owner == Thread.currentThread().threadId() && !isClosing();
  }

  private boolean isUsedByThisThread() {
    Handle announced = handle;
    return isHeldByThisThread() || !servesOneThread && announced.isUsedByThisThread();
  }

  /** Whether this thread is in a method of the object, or of one that lives in it. */
  private boolean isInUseByThisThread() {
    return isUsedByThisThread() || children().stream().anyMatch(Guard::isUsedByThisThread);
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
    Loan where = loan;
    return database == null && where != null && kind.isBatch() ? where.lender().database() : database;
  }

  /** Sets of which database the object is; null for none. */
  void isOf(Guard its) {
    database = its;
  }

  /** The names of a database's column families by their numbers, as far as there are or were handles of them. */
  Map<Integer, String> families() {
    return families;
  }

  /** The name of a column family, which the caller uses. */
  String familyName() {
    return new String(FamilyHandles.name(pointer), ISO_8859_1);
  }

  /** The guards of the objects that are closed before this one, the oldest first. */
  public List<Guard> children() {
    Children<Guard> its = children;
    return its == null ? List.of() : its.youngestFirst().reversed();
  }

  Guard parent() {
    Children.Place<Guard> its = place;
    return its == null ? null : its.parent;
  }

  /** The batch that this one lives in, or is; null for what is no batch. */
  Guard batch() {
    if (!kind.isBatch()) {
      return null;
    }
    Guard its = lender() == null ? null : lender().batch();
    return its == null ? this : its;
  }

  /** The object that this one lives in; null if it is not borrowed. */
  Guard lender() {
    Loan its = loan;
    return its == null ? null : its.lender();
  }

  /** Lends this object: it is of use while the lender is open. */
  void livesIn(Guard lender) {
    livesIn(lender, null);
  }

  /** Lends this object while the lender is open and the condition holds. */
  void livesIn(Guard lender, BooleanSupplier isThere) {
    loan = Loan.by(lender, isThere);
    Children<Guard> its = children;
    if (kind.isDatabase() && its != null) {
      its.take().reversed().forEach(child -> {
        child.place = null;
        adopt(this, child);
      });
    }
  }

  /** Whether it lives in an object that serves one thread at a time, which moves its bytes as it grows. */
  public boolean livesInBatch() {
    Guard its = lender();
    return its != null && its.servesOneThread;
  }

  /** Throws if the object lived in another for a short time that is over; asked by any thread. */
  public void requireNotCleared() {
    Loan its = loan;
    if (its != null) {
      its.requireNotCleared(this);
    }
  }

  /** Ends the short loans of this object; called by a method that holds it. */
  @SuppressWarnings("NonAtomicOperationOnVolatileField")
  void endLoans() {
    if (livesInBatch()) {
      lender().endLoans();
    } else {
      age++;
    }
  }

  int age() {
    return livesInBatch() ? lender().age() : age;
  }

  /** Has another object used along with this one wherever it is used by others; null ends that. */
  void accompaniedBy(Object other) {
    companion = other;
  }

  Guard companion() {
    return UpstreamFields.guard(companion);
  }

  /** The object was taken over by another, so nobody uses or destroys it any more; said by a method that holds it. */
  void takenOver() {
    closing = CLOSING;
    endWatch();
  }

  /** Destroys the native object, which nobody uses or points at any more; the object itself may be null. */
  void destroy(Object object) {
    if (kind.isDatabase()) {
      FamilyHandles.forgetDefault(pointer);
      Recordings.close(pointer, () -> destroyNow(object));
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

  /** The native object is destroyed with another one, whose program need not close this one. */
  void isOwned() {
    isOwned = true;
  }

  @Override
  public boolean isClosed() {
    return isClosing() || !isOnLoan && !isOwner();
  }

  @Override
  public long weight() {
    return servesOneThread ? HEAVY : LIGHT;
  }

  /** A database closes the families that it has handles of, and these are forgotten with it; so it is with snapshots. */
  @Override
  protected boolean isToBeReported() {
    Guard database = isOnLoan ? lender() : kind.is(ColumnFamilyHandle.class) ? parent() : null;
    return !isOwned && (database == null || !database.isClosing() && !database.refersTo(null));
  }

  /** A method may use the native object yet, whose caller needs the object no more. */
  @Override
  public void closeForgotten() {
    if (closeForgotten(false) != 0) {
      Reclaimer.perform(this::closeForgotten, USED_YET_NANOS);
    }
  }

  /** Returns in how many nanoseconds to try again; 0 for never. */
  private long closeForgotten(boolean isLast) {
    if (!isLast && isInUse()) {
      return USED_YET_NANOS;
    }
    if (!isClosed()) {
      closeWithin(place, otherPlace, null, true);
    }
    gone();
    return 0;
  }

  private boolean isInUse() {
    endLostHold();
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
    if (companion == null) {
      companion = from.companion;
    }
    if (from != this && from.bonds != null && from.bonds.keepsAnything()) {
      bonds().keepWhatIsKeptBy(from.bonds);
    }
  }

  boolean isClosing() {
    return closing != OPEN;
  }

  public IllegalStateException closedException() {
    return handle().closedException();
  }
}
