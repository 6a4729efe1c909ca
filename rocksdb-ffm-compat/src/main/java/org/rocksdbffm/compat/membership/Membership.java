/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.membership;

import java.util.ArrayList;
import java.util.List;
import org.rocksdb.AbstractWriteBatch;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Range;
import org.rocksdb.RocksDB;
import org.rocksdb.Snapshot;
import org.rocksdb.Transaction;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdbffm.compat.lifetime.Guard;
import org.rocksdbffm.compat.lifetime.UpstreamFields;
import org.rocksdbffm.compat.support.CompiledApart;

/**
 * Rejects calls that combine objects of two databases. Column families, snapshots, transactions, iterators and
 * checkpoints belong to the database that created them, a batch to the database whose column families it contains, and
 * options to the database of their snapshot. A batch is accepted by another database in which its family IDs have the
 * same names. The engine compares only IDs and pointers: it would write to another family with the same ID, or read
 * memory that the other database frees.
 */
public final class Membership {
  private Membership() {}

  /**
   * Checks that an object belongs to the same database as the objects used before it. Returns the argument for the next
   * check: the guard of a database, or of a batch without a database, or null.
   *
   * @param guard the guard of the object that the method will use next
   * @param whose the result for the previous object; null for the first
   */
  @CompiledApart
  public static Guard together(Guard guard, Guard whose) {
    Guard database = guard.database();
    if (whose == null) {
      return database == null || database != guard && guard.isOfType(AbstractWriteBatch.class)
          ? guard.batch()
          : database;
    }
    Guard result = whose;
    if (database != null && database != whose) {
      result = whose.isFilledFrom(database) ? database : held(guard, database, whose);
    }
    Guard companion = guard.companion();
    return companion == null ? result : together(companion, result);
  }

  @CompiledApart
  private static Guard held(Guard guard, Guard database, Guard whose) {
    if (whose.isOfType(WriteBatchWithIndex.class) && guard.isOfType(ColumnFamilyHandle.class)) {
      whose.keepComparatorsOf(database); // the index still calls the family's comparator after the database is closed
    }
    Guard expected = whose.database();
    if (expected == null) {
      if (guard.isOfType(ColumnFamilyHandle.class)) {
        whose.isOf(database); // a batch, which the calling method holds
      }
      return database;
    }
    if (expected == database) {
      return expected;
    }
    Guard batch = guard.batch() == null ? whose.batch() : guard.batch();
    if (batch == null || !mayNameFamiliesOf(batch, expected, guard, database)) {
      throw new IllegalArgumentException(
          "%s of %s cannot be used with %s: that is another database"
              .formatted(kind(guard), name(database), name(expected)));
    }
    return batch == whose ? database : expected;
  }

  /** Whether the family IDs in a batch have the same names in the other database. */
  private static boolean mayNameFamiliesOf(Guard batch, Guard expected, Guard guard, Guard database) {
    Guard filledFrom = batch.database();
    Guard other = filledFrom == expected ? database : expected;
    if (guard.isOfType(ColumnFamilyHandle.class)) {
      return FamilyNames.of(expected).entrySet().containsAll(FamilyNames.ofFamily(guard).entrySet());
    }
    return batch.itself() instanceof AbstractWriteBatch named
        && BatchFamilies.areSame(named, FamilyNames.of(filledFrom), FamilyNames.of(other));
  }

  /** Checks all objects of a list, which may be null, against the objects used before. */
  public static Guard together(List<?> objects, Guard whose) {
    Guard result = whose;
    for (Guard guard : UpstreamFields.guards(objects)) {
      result = together(guard, result);
    }
    return result;
  }

  /** Makes a borrowed object belong to its lender's database, unless it is usable with any database. */
  public static void lend(Object borrowed, Object lender) {
    switch (borrowed) {
      case List<?> all -> all.forEach(element -> lend(element, lender));
      case RocksDB db -> lend(UpstreamFields.guard(db), UpstreamFields.guard(lender).database());
      case Snapshot snapshot -> UpstreamFields.guard(snapshot).isOf(UpstreamFields.guard(lender).database());
      case Transaction transaction -> UpstreamFields.guard(transaction).isOf(UpstreamFields.guard(lender).database());
      case AbstractWriteBatch batch when lender instanceof Transaction ->
          UpstreamFields.guard(batch).isOf(UpstreamFields.guard(lender).database());
      case null, default -> {}
    }
  }

  private static void lend(Guard borrowed, Guard database) {
    borrowed.isOf(database);
    borrowed.children().forEach(child -> child.isOf(database)); // its default read options
  }

  /** Detaches an empty batch from its database, unless a transaction contains it. The caller holds the batch. */
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

  /** Returns the folder of an open database. */
  public static String path(long db) {
    return Java_org_rocksdb_RocksDB_getName(db);
  }

  private static native String Java_org_rocksdb_RocksDB_getName(long db);
}
