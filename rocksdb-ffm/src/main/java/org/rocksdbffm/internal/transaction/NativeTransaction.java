/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.transaction;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Calls;
import org.rocksdbffm.internal.call.CopyGate;
import org.rocksdbffm.internal.call.ExclusiveUse;
import org.rocksdbffm.internal.call.Locking;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.db.NativeSnapshot;
import org.rocksdbffm.internal.db.Parent;
import org.rocksdbffm.internal.db.ReadPoint;
import org.rocksdbffm.internal.foreign.EngineTable;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.foreign.Structs;
import org.rocksdbffm.internal.foreign.WrittenBytes;
import org.rocksdbffm.internal.jfr.FlightRecords;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.options.DatabaseKind;
import org.rocksdbffm.internal.settings.NativeTransactionOptions;

/**
 * An engine transaction.
 *
 * <p>A prepared transaction ends only by commit or rollback. A close hands it to the database, which keeps it until the
 * program asks for it, also after the database was opened again.
 */
public final class NativeTransaction extends NativeOverlay {
  private static final long NONE = 0;
  private static final String COMMITTED = "was committed: begin another";
  private static final String NOT_COMMITTED = "could not be committed: begin another";

  private final long address; // a segment would be another object in each transaction

  // The start time, for the Flight Recorder; null while there is no recording.
  private final Long began;

  // Set with exclusive access.
  private volatile boolean prepared;
  private boolean failedToPrepare;
  private boolean unlogged;

  // The transaction that holds this one's locks, if the engine recovered this one without locks.
  private NativeTransaction locks;

  private NativeTransaction(Database database, ExclusiveUse use, long address) {
    super(database, use);
    this.address = address;
    long now = FlightRecords.begin();
    this.began = now == 0 ? null : now;
  }

  /** Starts a transaction. The engine copies the options; the caller keeps them reachable during this call. */
  public static NativeTransaction begin(
      Database database, MemorySegment writeOptions, NativeTransactionOptions options) {
    while (true) {
      NativeTransaction transaction = tryToBegin(database, writeOptions, options);
      if (transaction != null) {
        return transaction;
      }
      TransactionRegistry.of(database).awaitTurn();
    }
  }

  /** Starts a transaction; returns null while transactions are blocked. */
  private static NativeTransaction tryToBegin(
      Database database, MemorySegment writeOptions, NativeTransactionOptions options) {
    StackRoom.require();
    try (Call _ = Call.enter(database.handle())) {
      ExclusiveUse use = use(database, options);
      NativeTransaction transaction = begin(database, use, writeOptions, options);
      LiveObjects.TRANSACTIONS.made();
      boolean registered = false;
      try {
        registered = TransactionRegistry.of(database).registerStarted(transaction);
      } finally {
        if (!registered) {
          transaction.destroyNative();
        }
      }
      return registered ? transaction : null;
    }
  }

  private static ExclusiveUse use(Database database, NativeTransactionOptions options) {
    boolean finds = options.snapshot() && database.kind() != DatabaseKind.OPTIMISTIC;
    return finds ? SnapshotUse.of(database) : new ExclusiveUse(TransactionRegistry.of(database).name());
  }

  private static long beginNative(
      Database database, ExclusiveUse use, MemorySegment writeOptions, NativeTransactionOptions options) {
    long db = database.pointer().address();
    long optionsAddress = writeOptions.address();
    try {
      return database.kind() == DatabaseKind.OPTIMISTIC
          ? HotCalls.beginOptimisticTransaction(db, optionsAddress, options.forOptimistic().address(), NONE)
          : HotCalls.beginTransaction(
              db, optionsAddress, options.forLocking(SnapshotUse.snapshot(use) == null).address(), NONE);
    } finally {
      Reference.reachabilityFence(options);
    }
  }

  private static NativeTransaction begin(
      Database database, ExclusiveUse use, MemorySegment writeOptions, NativeTransactionOptions options) {
    long started = NONE;
    try {
      started = beginNative(database, use, writeOptions, options);
      return new NativeTransaction(database, use, started);
    } catch (Throwable e) {
      SnapshotUse.releaseNative(use);
      if (started != NONE) {
        HotCalls.destroyTransaction(started);
      }
      throw e;
    }
  }

  /** Takes over a prepared transaction; called within a call that uses the database. */
  static NativeTransaction resume(Database database, PreparedTransactions.Prepared known) {
    ExclusiveUse use = new ExclusiveUse(TransactionRegistry.of(database).name());
    NativeTransaction transaction = new NativeTransaction(database, use, known.pointer().address());
    transaction.prepared = true;
    transaction.touched(known.touched());
    transaction.locks = known.locks();
    LiveObjects.TRANSACTIONS.made();
    transaction.parent().register(transaction);
    return transaction;
  }

  /** Notes that the commit does not write the WAL; called before the transaction is shared. */
  public void leaveOutLog() {
    unlogged = true;
  }

  /** Keeps the locks until {@link #release}, or the close of the database. */
  public void holdLocks() {
    prepared = true;
  }

  /** Releases the locks that were held for another transaction. */
  private void release() {
    destroy();
    parent().unregister(this);
  }

  /** Returns the number of changes in the transaction of a call's reader. */
  public static int count(long reader) {
    MemorySegment transaction = Memory.atAddress(Memory.longAt(reader + Structs.READER_DB));
    MemorySegment batch = RocksDbC.rocksdb_transaction_get_writebatch_wi(transaction);
    int count = RocksDbC.rocksdb_writebatch_wi_count(batch);
    RocksDbC.rocksdb_free(batch); // frees only the pointer to it
    return count;
  }

  private MemorySegment pointer() {
    return Memory.atAddress(address);
  }

  @Override
  Parent parent() {
    return TransactionRegistry.of(database);
  }

  @Override
  long engine() {
    return EngineTable.OfTransactions.ADDRESS;
  }

  @Override
  long place() {
    return address;
  }

  @Override
  Locking lockingOfWrites() {
    return Locking.FOR_UPDATE;
  }

  @Override
  public MemorySegment iterator(MemorySegment options, MemorySegment family) {
    return Memory.atAddress(HotCalls.createIteratorOfTransaction(address, options.address(), family.address()));
  }

  @Override
  public WrittenBytes written() {
    return WrittenBytes.ofPointer(RocksDbC.rocksdb_transaction_get_writebatch_wi(pointer()));
  }

  /**
   * A commit writes only the prepared changes to the WAL, so a later change would be lost when the database is opened
   * again.
   */
  @Override
  void requireChangeable() {
    if (prepared) {
      throw new IllegalStateException(name() + " is prepared already: commit it, or roll it back");
    }
  }

  @Override
  void setNativeSavePoint() {
    RocksDbC.rocksdb_transaction_set_savepoint(pointer());
  }

  @Override
  void rollbackToNativeSavePoint(MemorySegment error) {
    RocksDbC.rocksdb_transaction_rollback_to_savepoint(pointer(), error);
  }

  @Override
  void destroyNative() {
    HotCalls.destroyTransaction(address);
    SnapshotUse.releaseNative(use);
    LiveObjects.TRANSACTIONS.freed();
  }

  /** Makes read options read at this transaction's snapshot; throws if it has none. */
  public void setSnapshotIn(MemorySegment readOptions) {
    try (Call _ = enter()) {
      setSnapshotWithin(readOptions);
    }
  }

  /** Returns the snapshot, for calls that use this transaction. */
  public ReadPoint snapshot() {
    return this::setSnapshotWithin;
  }

  private void setSnapshotWithin(MemorySegment readOptions) {
    NativeSnapshot taken = SnapshotUse.snapshot(use);
    if (taken != null) {
      taken.setIn(readOptions);
      return;
    }
    MemorySegment snapshot = RocksDbC.rocksdb_transaction_get_snapshot(pointer());
    try {
      if (Memory.longAt(snapshot.address()) == 0) {
        throw new IllegalStateException(name() + " took no snapshot: begin it with TransactionOptions.snapshot(true)");
      }
      RocksDbC.rocksdb_readoptions_set_snapshot(readOptions, snapshot);
    } finally {
      RocksDbC.rocksdb_free(snapshot); // frees only the pointer to it
    }
  }

  /** Commits atomically. */
  public void commit() {
    try (Call call = enter()) {
      if (failedToPrepare) {
        throw new IllegalStateException(name() + " could not be prepared, and cannot be committed any more: roll it back");
      }
      if (touched().isEmpty()) {
        commit(call);
      } else {
        commitKeepingFamilies(call);
      }
    }
  }

  private void commitKeepingFamilies(Call call) {
    try (Calls _ = keepFamilies()) {
      commit(call);
    }
  }

  private void commit(Call call) {
    closeChildren();
    try (CopyGate.Pass _ = database.copies().passWrite(unlogged)) {
      HotCalls.commit(address, call.error.address());
    }
    requireNoConflict(call);
    endWith(COMMITTED);
    record("committed");
    database.requireSound();
  }

  private void requireNoConflict(Call call) {
    try {
      database.check(call.error, name());
    } catch (RocksDbException e) {
      if (e.isConflict()) {
        FlightRecords.conflicted(name(), e.getMessage());
      }
      if (hasLostChanges(e)) {
        endWith(NOT_COMMITTED);
        record("not committed");
      }
      throw e;
    }
  }

  /** Whether the engine has dropped the changes and locks, as it does when a write fails after it has started. */
  private boolean hasLostChanges(RocksDbException e) {
    return database.kind() != DatabaseKind.OPTIMISTIC && !prepared && e.code() != RocksDbException.Code.EXPIRED;
  }

  public boolean isCommitted() {
    return use.hasEndedAs(COMMITTED);
  }

  /**
   * Undoes all changes, and ends the transaction; undoes nothing if a failed commit has already dropped the changes.
   */
  public void rollback() {
    if (use.hasEndedAs(NOT_COMMITTED)) {
      return;
    }
    try (Call call = enter()) {
      closeChildren();
      if (prepared) { // the engine refuses to roll back expired or failed ones; destroying them undoes their changes
        RocksDbC.rocksdb_transaction_rollback(pointer(), call.error);
        Status.check(call.error, name());
      }
      endWith("was rolled back: begin another");
      record("rolled back");
    }
  }

  /** Writes all changes to the WAL under a name, so that they can be committed later even after a crash. */
  public void prepare(byte[] name) {
    try (Call call = enter();
        Arena arena = Arena.ofConfined()) {
      requireChangeable();
      if (unlogged) { // the WAL would contain the prepare, but not the commit
        throw new IllegalStateException(name() + " leaves out the log: begin it without WriteOptions.disableWal");
      }
      MemorySegment nativeName = arena.allocate(Math.max(1, name.length)).copyFrom(MemorySegment.ofArray(name));
      RocksDbC.rocksdb_transaction_set_name(pointer(), nativeName, name.length, call.error);
      Status.check(call.error, name());
      failedToPrepare = true; // the engine drops the name if this fails, and would end the process at a commit
      RocksDbC.rocksdb_transaction_prepare(pointer(), call.error);
      database.check(call.error, name());
      failedToPrepare = false;
      prepared = true;
    }
  }

  public boolean isPrepared() {
    return prepared;
  }

  /** Returns the name under which it was prepared; empty if it was not. */
  public String preparedName() {
    try (Call _ = enter();
        Arena arena = Arena.ofConfined()) {
      return PreparedTransactions.name(pointer(), arena);
    }
  }

  @Override
  void endWith(String end) {
    super.endWith(end);
    if (locks != null) {
      locks.release();
    }
  }

  /** Rolls back an unprepared transaction, and hands a prepared one to the database. */
  @Override
  void releaseNative() {
    if (prepared && leave()) {
      SnapshotUse.releaseNative(use);
      TransactionRegistry.of(database).prepared().add(new PreparedTransactions.Prepared(pointer(), touched(), locks));
      LiveObjects.TRANSACTIONS.freed();
    } else {
      destroy();
    }
    record("closed");
  }

  /** Ends an idle, unprepared transaction and releases its locks, because the database is being closed. */
  void closeIfIdle() {
    if (!prepared) {
      endIfIdle();
    }
  }

  /**
   * Rolls back the transaction because one of its families is being dropped. Waits for the thread that uses it; without
   * {@code wait}, does nothing if it is in use.
   */
  void endFor(NativeFamily dropped, boolean wait) {
    if (!prepared) {
      end("was rolled back: " + dropped.handle() + ", of which it had written or locked keys, was dropped", wait);
    }
  }

  private void record(String end) {
    if (began != null) {
      FlightRecords.transacted(name(), end, began);
    }
  }

  @Override
  public String name() {
    return TransactionRegistry.of(database).name();
  }
}
