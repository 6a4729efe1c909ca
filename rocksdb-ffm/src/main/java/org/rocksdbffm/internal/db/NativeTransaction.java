/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.db;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.c.rocksdb_ffm_reader;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.ExclusiveUse;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.call.Locking;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.foreign.EngineTable;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.jfr.FlightRecords;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.leak.TrackedResource;
import org.rocksdbffm.internal.options.DatabaseKind;

/**
 * A transaction in the engine; a child of its database, and the parent of the iterators that see its writes. One thread
 * at a time uses it, which is held to, and any may close it.
 *
 * <p>A transaction that is prepared is a promise: it ends by a commit or a rollback alone. A close gives it to the
 * database, which has it until somebody asks for it, and, after the next opening, again.
 */
public final class NativeTransaction implements Child, Parent, TrackedResource {
  // Words of a call's reader.
  private static final int ENGINE = word(rocksdb_ffm_reader.engine$offset());
  private static final int TRANSACTION = word(rocksdb_ffm_reader.db$offset());
  private static final int OPTIONS = word(rocksdb_ffm_reader.options$offset());
  private static final int COLUMN_FAMILY = word(rocksdb_ffm_reader.column_family$offset());

  private static final String CLOSED = "is closed";
  private static final String CLOSED_BY_DATABASE = "is closed: its database was closed, and what it had not committed is gone";

  private final Database database;
  private final long address; // a segment would be an object more in each
  private final ExclusiveUse use;
  private final long began = FlightRecords.begin();

  // The families, beside the default one, of which it has written or locked keys. Set by the thread that has the turn.
  private volatile List<NativeFamily> touched = List.of();

  // Used by the thread that has the turn.
  private SavePoints savePoints;
  private int changes;
  private volatile boolean prepared;
  private boolean failedToPrepare;

  // The transaction that holds the locks of this one, if the engine has recovered this without them.
  private NativeTransaction locks;

  // Guarded by this.
  private List<Child> children = List.of();
  private boolean gone;

  private NativeTransaction(Database database, MemorySegment pointer) {
    this.database = database;
    this.address = pointer.address();
    this.use = new ExclusiveUse(database.transactionName());
  }

  private static int word(long offset) {
    return (int) (offset / Long.BYTES);
  }

  /** Begins one under options that the caller keeps reachable, and which the engine copies. */
  public static NativeTransaction begin(Database database, MemorySegment writeOptions, MemorySegment options) {
    StackRoom.require();
    Call call = Call.enter(database.handle());
    try {
      MemorySegment begun =
          database.kind() == DatabaseKind.OPTIMISTIC
              ? RocksDbC.rocksdb_optimistictransaction_begin(
                  database.pointer(), writeOptions, options, MemorySegment.NULL)
              : RocksDbC.rocksdb_transaction_begin(database.pointer(), writeOptions, options, MemorySegment.NULL);
      NativeTransaction transaction = new NativeTransaction(database, begun);
      LiveObjects.TRANSACTIONS.made();
      database.register(transaction);
      return transaction;
    } finally {
      call.exit();
    }
  }

  /** Takes over one that is prepared; called within a call that uses the database. */
  static NativeTransaction resume(Database database, PreparedTransactions.Prepared known) {
    NativeTransaction transaction = new NativeTransaction(database, known.pointer());
    transaction.prepared = true;
    transaction.touched = known.touched();
    transaction.locks = known.locks();
    LiveObjects.TRANSACTIONS.made();
    database.register(transaction);
    return transaction;
  }

  public Database database() {
    return database;
  }

  /** Keeps what this has locked until {@link #release}, or the close of the database. */
  public void holdLocks() {
    prepared = true;
  }

  /** Lets go of what it has locked for another. */
  private void release() {
    destroy();
    database.unregister(this);
  }

  public MemorySegment pointer() {
    return Memory.atAddress(address);
  }

  /** Has a call read through this transaction, until it is left; leaves it and throws if that cannot be. */
  public Call read(Call call, Locking locking, MemorySegment options, NativeFamily family) {
    if (locking == Locking.NONE) {
      return join(call.within(use, locking, null), options, family);
    }
    return join(touch(call.within(use, locking, writing(family)), family), options, family);
  }

  /** Has a call write within this transaction, likewise. */
  public Call write(Call call, MemorySegment readOptions, NativeFamily family) {
    touch(call.within(use, Locking.FOR_UPDATE, writing(family)), family);
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
    call.readerWord(ENGINE, EngineTable.OfTransactions.ADDRESS);
    call.readerWord(TRANSACTION, address);
    call.readerWord(OPTIONS, options.address());
    call.readerWord(COLUMN_FAMILY, family.pointer().address());
    return call;
  }

  boolean touches(NativeFamily family) {
    return touched.contains(family);
  }

  /** Takes a turn without a call, for an iterator's step. */
  public void begin() {
    use.begin();
  }

  public void end() {
    use.end();
  }

  /** How often it was changed; an iterator has to look again at what it has looked at before. */
  public int changes() {
    return changes;
  }

  private Call enter() {
    return Call.enter(database.handle()).within(use, Locking.NONE, null);
  }

  /**
   * Writes all changes, or none. The families are kept from being dropped meanwhile: the engine would find out behind its
   * log, and take the database for damaged.
   */
  public void commit() {
    Call call = enter();
    List<Call> families = new ArrayList<>(touched.size());
    try {
      if (failedToPrepare) {
        throw new IllegalStateException(name() + " could not be prepared, and cannot be committed any more: roll it back");
      }
      for (NativeFamily family : touched) {
        families.add(Call.enter(family.writing()));
      }
      closeChildren();
      RocksDbC.rocksdb_transaction_commit(pointer(), call.error);
      requireNoConflict(call);
      endWith("was committed: begin another");
      FlightRecords.transacted(name(), "committed", began);
      database.requireSound();
    } finally {
      families.forEach(Call::exit);
      call.exit();
    }
  }

  private void requireNoConflict(Call call) {
    try {
      Status.check(call.error, name());
    } catch (RocksDbException e) {
      if (e.isConflict()) {
        FlightRecords.conflicted(name(), e.getMessage());
      }
      throw e;
    }
  }

  /** Undoes all changes, and ends the transaction. */
  public void rollback() {
    Call call = enter();
    try {
      closeChildren();
      RocksDbC.rocksdb_transaction_rollback(pointer(), call.error);
      Status.check(call.error, name());
      endWith("was rolled back: begin another");
      FlightRecords.transacted(name(), "rolled back", began);
    } finally {
      call.exit();
    }
  }

  /** Writes all changes to the log, under a name, so that they can be committed whatever happens. */
  public void prepare(String name) {
    Call call = enter();
    try (Arena arena = Arena.ofConfined()) {
      if (prepared) {
        throw new IllegalStateException(name() + " is prepared already: commit it, or roll it back");
      }
      byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
      MemorySegment its = arena.allocate(Math.max(1, bytes.length)).copyFrom(MemorySegment.ofArray(bytes));
      RocksDbC.rocksdb_transaction_set_name(pointer(), its, bytes.length, call.error);
      Status.check(call.error, name());
      failedToPrepare = true; // the engine forgets the name of one that it cannot commit, and ends the process later
      RocksDbC.rocksdb_transaction_prepare(pointer(), call.error);
      Status.check(call.error, name());
      failedToPrepare = false;
      prepared = true;
    } finally {
      call.exit();
    }
  }

  public boolean isPrepared() {
    return prepared;
  }

  /** The name under which it was prepared; empty if it was not. */
  public String preparedName() {
    Call call = enter();
    try (Arena arena = Arena.ofConfined()) {
      return PreparedTransactions.name(pointer(), arena);
    } finally {
      call.exit();
    }
  }

  private SavePoints savePoints() {
    if (savePoints == null) {
      savePoints = new SavePoints();
    }
    return savePoints;
  }

  public void setSavePoint() {
    Call call = enter();
    try {
      RocksDbC.rocksdb_transaction_set_savepoint(pointer());
      savePoints().push();
    } finally {
      call.exit();
    }
  }

  /** Undoes what was changed since the last save point, and lets go of what was locked since; closes the iterators. */
  public void rollbackToSavePoint() {
    Call call = enter();
    try {
      int ofEngine = savePoints().top();
      closeChildren(); // they point into an index that is built anew
      changes++;
      savePoints().pop();
      for (int i = 0; i < ofEngine; i++) {
        RocksDbC.rocksdb_transaction_rollback_to_savepoint(pointer(), call.error);
        Status.check(call.error, name());
      }
    } finally {
      call.exit();
    }
  }

  public void popSavePoint() {
    Call call = enter();
    try {
      savePoints().mergeTop();
    } finally {
      call.exit();
    }
  }

  public boolean hasEnded() {
    return use.hasEnded();
  }

  private void endWith(String end) {
    use.endForGood(end);
    destroy();
    if (locks != null) {
      locks.release();
    }
    database.unregister(this);
  }

  /** Rolls back what is not prepared; waits for the thread that uses it. Idempotent. */
  public void close() {
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
        database.unregister(this);
        FlightRecords.transacted(name(), "closed", began);
      }
    } finally {
      call.exit();
    }
  }

  private synchronized void letGo() {
    if (prepared && !gone) {
      gone = true;
      database.prepared().add(new PreparedTransactions.Prepared(pointer(), touched, locks));
      LiveObjects.TRANSACTIONS.gone();
    } else {
      destroy();
    }
  }

  /** On behalf of a database that is being closed: ends it if nobody uses it, and with it the locks that others wait for. */
  void closeIfIdle() {
    if (!prepared && use.tryEnd(CLOSED_BY_DATABASE)) {
      closeChildren();
      destroy();
    }
  }

  /** Rolls it back because a family that it touches is dropped; waits for the thread that uses it, or leaves it to that. */
  void endFor(NativeFamily dropped, boolean wait) {
    String end = "was rolled back: " + dropped.handle() + ", of which it had written or locked keys, was dropped";
    if (!prepared && (wait ? use.awaitEnd(end) : use.tryEnd(end))) {
      closeChildren();
      destroy();
      database.unregister(this);
    }
  }

  @Override
  public void closeByParent() {
    use.tryEnd(CLOSED_BY_DATABASE);
    closeChildren();
    destroy();
  }

  @Override
  public void closeForgotten() {
    close();
  }

  @Override
  public boolean isClosed() {
    return use.hasEnded();
  }

  @Override
  public String name() {
    return database.transactionName();
  }

  @Override
  public synchronized void register(Child child) {
    if (children.isEmpty()) {
      children = new ArrayList<>();
    }
    children.add(child);
  }

  @Override
  public synchronized void unregister(Child child) {
    if (!children.isEmpty()) {
      children.remove(child);
    }
  }

  private void closeChildren() {
    List<Child> open;
    synchronized (this) {
      if (children.isEmpty()) {
        return;
      }
      open = List.copyOf(children);
    }
    open.forEach(Child::closeByParent);
  }

  private synchronized void destroy() {
    if (!gone) {
      gone = true;
      RocksDbC.rocksdb_transaction_destroy(pointer());
      LiveObjects.TRANSACTIONS.gone();
    }
  }
}
