/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.membership;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdbffm.compat.lifetime.Guard;

/**
 * Retains the column family handles of databases with a write policy other than WRITE_COMMITTED. The engine maps IDs to
 * these handles, and uses the map at rollbacks and for partial writes of a transaction. So a handle that the program
 * closes is destroyed together with the database. Thread-safe.
 */
public final class MappedFamilies {
  private static final int WRITE_COMMITTED = 0;
  private static final String FAMILY = "mapped family";
  private static final Set<Long> DATABASES = ConcurrentHashMap.newKeySet();

  private MappedFamilies() {}

  /** Records the write policy of an opened database. */
  public static void opened(long db, long transactionOptions) {
    if (rocksdb_transactiondb_options_get_write_policy(transactionOptions) != WRITE_COMMITTED) {
      DATABASES.add(db);
    }
  }

  public static void closed(long db) {
    DATABASES.remove(db);
  }

  /** Retains a new object of a database if it is a family handle that the engine maps. */
  public static void made(Guard db, Guard child) {
    if (!DATABASES.isEmpty() && child.isOfType(ColumnFamilyHandle.class) && DATABASES.contains(db.pointer())) {
      db.alsoKeep(FAMILY, child);
    }
  }

  /** Destroys the handles that the program has closed, before the database itself. */
  public static void destroyClosed(Guard db) {
    db.letGoOf(FAMILY);
  }

  private static native int rocksdb_transactiondb_options_get_write_policy(long options);
}
