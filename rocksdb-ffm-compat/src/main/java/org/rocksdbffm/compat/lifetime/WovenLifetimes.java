/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.List;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.Env;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.RocksObject;
import org.rocksdb.Snapshot;
import org.rocksdb.Transaction;
import org.rocksdb.WriteBatch;
import org.rocksdbffm.compat.support.Settings;

/** Ties the lifetimes of objects together, as the table of lifetimes says of upstream's methods. */
public final class WovenLifetimes {
  private WovenLifetimes() {}

  /** A parent closes its child before itself. */
  public static void adopts(Object parent, Object child) {
    Guard its = UpstreamFields.guard(parent);
    Guard made = UpstreamFields.guard(child);
    Guard.adopt(its, made);
    MappedFamilies.made(its, made);
    UpstreamFields.anchor(child, parent);
  }

  /** The same for one that the parent has made for itself. */
  public static void owns(Object parent, Object child) {
    Guard its = UpstreamFields.guard(child);
    Guard.adopt(UpstreamFields.guard(parent), its);
    its.isOwned();
  }

  /**
   * Whether a family's handle is the engine's own of the default family, which lives as long as its database. The
   * program's handle is closed by its owner, while methods that name no family, and iterators over transactions, still
   * need one. A program that forgets it has the database, which closes it.
   */
  public static boolean isEnginesDefault(Object db, Object family) {
    Guard guard = UpstreamFields.guard(family);
    if (guard.parent() == UpstreamFields.guard(db)) {
      UpstreamFields.anchor(db, family);
    }
    return guard.lender == UpstreamFields.guard(db);
  }

  /** Destroys the native object of one that nobody uses any more, and lets go of what it keeps. */
  public static void disposes(Object object) {
    UpstreamFields.guard(object).dispose(object);
  }

  /** The engine goes on to point at what was set; null takes the place of what was set before. */
  public static void keeps(Object owner, String what, Object kept) {
    Guard its = UpstreamFields.guard(owner);
    if (kept instanceof List<?> all) {
      its.keep(what, all);
    } else {
      its.keep(what, kept);
    }
  }

  /** A method that uses an object uses the other too; null ends that. */
  public static void uses(Object object, Object other) {
    UpstreamFields.guard(object).accompaniedBy(other);
  }

  /** A borrowed object, which may be null, lives in another, or is that; so may the objects of a list. */
  public static void lends(Object borrowed, Object lender) {
    Membership.lend(borrowed, lender);
    if (borrowed instanceof WriteBatch batch && borrowed != lender) {
      LentBatches.add(batch);
    }
    if (borrowed != lender && UpstreamFields.guard(borrowed) != null && borrowed != Env.getDefault()) {
      UpstreamFields.anchor(borrowed, lender);
    }
    switch (borrowed) {
      case List<?> all -> all.forEach(its -> lends(its, lender));
      case Snapshot snapshot when lender instanceof Transaction -> Transactions.lend(snapshot, (Transaction) lender);
      case Transaction known when lender instanceof RocksDB -> Transactions.lend(known, (RocksDB) lender);
      case Env env when env == Env.getDefault() -> {} // it lives for ever
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

  /** Throws if an iterator cannot be taken over by one that is over a batch too; of no meaning for other objects. */
  public static void mayTakeOver(Object base) {
    if (base instanceof RocksIterator && UpstreamFields.guard(base).livesInBatch()) {
      throw new UnsupportedOperationException("an iterator over a batch cannot be the base of another");
    }
  }

  /** An iterator takes another one over, or points at whatever the other object points at. */
  public static void takesOver(Object iterator, Object other) {
    inherits(iterator, other);
    if (other instanceof RocksIterator) {
      Guard base = UpstreamFields.guard(other);
      base.letGoOfKept();
      base.takenOver();
    }
  }

  /** Throws if the transaction is not one of the database's, which so cannot begin it anew. */
  public static void mayRenew(Object db, Object transaction) {
    if (transaction == null) {
      return;
    }
    if (UpstreamFields.guard(transaction).parent() != UpstreamFields.guard(db)) {
      throw new IllegalArgumentException("oldTransaction: it is a transaction of another database");
    }
    if (TransactionEnds.isLostToTheEngine(((Transaction) transaction).getNativeHandle())) {
      throw new IllegalStateException("oldTransaction: its commit failed; close it, and begin another");
    }
  }

  /** Throws if a transaction's database would lose it once it is prepared. */
  public static void mayPrepare(Object transaction) {
    PipelinedDatabases.requireNotOf((Transaction) transaction);
  }

  /** Throws if a transaction cannot be built of a batch. */
  public static void mayRebuild(Object transaction, Object batch) throws RocksDBException {
    BatchFamilies.requireOpen((Transaction) transaction, (WriteBatch) batch);
  }

  /** An object points at whatever the other points at; of no meaning for what holds nothing native. */
  public static void inherits(Object heir, Object from) {
    if (heir instanceof List<?> heirs) {
      heirs.forEach(its -> inherits(its, from));
    } else if (from instanceof List<?> all) {
      all.forEach(its -> inherits(heir, its));
    } else if (from instanceof ColumnFamilyDescriptor descriptor) {
      inherits(heir, descriptor.getOptions());
    } else {
      Guard other = UpstreamFields.guard(from);
      if (other != null) {
        UpstreamFields.guard(heir).inherit(other);
        if (heir instanceof RocksObject to && from instanceof RocksObject its) {
          Settings.copy(its.getNativeHandle(), to.getNativeHandle());
        }
      }
    }
  }
}
