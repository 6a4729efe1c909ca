/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.transaction;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Calls;
import org.rocksdbffm.internal.call.ExclusiveUse;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.call.Locking;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.Child;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.db.Parent;
import org.rocksdbffm.internal.foreign.EntityCalls;
import org.rocksdbffm.internal.foreign.Structs;
import org.rocksdbffm.internal.foreign.WrittenBytes;
import org.rocksdbffm.internal.leak.TrackedResource;
import org.rocksdbffm.internal.lifetime.Owner;

/**
 * Uncommitted writes that its reads include: a transaction, or an indexed batch. A child of its database, and the
 * parent of iterators that include its writes. Used by one thread at a time, which is checked; any thread may close it.
 */
public abstract class NativeOverlay extends Child implements Parent, TrackedResource {
  // Word indexes in a call's reader struct.
  private static final int ENGINE = word(Structs.READER_ENGINE);
  private static final int PLACE = word(Structs.READER_DB);
  private static final int OPTIONS = word(Structs.READER_OPTIONS);
  private static final int COLUMN_FAMILY = word(Structs.READER_COLUMN_FAMILY);

  private static final String CLOSED = "is closed";
  private static final String CLOSED_BY_DATABASE = "is closed: its database was closed, and what it had not written there is gone";

  final Database database;
  final ExclusiveUse use;

  // The families, except the default one, in which it has written or locked keys. Set with exclusive access.
  private volatile List<NativeFamily> touched = List.of();

  // Guarded by exclusive access.
  private SavePoints savePoints;
  private int changes;

  // Guarded by this.
  private Owner<Child> children; // null before the first child
  private boolean destroyed;

  NativeOverlay(Database database, ExclusiveUse use) {
    this.database = database;
    this.use = use;
  }

  private static int word(long offset) {
    return (int) (offset / Long.BYTES);
  }

  /** Returns the parent of this child. */
  abstract Parent parent();

  /** Returns the address of the engine functions by which the stubs read through this. */
  abstract long engine();

  /** Returns the address that the stubs pass to these functions as the database. */
  abstract long place();

  /** Returns how its writes lock keys. */
  abstract Locking lockingOfWrites();

  /** Returns the C++ stub's number for reads and writes of entities through this. */
  public final int entitySource() {
    return lockingOfWrites() == Locking.NONE ? EntityCalls.OF_BATCH : EntityCalls.OF_TRANSACTION;
  }

  /** Returns an iterator of a family that includes these writes; called within a call that uses this. */
  public abstract MemorySegment iterator(MemorySegment options, MemorySegment family);

  /**
   * Returns the location of this overlay's writes in memory, for one of its iterators, which <em>owns</em> the result.
   */
  public abstract WrittenBytes written();

  abstract void setNativeSavePoint();

  abstract void rollbackToNativeSavePoint(MemorySegment error);

  /** Throws if no more changes are possible; called with exclusive access. */
  void requireChangeable() {}

  /** Destroys the native object; called once, when it is not in use. */
  abstract void destroyNative();

  public final Database database() {
    return database;
  }

  /** Makes a call read through this overlay, until it exits; exits the call if this throws. */
  public final Call read(Call call, Locking locking, MemorySegment options, NativeFamily family) {
    if (locking == Locking.NONE) {
      return join(call.within(use, locking, null), options, family);
    }
    call.within(use, locking, writing(family));
    try {
      touch(family);
    } catch (Throwable e) {
      call.exit();
      throw e;
    }
    return join(call, options, family);
  }

  /** Makes a call write to this overlay; exits the call if this throws. */
  public final Call write(Call call, MemorySegment readOptions, NativeFamily family) {
    call.within(use, lockingOfWrites(), writing(family));
    try {
      requireChangeable();
      touch(family);
    } catch (Throwable e) {
      call.exit();
      throw e;
    }
    changes++;
    return join(call, readOptions, family);
  }

  private static Handle writing(NativeFamily family) {
    return family.isDefault() ? null : family.writing();
  }

  private void touch(NativeFamily family) {
    if (!family.isDefault() && !touched.contains(family)) {
      List<NativeFamily> more = new ArrayList<>(touched);
      more.add(family);
      touched = List.copyOf(more);
    }
  }

  private Call join(Call call, MemorySegment options, NativeFamily family) {
    call.readerWord(ENGINE, engine());
    call.readerWord(PLACE, place());
    call.readerWord(OPTIONS, options.address());
    call.readerWord(COLUMN_FAMILY, family.pointer().address());
    return call;
  }

  static void readFrom(Call call, NativeFamily family) {
    call.readerWord(COLUMN_FAMILY, family.pointer().address());
  }

  /** Makes a call read through its overlay with other options, given by address; returns the previous ones. */
  public static long readWith(Call call, long options) {
    long former = call.readerWord(OPTIONS);
    call.readerWord(OPTIONS, options);
    return former;
  }

  final List<NativeFamily> touched() {
    return touched;
  }

  final void touched(List<NativeFamily> families) {
    touched = families;
  }

  final boolean touches(NativeFamily family) {
    return touched.contains(family);
  }

  /** Takes exclusive access without a call, for a step of an iterator. */
  public final void begin() {
    use.begin();
  }

  public final void end() {
    use.end();
  }

  /** Returns the number of changes, by which an iterator notices that its rows are stale. */
  public final int changes() {
    return changes;
  }

  final Call enter() {
    return Call.enter(database.handle()).within(use, Locking.NONE, null);
  }

  /**
   * Prevents drops of the written families during a commit: the engine would notice a drop only after writing the WAL,
   * and consider the database corrupt. Returns a call for each family, which the caller closes.
   */
  final Calls keepFamilies() {
    Calls calls = new Calls();
    try {
      touched.forEach(family -> calls.enter(family.writing()));
      return calls;
    } catch (Throwable e) {
      calls.close();
      throw e;
    }
  }

  private SavePoints savePoints() {
    if (savePoints == null) {
      savePoints = new SavePoints();
    }
    return savePoints;
  }

  final void forgetSavePoints() {
    savePoints = null;
  }

  public final void setSavePoint() {
    try (Call _ = enter()) {
      requireChangeable();
      setNativeSavePoint();
      savePoints().push();
    }
  }

  /** Undoes the changes since the last save point, and releases the locks taken since; closes the iterators. */
  public final void rollbackToSavePoint() {
    try (Call call = enter()) {
      requireChangeable();
      int ofEngine = savePoints().top();
      closeChildren(); // they point into an index that is rebuilt
      changes++;
      savePoints().pop();
      for (int i = 0; i < ofEngine; i++) {
        rollbackToNativeSavePoint(call.error);
        Status.check(call.error, name());
      }
    }
  }

  public final void popSavePoint() {
    try (Call _ = enter()) {
      requireChangeable();
      savePoints().mergeTop();
    }
  }

  public final boolean hasEnded() {
    return use.hasEnded();
  }

  /** Ends this overlay within a call that uses it. */
  void endWith(String end) {
    use.endForGood(end);
    destroy();
    parent().unregister(this);
  }

  /** Waits for the thread that uses it, and discards uncommitted writes. Idempotent. */
  public final void close() {
    Call call;
    try {
      call = Call.enter(database.handle());
    } catch (IllegalStateException refused) {
      if (database.isClosed() || use.hasEnded()) {
        return; // the database closes it, or has closed it
      }
      throw refused;
    }
    try {
      if (use.awaitEnd(CLOSED)) {
        closeChildren();
        releaseNative();
        parent().unregister(this);
      }
    } finally {
      call.exit();
    }
  }

  /** Releases the native object after the user's close. */
  void releaseNative() {
    destroy();
  }

  /** Ends this overlay, waiting for the thread that uses it; without {@code wait}, only if it is idle. */
  final void end(String end, boolean wait) {
    if (wait ? use.awaitEnd(end) : use.tryEnd(end)) {
      closeChildren();
      destroy();
      parent().unregister(this);
    }
  }

  /** Ends this overlay if it is idle, because its database is being closed. */
  final void endIfIdle() {
    end(CLOSED_BY_DATABASE, false);
  }

  @Override
  public final void closeByParent() {
    use.tryEnd(CLOSED_BY_DATABASE);
    closeChildren();
    destroy();
  }

  @Override
  public final void closeForgotten() {
    close();
  }

  @Override
  public final boolean isClosed() {
    return use.hasEnded();
  }

  @Override
  public final synchronized void register(Child child) {
    if (children == null) {
      children = new Owner<>();
    }
    child.join(children);
  }

  @Override
  public final void unregister(Child child) {
    child.leaveSiblings();
  }

  final void closeChildren() {
    Owner<Child> open;
    synchronized (this) {
      open = children;
    }
    if (open != null) {
      open.children().forEach(Child::closeByParent);
    }
  }

  final synchronized void destroy() {
    if (!destroyed) {
      destroyed = true;
      destroyNative();
    }
  }

  /** Gives the native object to a new owner; returns false if it was destroyed or given away before. */
  final synchronized boolean leave() {
    boolean isFirst = !destroyed;
    destroyed = true;
    return isFirst;
  }

  @Override
  public String toString() {
    return name();
  }
}
