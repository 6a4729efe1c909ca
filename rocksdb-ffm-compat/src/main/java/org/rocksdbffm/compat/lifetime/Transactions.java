/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.AbstractTransactionNotifier;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;
import org.rocksdb.Transaction;

/** The lifetimes of what transactions and their databases give out: iterators, snapshots and known transactions. */
public final class Transactions {
  /** Which transactions tell a notifier. */
  private static final Map<AbstractTransactionNotifier, Set<Transaction>> TOLD = new WeakHashMap<>();

  /** The guards of open transactions by their pointers. */
  private static final Map<Long, Guard> OPEN = new ConcurrentHashMap<>();

  private Transactions() {}

  static void opened(Guard transaction) {
    OPEN.put(transaction.pointer(), transaction);
  }

  static void closed(long transaction) {
    OPEN.remove(transaction);
  }

  /** The guard of the database that an open transaction is of. */
  public static Guard database(long transaction) {
    return OPEN.get(transaction).database();
  }

  /** Upstream closes the options of its own while it still uses them, which the guards refuse. */
  public static RocksIterator iterator(Transaction transaction) {
    try (ReadOptions options = new ReadOptions()) {
      return transaction.getIterator(options);
    }
  }

  public static RocksIterator iterator(Transaction transaction, ColumnFamilyHandle family) {
    try (ReadOptions options = new ReadOptions()) {
      return transaction.getIterator(options, family);
    }
  }

  /** The engine's own batch of what was written to a transaction, or to a batch itself. */
  static long indexedBatchOf(Guard written) {
    return written.isOfType(Transaction.class)
        ? Java_org_rocksdb_Transaction_getWriteBatch(written.pointer())
        : written.pointer();
  }

  /** Whether others find the transaction in its database by its name, and may go on with it. */
  static boolean isKnown(Guard guard) {
    return guard.isOfType(Transaction.class) && TransactionEnds.isNamed(guard.pointer());
  }

  /** A transaction's snapshot goes when it is cleared or another is set, and when the transaction ends. */
  static void lend(Snapshot snapshot, Transaction transaction) {
    long pointer = transaction.getNativeHandle();
    long its = snapshot.getNativeHandle();
    UpstreamFields.guard(snapshot)
        .livesIn(UpstreamFields.guard(transaction), () -> Java_org_rocksdb_Transaction_getSnapshot(pointer) == its);
  }

  /**
   * A transaction that the database knows lives in the one that its owner began; one that the database has recovered
   * is its own, and one that asks for it later shares what the first was given.
   */
  static void lend(Transaction known, RocksDB db) {
    Guard guard = UpstreamFields.guard(known);
    Guard lender = UpstreamFields.guard(db);
    synchronized (lender) {
      for (Guard other : lender.children()) {
        if (other.isOfType(Transaction.class)
            && other != guard
            && !other.isClosing()
            && other.pointer() == known.getNativeHandle()) {
          guard.livesIn(other);
          return;
        }
      }
      guard.livesIn(lender);
      Guard.adopt(lender, guard);
    }
  }

  /** Has the transaction tell of the snapshot that its next operation takes, and remembers whom it tells. */
  public static void snapshotOnNextOperation(Transaction transaction, AbstractTransactionNotifier notifier) {
    Object used = Guard.use(UpstreamFields.guard(transaction), null);
    try {
      used = Guard.use(UpstreamFields.guard(notifier), used);
      synchronized (TOLD) {
        TOLD.computeIfAbsent(notifier, ignored -> Collections.newSetFromMap(new WeakHashMap<>())).add(transaction);
      }
      Java_org_rocksdb_Transaction_setSnapshotOnNextOperation__JJ(
          transaction.getNativeHandle(), UpstreamFields.pointer(notifier));
      WovenLifetimes.keeps(transaction, "setSnapshotOnNextOperation", notifier);
    } finally {
      Guard.leave(used);
    }
  }

  /** Gives the notifier the snapshot of the transaction that this thread is in, where the engine has but a pointer. */
  public static void snapshotCreated(AbstractTransactionNotifier notifier, long pointer) {
    List<Transaction> told;
    synchronized (TOLD) {
      told = List.copyOf(TOLD.getOrDefault(notifier, Set.of()));
    }
    for (Transaction transaction : told) {
      if (UpstreamFields.guard(transaction).isHeldByThisThread()
          && Java_org_rocksdb_Transaction_getSnapshot(transaction.getNativeHandle()) == pointer) {
        notifier.snapshotCreated(transaction.getSnapshot());
        return;
      }
    }
    throw new IllegalStateException("a transaction that nobody is in has a new snapshot");
  }

  private static native long Java_org_rocksdb_Transaction_getWriteBatch(long transaction);

  private static native void Java_org_rocksdb_Transaction_setSnapshotOnNextOperation__JJ(
      long transaction, long notifier);

  private static native long Java_org_rocksdb_Transaction_getSnapshot(long transaction);
}
