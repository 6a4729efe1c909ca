/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.transactions;

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
import org.rocksdbffm.compat.lifetime.Guard;
import org.rocksdbffm.compat.lifetime.Lifecycle;
import org.rocksdbffm.compat.lifetime.UpstreamFields;
import org.rocksdbffm.internal.call.Call;

/** The lifetimes of objects from transactions and their databases: iterators, snapshots and named transactions. */
public final class Transactions {
  /** The transactions that call a notifier. */
  private static final Map<AbstractTransactionNotifier, Set<Transaction>> TOLD = new WeakHashMap<>();

  /** The guards of open transactions by their pointers. */
  private static final Map<Long, Guard> OPEN = new ConcurrentHashMap<>();

  private Transactions() {}

  /** A transaction with a name, by which other threads can get it from the database and continue it. */
  private record Named(Guard guard) implements Lifecycle {
    @Override
    public boolean isKnown() {
      Call call;
      try {
        call = guard.database().enter(); // another thread may close the database, which frees the transaction
      } catch (IllegalStateException closed) {
        return false;
      }
      try {
        return !guard.isClosed() && TransactionEnds.isNamed(guard.pointer());
      } finally {
        call.exit();
      }
    }
  }

  /** Registers a new transaction. */
  public static void opened(Guard transaction) {
    transaction.lives(new Named(transaction));
    OPEN.put(transaction.pointer(), transaction);
  }

  static void closed(long transaction) {
    OPEN.remove(transaction);
  }

  /** Returns the guard of an open transaction's database. */
  public static Guard database(long transaction) {
    return OPEN.get(transaction).database();
  }

  /**
   * Creates an iterator with default options. rocksdbjni's method uses its options after closing them, which the guards
   * reject.
   */
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

  /** Lends a transaction's snapshot, which is released when it is cleared or replaced, or when the transaction ends. */
  public static void lend(Snapshot snapshot, Transaction transaction) {
    long pointer = transaction.getNativeHandle();
    long lent = snapshot.getNativeHandle();
    UpstreamFields.guard(snapshot)
        .livesIn(UpstreamFields.guard(transaction), () -> Java_org_rocksdb_Transaction_getSnapshot(pointer) == lent);
  }

  /**
   * Lends a named transaction from the program's open transaction with the same pointer. A recovered transaction has no
   * such object at first: its first object is owned, and lends to later ones.
   */
  public static void lend(Transaction known, RocksDB db) {
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

  /** Registers a notifier for the snapshot that the transaction's next operation takes. */
  public static void snapshotOnNextOperation(Transaction transaction, AbstractTransactionNotifier notifier) {
    Object used = Guard.use(UpstreamFields.guard(transaction), null);
    try {
      used = Guard.use(UpstreamFields.guard(notifier), used);
      synchronized (TOLD) {
        TOLD.computeIfAbsent(notifier, ignored -> Collections.newSetFromMap(new WeakHashMap<>())).add(transaction);
      }
      TransactionSnapshots.use();
      Java_org_rocksdb_Transaction_setSnapshotOnNextOperation__JJ(
          transaction.getNativeHandle(), UpstreamFields.pointer(notifier));
      UpstreamFields.guard(transaction).keep("setSnapshotOnNextOperation", notifier);
    } finally {
      Guard.leave(used);
    }
  }

  /** Calls a notifier with the new snapshot of the current thread's transaction. The engine passes only a pointer. */
  public static void snapshotCreated(AbstractTransactionNotifier notifier, long pointer) {
    List<Transaction> notified;
    synchronized (TOLD) {
      notified = List.copyOf(TOLD.getOrDefault(notifier, Set.of()));
    }
    for (Transaction transaction : notified) {
      if (UpstreamFields.guard(transaction).isHeldByThisThread()
          && Java_org_rocksdb_Transaction_getSnapshot(transaction.getNativeHandle()) == pointer) {
        notifier.snapshotCreated(transaction.getSnapshot());
        return;
      }
    }
    throw new IllegalStateException("a transaction that nobody is in has a new snapshot");
  }

  private static native void Java_org_rocksdb_Transaction_setSnapshotOnNextOperation__JJ(
      long transaction, long notifier);

  private static native long Java_org_rocksdb_Transaction_getSnapshot(long transaction);
}
