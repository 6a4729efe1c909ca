/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.rocksdb.AbstractComparator;
import org.rocksdb.AbstractImmutableNativeReference;
import org.rocksdb.AbstractSlice;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.PerfContext;
import org.rocksdb.RocksObject;
import org.rocksdb.Transaction;
import org.rocksdbffm.compat.callback.Thrown;
import org.rocksdbffm.compat.scan.ReadAheadCursor;
import org.rocksdbffm.compat.support.CompiledApart;
import org.rocksdbffm.compat.support.DefaultFamily;
import org.rocksdbffm.compat.support.Mode;
import org.rocksdbffm.compat.support.Settings;
import org.rocksdbffm.compat.support.Slices;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.leak.LeakLevel;
import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.leak.Reclaimer;
import org.rocksdbffm.internal.lifetime.Loan;
import org.rocksdbffm.internal.lifetime.Owner;
import org.rocksdbffm.internal.lifetime.RefCounted;
import org.rocksdbffm.internal.lifetime.Use;

/**
 * Prevents the destruction of a native object while a rocksdbjni method uses it, and any use after the destruction. The
 * relinker adds a field with a guard to each class that holds a native pointer, and a call to the guard at the start of
 * each method that reads the pointer. Thread-safe.
 *
 * <p>Each method keeps its uses in a local variable: a {@link Call}, which announces up to three thread-safe objects;
 * the guard of an object for one thread at a time, which the method holds like a lock; or {@link Uses}, a chain of
 * both. Null if it has none.
 *
 * <p>The parts of a lifetime are fields: {@link Use}, the use by one thread, and the end; a {@link Handle}, the uses by
 * several threads; {@link Owner}, the children; {@link Loan}, the lender of a borrowed object; {@link RefCounted}, the
 * holders, of which the last destroys the native object; and {@link Retained}, the objects that the engine points at.
 *
 * <p>A guard does not refer to its object, and is registered with the reclaimer while the object is open: an
 * unreachable object is reported, and its native object is destroyed when no method uses it. Reachability of related
 * objects comes from fields: a child refers to its parents, and a borrowed object to its lender (the anchor).
 */
public final class Guard extends LeakWatch {
  private static final long USED_YET_NANOS = 20_000_000;
  private static final long PATIENCE_NANOS = 10_000_000_000L;
  private static final long LIGHT = 1 << 10;
  private static final long HEAVY = 8 << 10; // the estimate for iterators, which pin blocks, and batches

  private final Kind kind;
  private final boolean servesOneThread;

  private final AtomicBoolean owning; // the object's owningHandle_; null if the class has no AtomicBoolean for it
  private final WeakReference<Object> itself; // a batch, or an object whose class overrides disposeInternal
  private long pointer;
  private boolean isSet; // whether a slice's pointer was set: the slice does not own its bytes then
  private boolean isOwned;

  // The handle that calls announce. Created lazily for an object that serves one thread, when several objects share it.
  private volatile Handle handle;

  // The use of an object that serves one thread at a time, or a change of an object; also used to end every object.
  private final Use use = new Use();

  // The object itself until it is disposed, and the objects that retain it.
  private final RefCounted holders = new RefCounted();

  private volatile Lifecycle lifecycle = Lifecycle.PLAIN;
  private volatile Owner<Guard> children; // null before the first
  private volatile Guard parent;
  private volatile Guard otherParent; // set only for an iterator over a batch and a database
  private Owner.Place<Guard> place;
  private Owner.Place<Guard> otherPlace;
  private volatile Loan<Guard> loan; // null if not borrowed
  private volatile Retained retained; // null before the first

  // An object that must be open whenever a method uses this object, such as the snapshot of read options.
  private volatile Guard companion;
  private Object companionItself; // keeps the companion reachable

  // The database that this object belongs to, or is; null if usable with any database.
  private volatile Guard database;

  // The read-ahead of an iterator.
  private ReadAheadCursor cursor;

  public Guard(Object object) {
    Kind kind = Kind.of(object.getClass());
    super(object, kind.isDatabase());
    this.kind = kind;
    this.servesOneThread = kind.servesOneThread();
    this.owning =
        object instanceof AbstractImmutableNativeReference reference ? UpstreamFields.owning(reference) : null;
    this.itself = kind.overridesDisposal() || kind.isBatch() ? new WeakReference<>(object) : null;
    if (!servesOneThread) {
      handle = new Handle(name());
    }
    if (object instanceof PerfContext && !Thread.currentThread().isVirtual()) {
      loan = Loan.from(ofThisThread());
    }
    if (kind.isDatabase()) {
      database = this;
    }
  }

  /** Sets the pointer of the created native object, and watches the object for leaks until it is closed or disowned. */
  public static void made(Guard guard, long pointer) {
    guard.pointer = pointer;
    if (pointer != 0 && !guard.kind.is(PerfContext.class)) {
      guard.kind.opened();
      guard.begin();
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
    lifecycle.freed();
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
    use.tryBegin(thread.threadId());
  }

  /** Announces the use of an object, and returns the extended chain. */
  @CompiledApart
  public static Object use(Guard guard, Object chain) {
    Reentrance.check(guard);
    Object used = guard.servesOneThread ? guard.hold(chain) : guard.announce(chain);
    Loan<Guard> loan = guard.loan;
    Guard companion = chain == null ? null : guard.companion; // none for the method's receiver
    if (loan == null && companion == null) {
      return used;
    }
    try {
      if (loan != null) {
        used = use(loan.lender(), used);
        guard.requireLent(loan);
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

  /** Announces a use by a method that may run concurrently with other methods of the object. */
  public static Object share(Guard guard, Object chain) {
    Reentrance.check(guard);
    Object used = guard.announce(chain);
    Loan<Guard> loan = guard.loan;
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
   * Announces a change of options or of a slice, which frees parts of the native object. Waits for concurrent uses and
   * copies, and makes later uses wait until the method returns.
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
      if (Uses.last(chain) instanceof Call call && call.alsoUses(announced)) {
        return chain;
      }
      Uses room = Uses.after(chain);
      return Uses.with(room, Call.enter(announced).lend());
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
      Use.pause(waits);
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
   * Creates the handle. Creates the handle. If another thread closes the object concurrently, either that thread sees
   * the handle, or this method sees the close, and closes the handle.
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
    Object left = chain;
    while (left != null) {
      leaveLast(left);
      left = Uses.before(left);
    }
    Thrown.report();
  }

  private static void leaveUntil(Object end, Object chain) {
    Object left = chain;
    while (left != end) {
      leaveLast(left);
      left = Uses.before(left);
    }
  }

  private static void leaveLast(Object chain) {
    Object last = Uses.last(chain);
    if (last instanceof Call call) {
      call.exitWithLoan();
    } else {
      ((Guard) last).release();
    }
  }

  private void release() {
    if (!servesOneThread) {
      handle.resume();
    }
    use.end();
  }

  /** Throws if the object is closed. */
  public static void check(Guard guard) {
    if (guard.isClosing()) {
      throw guard.closedException();
    }
  }

  private Object hold(Object chain) {
    Uses room = Uses.after(chain);
    long thread = Thread.currentThread().threadId();
    if (!use.tryBegin(thread)) {
      if (use.isBy(thread)) {
        return chain; // a method further down the stack holds the object, and releases it later
      }
      await(thread);
    }
    return Uses.with(room, this);
  }

  /** Waits for exclusive access, because concurrent use by two threads would corrupt a batch or an iterator. */
  private void await(long thread) {
    if (kind.is(Thread.class)) {
      throw new IllegalStateException(
          "this counts what the thread " + handle.name() + " does, and lies in its memory: only that may look at it");
    }
    if (!use.awaitBegin(thread)) {
      throw closedException();
    }
  }

  /**
   * Makes an object a child of another, which closes it before itself. An object has up to two parents. A borrowed
   * database is never closed, so its children are children of its lender.
   */
  public static void adopt(Guard of, Guard child) {
    Guard lender = of.lender();
    Guard parent = of.kind.isDatabase() && lender != null && lender.kind.isDatabase() ? lender : of;
    child.database = parent.database;
    if (parent.servesOneThread) {
      child.loan = Loan.untilCleared(parent, parent.cleared().owner());
    }
    if (child.parent == null || child.parent == parent) {
      child.forget(parent); // the program got the same object again
      child.parent = parent;
      child.place = parent.owner().add(child);
    } else {
      child.otherParent = parent;
      child.otherPlace = parent.owner().add(child);
    }
  }

  private Owner<Guard> owner() {
    Owner<Guard> made = children;
    return made != null ? made : makeOwner();
  }

  private synchronized Owner<Guard> makeOwner() {
    if (children == null) {
      children = new Owner<>();
    }
    return children;
  }

  /** Removes this object from the children of a parent. */
  void forget(Guard from) {
    Owner.Place<Guard> left = from == parent ? place : otherPlace;
    if (left != null) {
      left.leave();
    }
  }

  Guard parent() {
    return parent;
  }

  /** Whether the other object is the first parent. */
  public boolean isChildOf(Guard other) {
    return parent == other;
  }

  Guard otherParent() {
    return otherParent;
  }

  /** Returns the open objects that are closed before this object, the oldest first. */
  public List<Guard> children() {
    Owner<Guard> owner = children;
    return owner == null ? List.of() : owner.children().reversed();
  }

  /** Closes the children of this object, the youngest first. */
  public void closeChildren() {
    Owner<Guard> owner = children;
    if (owner != null) { // this object is not in use any more, so no child is added concurrently
      for (Guard child : owner.takeChildren()) {
        child.closeOwned(null);
      }
    }
  }

  /**
   * Closes an object that owns its native object, and destroys that.
   *
   * @param object the Java object; null if unknown or collected
   */
  @CompiledApart
  void closeOwned(Object object) {
    if (owning == null ? close() : mayDispose(owning, this)) {
      dispose(object);
    }
  }

  /**
   * Whether the caller has to destroy the native object, because this object owns it and was open. Waits for its users.
   */
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
    if (!isClosing()) {
      lifecycle.closing();
    }
    if (!use.awaitEnd()) {
      return false;
    }
    endWatch();
    Lifecycle special = lifecycle;
    if (special == Lifecycle.PLAIN) {
      endUses();
    } else {
      special.endUses(this::endUses);
    }
    return true;
  }

  /** Sets the special actions of the lifetime. */
  public void lives(Lifecycle special) {
    lifecycle = special;
  }

  boolean isComparator() {
    return kind.is(AbstractComparator.class);
  }

  private void endUses() {
    Handle announced = handle;
    if (announced != null) {
      announced.close();
    }
    closeChildren();
    if (kind.isDatabase()) {
      DefaultFamily.forget();
    }
  }

  /** Whether the current thread has exclusive access. */
  public boolean isHeldByThisThread() {
    return use.isBy(Thread.currentThread().threadId());
  }

  private boolean isUsedByThisThread() {
    Handle announced = handle;
    return isHeldByThisThread() || !servesOneThread && announced.isUsedByThisThread();
  }

  /** Whether the current thread runs a method of the object, or of one of its children. */
  boolean isInUseByThisThread() {
    return isUsedByThisThread() || children().stream().anyMatch(Guard::isUsedByThisThread);
  }

  /** Returns the batch, or the object with an overridden disposeInternal; null if collected. */
  public Object itself() {
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

  /**
   * Returns the database to which the object belongs. For a borrowed batch without a database, returns the lender's
   * database.
   */
  public Guard database() {
    Guard known = database;
    Loan<Guard> borrowed = loan;
    return known == null && borrowed != null && kind.isBatch() ? borrowed.lender().database() : known;
  }

  /** Whether this is a batch without an index, with updates of the other object's column families. */
  public boolean isFilledFrom(Guard other) {
    return database == other && kind.isPlainBatch();
  }

  /** Sets the database to which the object belongs; null for none. */
  public void isOf(Guard newDatabase) {
    database = newDatabase;
  }

  public boolean isBorrowed() {
    return loan != null;
  }

  /** Returns the object that contains this one; null if not borrowed. */
  public Guard lender() {
    Loan<Guard> borrowed = loan;
    return borrowed == null ? null : borrowed.lender();
  }

  /** Lends this object while the lender is open. A short loan from the same lender stays short. */
  public void livesIn(Guard newLender) {
    if (lender() != newLender) {
      loan = Loan.from(newLender);
    }
  }

  /** Lends this object while the lender is open and the condition holds. */
  public void livesIn(Guard newLender, BooleanSupplier isThere) {
    loan = Loan.whileContained(newLender, isThere);
  }

  /** Whether the lender serves one thread at a time, like a batch, which moves its bytes when it grows. */
  public boolean livesInBatch() {
    Guard lender = lender();
    return lender != null && lender.servesOneThread;
  }

  /**
   * Returns the batch or transaction whose clears end short loans from this object; for a borrowed batch, this is the
   * lender.
   */
  private Guard cleared() {
    return livesInBatch() ? lender().cleared() : this;
  }

  /** Ends the short loans of this object. The caller holds the guard. */
  public void endLoans() {
    Owner<Guard> lent = cleared().children; // a short loan has the same owner as a child
    if (lent != null) {
      lent.clear();
    }
  }

  /** Throws if a short loan has ended. May be called by any thread. */
  private void requireNotCleared() {
    Loan<Guard> borrowed = loan;
    if (borrowed != null) {
      requireNotCleared(borrowed);
    }
  }

  private void requireNotCleared(Loan<Guard> borrowed) {
    if (borrowed.isCleared()) {
      throw new IllegalStateException(
          name() + " is of no use any more: what it is over was committed, rolled back or cleared");
    }
  }

  /** Throws if the loan has ended. The caller uses the lender. */
  private void requireLent(Loan<Guard> borrowed) {
    requireNotCleared(borrowed);
    if (borrowed.isLost()) {
      throw closedException();
    }
  }

  public Guard companion() {
    return companion;
  }

  public Object companionItself() {
    return companionItself;
  }

  /** Makes methods of other objects use a companion together with this object; null removes it. */
  public void accompaniedBy(Object other) {
    companionItself = other;
    companion = UpstreamFields.guard(other);
  }

  /** Returns the batch that owns this batch's memory, or this batch; null if the object is not a batch. */
  public Guard batch() {
    if (!kind.isBatch()) {
      return null;
    }
    Guard lender = lender();
    Guard batch = lender == null ? null : lender.batch();
    return batch == null ? this : batch;
  }

  /** Returns the engine's indexed batch that the iterator reads. The caller uses the iterator. */
  public long indexedBatchBelow() {
    Guard written = lender();
    return written.kind.is(Transaction.class)
        ? Java_org_rocksdb_Transaction_getWriteBatch(written.pointer)
        : written.pointer;
  }

  /**
   * Marks the object as closed, because another native object owns its native object now. The caller holds the guard.
   */
  public void takenOver() {
    use.endObject();
    endWatch();
  }

  /**
   * Destroys the native object, immediately or as soon as the engine has no pointer to it.
   *
   * @param object the Java object; null if unknown or collected
   */
  public void dispose(Object object) {
    release(object);
  }

  void retain() {
    holders.retain();
  }

  /** Removes a holder: this object, when it is disposed, or an object that retained it. */
  void release(Object object) {
    if (holders.release()) {
      Lifecycle special = lifecycle;
      if (special == Lifecycle.PLAIN) {
        destroy(object);
      } else {
        special.destroy(() -> destroy(object));
      }
      releaseRetained();
    }
  }

  private void destroy(Object object) {
    freeCursor();
    if (kind.is(RocksObject.class)) {
      Settings.forget(pointer);
    }
    Object known = object == null ? itself() : object;
    if (known != null) {
      UpstreamFields.dispose(known);
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
  public void isOwned() {
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

  /** False for families whose database was collected too: the database closes their handles. */
  @Override
  protected boolean isToBeReported() {
    return !isOwned
        && !(kind.is(ColumnFamilyHandle.class) && parent.refersTo(null))
        && (LeakLevel.isSet() || !Mode.isQuiet());
  }

  @Override
  protected boolean isSmall() {
    return kind.isSmall();
  }

  @Override
  protected boolean isFreed() {
    return !kind.overridesDisposal() && !lifecycle.isKnown();
  }

  /** Destroys the native object of an unreachable object, which a method may still be using. */
  @Override
  public void closeForgotten() {
    if (!lifecycle.isKnown() && closeForgotten(false) != 0) {
      Reclaimer.perform(this::closeForgotten, USED_YET_NANOS);
    }
  }

  /**
   * Destroys the native object, unless a method is still using it; returns the nanoseconds until the next attempt, or 0
   * if done.
   */
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
    return use.isInUse() || announced != null && announced.isInUse();
  }

  /** Sets the pointer of a native object that the constructor has not created. */
  void points(long pointer) {
    this.pointer = pointer;
    isSet = true;
  }

  public ReadAheadCursor cursor() {
    return cursor;
  }

  /** Returns the read-ahead of an open iterator; throws if the iterator is closed, or its short loan has ended. */
  public ReadAheadCursor openCursor() {
    if (use.isEnding() || loan != null) { // compiled at each step of a program: the rest is one call
      requireOpen();
    }
    return cursor;
  }

  private void requireOpen() {
    check(this);
    requireNotCleared();
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
  public void inherit(Guard from) {
    if (from == this) {
      return;
    }
    if (companion == null && from.companion != null) {
      companionItself = from.companionItself;
      companion = from.companion;
    }
    if (from.retainsAnything()) {
      retained().addAllOf(from.retained, false);
    }
  }

  private Retained retained() {
    Retained made = retained;
    return made != null ? made : makeRetained();
  }

  private synchronized Retained makeRetained() {
    if (retained == null) {
      retained = new Retained();
    }
    return retained;
  }

  private boolean retainsAnything() {
    Retained objects = retained;
    return objects != null && !objects.isEmpty();
  }

  /**
   * Retains an object, or the objects of a list, until this one is destroyed, and releases the objects retained under
   * the same name. Null, or an object without a guard, only releases.
   */
  public void keep(String what, Object other) {
    if (other instanceof List<?> all) {
      retained().replace(what, all);
    } else if (other != null || retainsAnything()) {
      retained().replace(what, other);
    }
  }

  /** Retains another object under the same name, but does not keep its Java object reachable. */
  public void alsoKeep(String what, Guard other) {
    retained().add(what, other);
  }

  /** Releases the objects retained under a name. */
  public void letGoOf(String what) {
    if (retainsAnything()) {
      retained.release(what);
    }
  }

  public void releaseRetained() {
    if (retainsAnything()) {
      retained.releaseAll();
    }
  }

  /** Whether the engine points at the other object from this object. */
  boolean keeps(Guard other) {
    return retainsAnything() && retained.contains(other);
  }

  /** Retains the comparators that the other object retains. Called often. */
  public void keepComparatorsOf(Guard from) {
    Retained objects = from.retained;
    if (objects != null && objects.hasComparator()) {
      retained().addAllOf(objects, true);
    }
  }

  /** Whether the object is closed, or a thread waits to close it. */
  public boolean isClosing() {
    return use.isEnding();
  }

  /** Enters a call that keeps the object open; throws if it is closed. */
  public Call enter() {
    return Call.enter(handle());
  }

  /** Adds the object to the objects that a call keeps open; throws if it is closed. */
  public void alsoUsedBy(Call call) {
    call.alsoUses(handle());
  }

  /** Whether a handle ID announced by a call is the ID of this object's handle. */
  public boolean isAnnouncedAs(long id) {
    Handle announced = handle;
    return announced != null && announced.is(id);
  }

  public IllegalStateException closedException() {
    return handle().closedException();
  }

  private static native long Java_org_rocksdb_Transaction_getWriteBatch(long transaction);
}
