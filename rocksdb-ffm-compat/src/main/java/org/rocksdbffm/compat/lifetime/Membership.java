/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.ArrayList;
import java.util.List;
import org.rocksdb.AbstractWriteBatch;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Range;
import org.rocksdb.RocksDB;
import org.rocksdb.Snapshot;
import org.rocksdb.Transaction;
import org.rocksdb.WriteBatchWithIndex;

/**
 * Refuses calls that use objects of two databases together. Column families, snapshots, transactions, iterators and
 * checkpoints are of the database that made them; a batch is of the one whose column families it names; options are of
 * none, but name a snapshot. A batch is let off where the families of its numbers have the same names. The engine looks at numbers and pointers, and would write into the family of the same
 * number, or read memory that the other database frees.
 */
public final class Membership {
  private Membership() {}

  /**
   * Holds an object against what the method has used before, and returns what to hold the next one against: the guard
   * of a database, or of a batch that names none yet, or null.
   *
   * @param guard of the object that the method is about to use
   * @param whose what this returned for the object before it; null for the first
   */
  public static Guard together(Guard guard, Guard whose) {
    Guard database = guard.database();
    if (whose == null) {
      return database == null || database != guard && guard.isOfType(AbstractWriteBatch.class)
          ? guard.batch()
          : database;
    }
    Guard result = whose;
    if (database != null && database != whose) {
      result = held(guard, database, whose);
    }
    Guard companion = guard.companion();
    return companion == null ? result : together(companion, result);
  }

  private static Guard held(Guard guard, Guard database, Guard whose) {
    if (whose.isOfType(WriteBatchWithIndex.class) && guard.isOfType(ColumnFamilyHandle.class)) {
      whose.keepComparatorsOf(database); // its index goes on to call that of the family, after the database is closed too
    }
    Guard its = whose.database();
    if (its == null) {
      if (guard.isOfType(ColumnFamilyHandle.class)) {
        whose.isOf(database); // a batch that is held by the method
      }
      return database;
    }
    if (its == database) {
      return its;
    }
    Guard batch = guard.batch() == null ? whose.batch() : guard.batch();
    if (batch == null || !mayNameFamiliesOf(batch, its, guard, database)) {
      throw new IllegalArgumentException(
          "%s of %s cannot be used with %s: that is another database"
              .formatted(kind(guard), name(database), name(its)));
    }
    return batch == whose ? database : its;
  }

  /** A batch has numbers of families, which mean the same in another database if the families have the same names there. */
  private static boolean mayNameFamiliesOf(Guard batch, Guard its, Guard guard, Guard database) {
    Guard filledFrom = batch.database();
    Guard other = filledFrom == its ? database : its;
    if (guard.isOfType(ColumnFamilyHandle.class)) {
      return FamilyNames.of(its).entrySet().containsAll(FamilyNames.ofFamily(guard).entrySet());
    }
    return batch.itself() instanceof AbstractWriteBatch named
        && BatchFamilies.areSame(named, FamilyNames.of(filledFrom), FamilyNames.of(other));
  }

  /** Holds all objects of a list, which may be null, against what the method has used before. */
  public static Guard together(List<?> objects, Guard whose) {
    Guard result = whose;
    for (Guard guard : guards(objects)) {
      result = together(guard, result);
    }
    return result;
  }

  /** The guards of the objects of a list, and of what bounds ranges. */
  static List<Guard> guards(List<?> objects) {
    List<Guard> guards = new ArrayList<>();
    if (objects != null) {
      for (Object object : objects) {
        if (object instanceof Range range) {
          guards.addAll(guards(UpstreamFields.ends(range)));
        } else if (UpstreamFields.guard(object) instanceof Guard guard) {
          guards.add(guard);
        }
      }
    }
    return guards;
  }

  /** A borrowed object is of the same database as what it lives in; what serves any database is of none. */
  static void lend(Object borrowed, Object lender) {
    switch (borrowed) {
      case List<?> all -> all.forEach(its -> lend(its, lender));
      case RocksDB its -> UpstreamFields.guard(its).isOf(UpstreamFields.guard(lender).database());
      case Snapshot its -> UpstreamFields.guard(its).isOf(UpstreamFields.guard(lender).database());
      case Transaction its -> UpstreamFields.guard(its).isOf(UpstreamFields.guard(lender).database());
      case AbstractWriteBatch its when lender instanceof Transaction ->
          UpstreamFields.guard(its).isOf(UpstreamFields.guard(lender).database());
      case null, default -> {}
    }
  }

  /** A batch that has nothing in it names no database, unless it is a transaction's; the caller holds it. */
  public static void emptied(AbstractWriteBatch batch) {
    Guard guard = UpstreamFields.guard(batch).batch();
    if (!guard.isBorrowed() && batch.count() == 0) {
      guard.isOf(null);
    }
  }

  private static String kind(Guard guard) {
    return guard == guard.database() ? "the object" : "a " + guard.name();
  }

  private static String name(Guard database) {
    Object used = null;
    try {
      used = Guard.use(database, null);
      return "the database " + path(database.pointer());
    } catch (RuntimeException closed) {
      return "a closed database";
    } finally {
      Guard.leave(used);
    }
  }

  /** The folder of an open database. */
  public static String path(long db) {
    return Java_org_rocksdb_RocksDB_getName(db);
  }

  private static native String Java_org_rocksdb_RocksDB_getName(long db);
}
