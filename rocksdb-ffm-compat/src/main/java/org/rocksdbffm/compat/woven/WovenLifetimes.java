/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.woven;

import java.util.List;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Env;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.RocksObject;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.Transaction;
import org.rocksdb.WriteBatch;
import org.rocksdbffm.compat.lifetime.CallbackLoans;
import org.rocksdbffm.compat.lifetime.Guard;
import org.rocksdbffm.compat.lifetime.UpstreamFields;
import org.rocksdbffm.compat.membership.BatchFamilies;
import org.rocksdbffm.compat.membership.FamilyNames;
import org.rocksdbffm.compat.membership.LentBatches;
import org.rocksdbffm.compat.membership.MappedFamilies;
import org.rocksdbffm.compat.membership.Membership;
import org.rocksdbffm.compat.support.CompiledApart;
import org.rocksdbffm.compat.support.Settings;
import org.rocksdbffm.compat.transactions.PipelinedDatabases;
import org.rocksdbffm.compat.transactions.TransactionEnds;
import org.rocksdbffm.compat.transactions.Transactions;
import org.rocksdbffm.compat.watch.WatchedDatabase;

/** Connects the lifetimes of objects, as lifetimes.txt describes for rocksdbjni's methods. */
public final class WovenLifetimes {
  private WovenLifetimes() {}

  /** Makes the parent close the child before itself. */
  @CompiledApart
  public static void adopts(Object parent, Object child) {
    Guard owner = UpstreamFields.guard(parent);
    Guard made = UpstreamFields.guard(child);
    Guard.adopt(owner, made);
    if (child instanceof ColumnFamilyHandle) {
      FamilyNames.remember(made);
      MappedFamilies.made(owner, made);
    } else if (child instanceof Transaction) {
      Transactions.opened(made);
    }
    UpstreamFields.anchor(child, parent);
  }

  /** Registers a new database by its pointer. */
  public static void opened(Object database) {
    WatchedDatabase.opened(UpstreamFields.guard(database));
    CallbackLoans.opened(database);
  }

  /** Makes the parent close an object that it created for its own use. An unclosed one is no leak. */
  public static void owns(Object parent, Object child) {
    Guard owned = UpstreamFields.guard(child);
    Guard.adopt(UpstreamFields.guard(parent), owned);
    owned.isOwned();
  }

  /**
   * Whether a family's handle is the engine's handle of the default family, which lives as long as its database.
   * Methods without a family argument, and iterators over transactions, need the handle after the program closes it.
   * The database keeps an unclosed handle reachable, and closes it.
   */
  public static boolean isEnginesDefault(Object db, Object family) {
    Guard guard = UpstreamFields.guard(family);
    if (guard.isChildOf(UpstreamFields.guard(db))) {
      UpstreamFields.anchor(db, family);
    }
    return guard.lender() == UpstreamFields.guard(db);
  }

  /** Destroys the native object of an object without users, and releases the objects that it retains. */
  public static void disposes(Object object) {
    UpstreamFields.guard(object).dispose(object);
  }

  /** Retains an object that was set, because the engine points at it. Null only releases the object set before. */
  public static void keeps(Object owner, String what, Object kept) {
    UpstreamFields.guard(owner).keep(what, kept);
  }

  /** Returns the object that methods use together with the given object; null if none. */
  @CompiledApart
  public static Object usedWith(Object object) {
    return UpstreamFields.guard(object).companionItself();
  }

  /** Returns a slice that owns a copy, because the owner of the given slice's memory may close it; null for null. */
  @CompiledApart
  public static Slice copyOf(Slice slice) {
    return slice == null ? null : new Slice(slice.data());
  }

  /** Makes methods that use an object use the other too; null ends that. */
  public static void uses(Object object, Object other) {
    UpstreamFields.guard(object).accompaniedBy(other);
  }

  /** Lends an object, or the objects of a list, to another. The object may be null or the lender itself. */
  public static void lends(Object borrowed, Object lender) {
    Membership.lend(borrowed, lender);
    if (borrowed instanceof WriteBatch batch && borrowed != lender) {
      LentBatches.add(batch);
    }
    if (borrowed != lender && UpstreamFields.guard(borrowed) != null && borrowed != Env.getDefault()) {
      UpstreamFields.anchor(borrowed, lender);
    }
    switch (borrowed) {
      case List<?> all -> all.forEach(element -> lends(element, lender));
      case Snapshot snapshot when lender instanceof Transaction -> Transactions.lend(snapshot, (Transaction) lender);
      case Transaction known when lender instanceof RocksDB -> Transactions.lend(known, (RocksDB) lender);
      case Env env when env == Env.getDefault() -> {} // the default environment is never destroyed
      case null -> {}
      default -> {
        if (borrowed != lender) {
          UpstreamFields.guard(borrowed).livesIn(UpstreamFields.guard(lender));
        }
      }
    }
  }

  /** Ends the short loans of an object, which may be null. */
  public static void ends(Object lender) {
    if (lender != null) {
      UpstreamFields.guard(lender).endLoans();
    }
  }

  /** Throws if an iterator is over a batch, and so cannot become the base of another. Ignores other objects. */
  public static void mayTakeOver(Object base) {
    if (base instanceof RocksIterator && UpstreamFields.guard(base).livesInBatch()) {
      throw new UnsupportedOperationException("an iterator over a batch cannot be the base of another");
    }
  }

  /** Transfers ownership of an iterator to another, or retains everything that the other object retains. */
  public static void takesOver(Object iterator, Object other) {
    inherits(iterator, other);
    if (other instanceof RocksIterator) {
      Guard base = UpstreamFields.guard(other);
      base.releaseRetained();
      base.takenOver();
    }
  }

  /** Throws if a transaction to be reused belongs to another database, or its commit failed. */
  public static void mayRenew(Object db, Object transaction) {
    if (transaction == null) {
      return;
    }
    if (!UpstreamFields.guard(transaction).isChildOf(UpstreamFields.guard(db))) {
      throw new IllegalArgumentException("oldTransaction: it is a transaction of another database");
    }
    Guard renewed = UpstreamFields.guard(transaction);
    Object used = Guard.use(renewed, null); // the method announces its uses later
    try {
      if (TransactionEnds.isLostToTheEngine(renewed.pointer())) {
        throw new IllegalStateException("oldTransaction: its commit failed; close it, and begin another");
      }
    } finally {
      Guard.leave(used);
    }
  }

  /** Throws if the transaction's database would lose it after its preparation. */
  public static void mayPrepare(Object transaction) {
    PipelinedDatabases.requireNotOf((Transaction) transaction);
  }

  /** Throws if a transaction cannot be rebuilt from a batch. */
  public static void mayRebuild(Object transaction, Object batch) throws RocksDBException {
    BatchFamilies.requireOpen((Transaction) transaction, (WriteBatch) batch);
  }

  /** Makes an object retain everything that the other object retains. Ignores objects without a native object. */
  @CompiledApart
  public static void inherits(Object heir, Object from) {
    if (heir instanceof List<?> heirs) {
      heirs.forEach(element -> inherits(element, from));
    } else if (from instanceof List<?> all) {
      all.forEach(element -> inherits(heir, element));
    } else if (from instanceof ColumnFamilyDescriptor descriptor) {
      inherits(heir, descriptor.getOptions());
    } else {
      Guard other = UpstreamFields.guard(from);
      if (other != null) {
        UpstreamFields.guard(heir).inherit(other);
        if (heir instanceof RocksObject to && from instanceof RocksObject source) {
          Settings.copy(source.getNativeHandle(), to.getNativeHandle());
        }
      }
    }
  }
}
