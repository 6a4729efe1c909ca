/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.transactions;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.RocksDBException;
import org.rocksdb.TransactionDB;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.compat.lifetime.Guard;
import org.rocksdbffm.compat.read.StubReader;
import org.rocksdbffm.compat.support.Errors;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * Locks keys of column families with a merge operator, if they did not change since the transaction's snapshot. The
 * engine checks for changes with a read that passes no value, which ends the process if it merges operands from a table
 * file. So the key is locked without the engine's check, and its values at the snapshot and now are compared.
 */
final class SnapshotLocks {
  private static final Map<Guard, Map<Integer, Boolean>> MERGING = Collections.synchronizedMap(new WeakHashMap<>());

  private SnapshotLocks() {}

  /** Locks the call's key; returns false if the engine can lock and check the key itself. */
  static boolean lock(Call call, long transaction, long family, boolean exclusive) throws RocksDBException {
    return isNeeded(transaction, family)
        && lock(transaction, family, exclusive, Memory.toArray(call.key().address(), call.keySize()));
  }

  /** Locks a key in parts for writing; returns false if the engine can lock and check the key itself. */
  static boolean lock(long transaction, long family, byte[]... parts) throws RocksDBException {
    if (!isNeeded(transaction, family)) {
      return false;
    }
    ByteArrayOutputStream key = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      key.writeBytes(part);
    }
    return lock(transaction, family, true, key.toByteArray());
  }

  static boolean isNeeded(long transaction, long family) throws RocksDBException {
    if (!TransactionSnapshots.areUsed() || Java_org_rocksdb_Transaction_getSnapshot(transaction) == 0) {
      return false;
    }
    Guard db = Transactions.database(transaction);
    return db.isOfType(TransactionDB.class) && isMerging(db, StubReader.family(db.pointer(), family));
  }

  private static boolean isMerging(Guard db, long family) throws RocksDBException {
    Map<Integer, Boolean> known = MERGING.computeIfAbsent(db, ignored -> new ConcurrentHashMap<>());
    int id = Java_org_rocksdb_ColumnFamilyHandle_getID(family);
    Boolean isMerging = known.get(id);
    if (isMerging == null) {
      isMerging = !Java_org_rocksdb_RocksDB_getOptions(db.pointer(), family).contains("merge_operator=nullptr;");
      known.put(id, isMerging);
    }
    return isMerging;
  }

  private static boolean lock(long transaction, long family, boolean exclusive, byte[] key) throws RocksDBException {
    long options = StubReader.options(0);
    byte[] latest = TransactionReads.get(transaction, options, key, 0, key.length, family, true, exclusive, false);
    if (!Arrays.equals(latest, valueAtSnapshot(transaction, family, key))) {
      Java_org_rocksdb_Transaction_undoGetForUpdate__J_3BIJ(transaction, key, key.length, family);
      throw Errors.of(Code.BUSY.prefix());
    }
    return true;
  }

  private static byte[] valueAtSnapshot(long transaction, long family, byte[] key) throws RocksDBException {
    long options = rocksdb_readoptions_create();
    try {
      Java_org_rocksdb_ReadOptions_setSnapshot(options, Java_org_rocksdb_Transaction_getSnapshot(transaction));
      return TransactionReads.get(transaction, options, key, 0, key.length, family, false, false, true);
    } finally {
      rocksdb_readoptions_destroy(options);
    }
  }

  private static native long Java_org_rocksdb_Transaction_getSnapshot(long transaction);

  private static native int Java_org_rocksdb_ColumnFamilyHandle_getID(long family);

  private static native String Java_org_rocksdb_RocksDB_getOptions(long db, long family) throws RocksDBException;

  private static native void Java_org_rocksdb_Transaction_undoGetForUpdate__J_3BIJ(
      long transaction, byte[] key, int length, long family);

  private static native void Java_org_rocksdb_ReadOptions_setSnapshot(long options, long snapshot);

  private static native long rocksdb_readoptions_create();

  private static native void rocksdb_readoptions_destroy(long options);
}
