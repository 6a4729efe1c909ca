/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Pointers of databases' default column families. A read or write of the default column family needs the pointer, and
 * asking the engine costs another downcall. Thread-safe.
 *
 * <p>Only methods that use a database ask for its family, and its close waits for them before it calls {@link #forget}.
 * So no entry outlives its database, although a later database may have the same address.
 */
public final class DefaultFamily {
  private static final int SLOTS = 64;

  /** The lower bits of the addresses of databases are equal. */
  private static final int EQUAL_BITS = 6;

  private static final AtomicReferenceArray<Known> KNOWN = new AtomicReferenceArray<>(SLOTS);

  private DefaultFamily() {}

  private record Known(long db, long family) {}

  /** Returns the default column family of a database that the caller uses. */
  public static long of(long db) {
    Known known = KNOWN.get(slot(db));
    return known != null && known.db == db ? known.family : find(db);
  }

  private static long find(long db) {
    long family = Java_org_rocksdb_RocksDB_getDefaultColumnFamily(db);
    KNOWN.set(slot(db), new Known(db, family));
    return family;
  }

  /**
   * Forgets the families of all databases; called when a database is closed, after its last use. Forgets all of them,
   * because some databases contain another database, which is not closed separately.
   */
  public static void forget() {
    for (int slot = 0; slot < SLOTS; slot++) {
      KNOWN.set(slot, null);
    }
  }

  private static int slot(long db) {
    return (int) (db >>> EQUAL_BITS ^ db >>> 2 * EQUAL_BITS) & SLOTS - 1;
  }

  private static native long Java_org_rocksdb_RocksDB_getDefaultColumnFamily(long db);
}
