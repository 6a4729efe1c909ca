/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.transactions;

import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.database.OpenFolders;
import org.rocksdbffm.compat.database.Opened;
import org.rocksdbffm.compat.database.Stored;
import org.rocksdbffm.compat.lifetime.Closing;
import org.rocksdbffm.compat.membership.MappedFamilies;
import org.rocksdbffm.compat.options.BoundedOptions;
import org.rocksdbffm.internal.options.DatabaseKind;

/** Opens transaction databases, after checking their folders. */
public final class TransactionDatabases {
  private TransactionDatabases() {}

  public static long openOptimistic(long options, String path) throws RocksDBException {
    Stored.require(DatabaseKind.OPTIMISTIC, options, path);
    BoundedOptions bounded = BoundedOptions.of(DatabaseKind.OPTIMISTIC, options);
    return OpenFolders.openAlone(
        path,
        bounded,
        () ->
            Opened.alone(
                () -> Java_org_rocksdb_OptimisticTransactionDB_open__JLjava_lang_String_2(bounded.options(), path),
                TransactionDatabases::Java_org_rocksdb_OptimisticTransactionDB_disposeInternalJni));
  }

  public static long[] openOptimistic(long options, String path, byte[][] names, long[] familyOptions)
      throws RocksDBException {
    Stored.require(DatabaseKind.OPTIMISTIC, options, path, names, familyOptions);
    BoundedOptions bounded = BoundedOptions.of(DatabaseKind.OPTIMISTIC, options, familyOptions);
    return OpenFolders.open(
        path,
        bounded,
        () ->
            Opened.withFamilies(
                () ->
                    Java_org_rocksdb_OptimisticTransactionDB_open__JLjava_lang_String_2_3_3B_3J(
                        bounded.options(), path, names, bounded.families()),
                TransactionDatabases::Java_org_rocksdb_OptimisticTransactionDB_disposeInternalJni));
  }

  public static long open(long options, long transactionOptions, String path) throws RocksDBException {
    Stored.require(DatabaseKind.LOCKING, options, path);
    BoundedOptions bounded = BoundedOptions.of(DatabaseKind.LOCKING, options);
    long db =
        OpenFolders.openAlone(
            path,
            bounded,
            () ->
                Opened.alone(
                    () -> Java_org_rocksdb_TransactionDB_open__JJLjava_lang_String_2(
                        bounded.options(), transactionOptions, path),
                    TransactionDatabases::Java_org_rocksdb_TransactionDB_disposeInternalJni));
    PipelinedDatabases.opened(db, options);
    MappedFamilies.opened(db, transactionOptions);
    return db;
  }

  public static long[] open(
      long options, long transactionOptions, String path, byte[][] names, long[] familyOptions)
      throws RocksDBException {
    Stored.require(DatabaseKind.LOCKING, options, path, names, familyOptions);
    BoundedOptions bounded = BoundedOptions.of(DatabaseKind.LOCKING, options, familyOptions);
    long[] pointers =
        OpenFolders.open(
            path,
            bounded,
            () ->
                Opened.withFamilies(
                    () ->
                        Java_org_rocksdb_TransactionDB_open__JJLjava_lang_String_2_3_3B_3J(
                            bounded.options(), transactionOptions, path, names, bounded.families()),
                    TransactionDatabases::Java_org_rocksdb_TransactionDB_disposeInternalJni));
    PipelinedDatabases.opened(pointers[0], options);
    MappedFamilies.opened(pointers[0], transactionOptions);
    return pointers;
  }

  private static native long Java_org_rocksdb_OptimisticTransactionDB_open__JLjava_lang_String_2(
      long options, String path) throws RocksDBException;

  private static native long[] Java_org_rocksdb_OptimisticTransactionDB_open__JLjava_lang_String_2_3_3B_3J(
      long options, String path, byte[][] names, long[] familyOptions) throws RocksDBException;

  private static native long Java_org_rocksdb_TransactionDB_open__JJLjava_lang_String_2(
      long options, long transactionOptions, String path) throws RocksDBException;

  private static native long[] Java_org_rocksdb_TransactionDB_open__JJLjava_lang_String_2_3_3B_3J(
      long options, long transactionOptions, String path, byte[][] names, long[] familyOptions)
      throws RocksDBException;

  public static void dispose(long db) {
    PipelinedDatabases.closed(db);
    MappedFamilies.closed(db);
    OpenFolders.Held held = OpenFolders.ofClosing(db);
    Closing.ofDatabase("TransactionDB", () -> Java_org_rocksdb_TransactionDB_disposeInternalJni(db));
    OpenFolders.closed(held);
  }

  public static void disposeOptimistic(long db) {
    OpenFolders.Held held = OpenFolders.ofClosing(db);
    Closing.ofDatabase("OptimisticTransactionDB", () ->
        Java_org_rocksdb_OptimisticTransactionDB_disposeInternalJni(db));
    OpenFolders.closed(held);
  }

  private static native void Java_org_rocksdb_OptimisticTransactionDB_disposeInternalJni(long db);

  private static native void Java_org_rocksdb_TransactionDB_disposeInternalJni(long db);
}
