/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.ColumnFamilyHandle;

/**
 * The column families of databases that write transactions before their commit: the engine has a map of their handles by
 * number, and takes a handle from it at a rollback, or when a part of a transaction is written. So a handle that the
 * program closes is destroyed only with its database. Thread-safe.
 */
public final class MappedFamilies {
  private static final int WRITE_COMMITTED = 0;
  private static final String FAMILY = "mapped family";
  private static final Set<Long> DATABASES = ConcurrentHashMap.newKeySet();

  private MappedFamilies() {}

  /** Records the write policy of a database that was opened with these options. */
  public static void opened(long db, long transactionOptions) {
    if (rocksdb_transactiondb_options_get_write_policy(transactionOptions) != WRITE_COMMITTED) {
      DATABASES.add(db);
    }
  }

  public static void closed(long db) {
    DATABASES.remove(db);
  }

  /** Retains a new object of a database if it is a handle in the map. */
  static void made(Guard db, Guard child) {
    if (!DATABASES.isEmpty() && child.isOfType(ColumnFamilyHandle.class) && DATABASES.contains(db.pointer())) {
      db.alsoKeep(FAMILY, child);
    }
  }

  /** Destroys the handles that the program has closed, before the database itself. */
  static void letGo(Guard db) {
    if (db.keepsAnything()) {
      db.letGoOf(FAMILY);
    }
  }

  private static native int rocksdb_transactiondb_options_get_write_policy(long options);
}
