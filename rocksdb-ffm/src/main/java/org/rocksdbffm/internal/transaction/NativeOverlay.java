/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.transaction;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.internal.c.rocksdb_ffm_reader;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.ExclusiveUse;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.call.Locking;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.Child;
import org.rocksdbffm.internal.db.Children;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.db.Parent;
import org.rocksdbffm.internal.foreign.WrittenBytes;
import org.rocksdbffm.internal.leak.TrackedResource;

/**
 * Writes that are not in the database yet, and that reads through this see above it: a transaction, or a batch with an
 * index. A child of its database, and the parent of the iterators that see its writes. One thread at a time uses it,
 * which is held to, and any may close it.
 */
public abstract class NativeOverlay extends Child implements Parent, TrackedResource {
  // Words of a call's reader.
  private static final int ENGINE = word(rocksdb_ffm_reader.engine$offset());
  private static final int PLACE = word(rocksdb_ffm_reader.db$offset());
  private static final int OPTIONS = word(rocksdb_ffm_reader.options$offset());
  private static final int COLUMN_FAMILY = word(rocksdb_ffm_reader.column_family$offset());

  private static final String CLOSED = "is closed";
  private static final String CLOSED_BY_DATABASE = "is closed: its database was closed, and what it had not written there is gone";

  final Database database;
  final ExclusiveUse use;

  // The families, beside the default one, of which it has written or locked keys. Set by the thread that has the turn.
  private volatile List<NativeFamily> touched = List.of();

  // Used by the thread that has the turn.
  private SavePoints savePoints;
  private int changes;

  // Guarded by this.
  private Children children; // null before there was one
  private boolean gone;

  NativeOverlay(Database database, ExclusiveUse use) {
    this.database = database;
    this.use = use;
  }

  private static int word(long offset) {
    return (int) (offset / Long.BYTES);
  }

  /** That it is a child of. */
  abstract Parent parent();

  /** The address of the table of functions by which the stubs read through this. */
  abstract long engine();

  /** The address that they take in the place of a database. */
  abstract long place();

  /** How its writes lock the keys. */
  abstract Locking lockingOfWrites();

  /** An iterator over a family of the database that sees the writes too; made within a call that is within this. */
  public abstract MemorySegment iterator(MemorySegment options, MemorySegment family);

  /** Where the engine has what this has written, for an iterator of this, which <em>owns</em> the result. */
  public abstract WrittenBytes written();

  abstract void setNativeSavePoint();

  abstract void rollbackToNativeSavePoint(MemorySegment error);

  /** Throws if nothing may be changed in it any more; for the thread that has the turn. */
  void requireChangeable() {}

  /** Destroys what is native, once; nobody uses it any more. */
  abstract void destroyNative();

  public final Database database() {
    return database;
  }

  /** Has a call read through this, until it is left; leaves it and throws if that cannot be. */
  public final Call read(Call call, Locking locking, MemorySegment options, NativeFamily family) {
    if (locking == Locking.NONE) {
      return join(call.within(use, locking, null), options, family);
    }
    return join(touch(call.within(use, locking, writing(family)), family), options, family);
  }

  /** Has a call write to this in the same way. */
  public final Call write(Call call, MemorySegment readOptions, NativeFamily family) {
    call.within(use, lockingOfWrites(), writing(family));
    try {
      requireChangeable();
    } catch (Throwable e) {
      call.exit();
      throw e;
    }
    touch(call, family);
    changes++;
    return join(call, readOptions, family);
  }

  private static Handle writing(NativeFamily family) {
    return family.isDefault() ? null : family.writing();
  }

  private Call touch(Call call, NativeFamily family) {
    if (!family.isDefault() && !touched.contains(family)) {
      List<NativeFamily> more = new ArrayList<>(touched);
      more.add(family);
      touched = List.copyOf(more);
    }
    return call;
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

  /** Has a call that reads through an overlay do so under other options, by their address; returns that of the former. */
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

  /** Takes a turn without a call, for an iterator's step. */
  public final void begin() {
    use.begin();
  }

  public final void end() {
    use.end();
  }

  /** How often it was changed; an iterator has to look again at what it has looked at before. */
  public final int changes() {
    return changes;
  }

  final Call enter() {
    return Call.enter(database.handle()).within(use, Locking.NONE, null);
  }

  /**
   * Keeps the families that this has written from being dropped while they are written to the database: the engine would
   * find out behind its log, and take the database for damaged. Each call is added to those, for the caller to leave.
   */
  final void keepFamilies(List<Call> calls) {
    for (NativeFamily family : touched) {
      calls.add(Call.enter(family.writing()));
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

  /** Undoes what was changed since the last save point, and lets go of what was locked since; closes the iterators. */
  public final void rollbackToSavePoint() {
    try (Call call = enter()) {
      requireChangeable();
      int ofEngine = savePoints().top();
      closeChildren(); // they point into an index that is built anew
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

  /** Ends this within a call that is within it. */
  void endWith(String end) {
    use.endForGood(end);
    destroy();
    parent().unregister(this);
  }

  /** Waits for the thread that uses it, and does without what is not written. Idempotent. */
  public final void close() {
    Call call;
    try {
      call = Call.enter(database.handle());
    } catch (IllegalStateException refused) {
      if (database.isClosed() || use.hasEnded()) {
        return; // the database closes it, or did
      }
      throw refused;
    }
    try {
      if (use.awaitEnd(CLOSED)) {
        closeChildren();
        letGo();
        parent().unregister(this);
      }
    } finally {
      call.exit();
    }
  }

  /** Lets go of it when its user has closed it. */
  void letGo() {
    destroy();
  }

  /** Ends it if nobody uses it, or when nobody does any more. */
  final void end(String end, boolean wait) {
    if (wait ? use.awaitEnd(end) : use.tryEnd(end)) {
      closeChildren();
      destroy();
      parent().unregister(this);
    }
  }

  /** On behalf of a database that is being closed. */
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
      children = new Children();
    }
    children.add(child);
  }

  @Override
  public final synchronized void unregister(Child child) {
    if (children != null) {
      children.remove(child);
    }
  }

  final void closeChildren() {
    Children open;
    synchronized (this) {
      open = children;
    }
    if (open != null) {
      open.all().forEach(Child::closeByParent);
    }
  }

  final synchronized void destroy() {
    if (!gone) {
      gone = true;
      destroyNative();
    }
  }

  /** Leaves what is native to somebody else; false if it was destroyed, or left, before. */
  final synchronized boolean leave() {
    boolean isFirst = !gone;
    gone = true;
    return isFirst;
  }
}
