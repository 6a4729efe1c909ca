/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.transaction;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.internal.call.Uninterrupted;
import org.rocksdbffm.internal.db.Child;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.db.Parent;
import org.rocksdbffm.internal.db.Transactions;
import org.rocksdbffm.internal.lifetime.Owner;

/** The open transactions of a database. Thread-safe. */
public final class TransactionRegistry implements Parent, Transactions {
  private final String database;
  private final String name;
  private final Owner<Child> open = new Owner<>();
  private final PreparedTransactions prepared = new PreparedTransactions();

  // The number of running ingestions that block transactions; guarded by this.
  private int exclusions;

  public TransactionRegistry(Path folder) {
    this.database = "database " + folder;
    this.name = "transaction of " + database;
  }

  public static TransactionRegistry of(Database database) {
    return (TransactionRegistry) database.transactions();
  }

  /** Returns the name of a transaction in messages. */
  String name() {
    return name;
  }

  public PreparedTransactions prepared() {
    return prepared;
  }

  private List<NativeTransaction> all() {
    List<NativeTransaction> transactions = new ArrayList<>();
    for (Child child : open.children()) {
      transactions.add((NativeTransaction) child);
    }
    return transactions;
  }

  @Override
  public void register(Child transaction) {
    transaction.join(open);
  }

  @Override
  public void unregister(Child transaction) {
    transaction.leaveSiblings();
  }

  /** Registers a new transaction; returns false while transactions are blocked. */
  synchronized boolean registerStarted(NativeTransaction transaction) {
    if (exclusions == 0) {
      transaction.join(open);
    }
    return exclusions == 0;
  }

  /** Waits until transactions can be started. */
  synchronized void awaitTurn() {
    Uninterrupted.await(() -> {
      while (exclusions > 0) {
        wait();
      }
      return null;
    });
  }

  @Override
  public void exclude(Runnable work) {
    count(1);
    try {
      if (!all().isEmpty() || !prepared.isEmpty()) {
        throw new IllegalStateException(
            database + " has transactions that are not ended, which would not notice that keys change: commit them first, or "
                + "roll them back, those that are prepared too");
      }
      work.run();
    } finally {
      count(-1);
    }
  }

  private synchronized void count(int more) {
    exclusions += more;
    notifyAll();
  }

  @Override
  public void endIdle() {
    for (NativeTransaction transaction : all()) {
      transaction.closeIfIdle();
    }
  }

  @Override
  public void endOn(NativeFamily family, boolean wait) {
    for (NativeTransaction transaction : all()) {
      if (transaction.touches(family)) {
        transaction.endFor(family, wait);
      }
    }
  }

  @Override
  public void requireNotPrepared(NativeFamily family) {
    boolean isHeld = all().stream().anyMatch(each -> each.isPrepared() && each.touches(family));
    if (isHeld || prepared.anyTouches(family)) {
      throw new IllegalStateException(
          family.handle() + " is written by a transaction that is prepared: commit that, or roll it back, before the drop");
    }
  }

  @Override
  public void closeAll() {
    for (NativeTransaction transaction : all()) {
      transaction.closeByParent();
    }
    prepared.close();
  }
}
