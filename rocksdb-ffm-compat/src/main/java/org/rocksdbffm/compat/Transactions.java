/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat;

import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;
import org.rocksdb.Transaction;

/** What lives in transactions and in databases that have them. */
public final class Transactions {
  private Transactions() {}

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

  /** A transaction's snapshot goes when it is cleared or another is set, and when the transaction ends. */
  static void lend(Snapshot snapshot, Transaction transaction) {
    long pointer = transaction.getNativeHandle();
    long its = snapshot.getNativeHandle();
    Natives.guard(snapshot)
        .livesIn(Natives.guard(transaction), () -> Java_org_rocksdb_Transaction_getSnapshot(pointer) == its);
  }

  /**
   * A transaction that the database knows lives in the one that its owner began; one that the database has recovered
   * is its own, and who asks for it later shares what the first was given.
   */
  static void lend(Transaction known, RocksDB db) {
    Guard guard = Natives.guard(known);
    Guard lender = Natives.guard(db);
    synchronized (lender) {
      for (Object child : lender.children()) {
        if (child instanceof Transaction other
            && other != known
            && !Natives.guard(other).isClosing()
            && other.getNativeHandle() == known.getNativeHandle()) {
          guard.livesIn(Natives.guard(other));
          return;
        }
      }
      guard.livesIn(lender);
      Guard.adopt(lender, guard);
    }
  }

  private static native long Java_org_rocksdb_Transaction_getSnapshot(long transaction);
}
