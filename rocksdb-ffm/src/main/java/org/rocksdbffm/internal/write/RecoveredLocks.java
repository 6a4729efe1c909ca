/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.write;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.SubCode;
import org.rocksdbffm.internal.call.Locking;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.read.NativeReadOptions;
import org.rocksdbffm.internal.read.ReadPath;
import org.rocksdbffm.internal.settings.NativeTransactionOptions;
import org.rocksdbffm.internal.transaction.NativeTransaction;
import org.rocksdbffm.internal.transaction.PreparedTransactions.Prepared;
import org.rocksdbffm.internal.transaction.TransactionRegistry;

/**
 * Locks the keys of transactions that were prepared when the database was last open. RocksDB recovers their writes but
 * not their locks, and expects programs to end them before anything else. Without the locks, later writes to these keys
 * would be lost when such a transaction is committed.
 */
public final class RecoveredLocks {
  private final Database database;
  private final NativeReadOptions reads;
  private final NativeTransaction locks;
  private final Map<NativeFamily, ReadPath> paths = new HashMap<>();

  private RecoveredLocks(Database database, NativeReadOptions reads, NativeTransaction locks) {
    this.database = database;
    this.reads = reads;
    this.locks = locks;
  }

  /**
   * Locks the keys of each recovered transaction, in a separate transaction that is kept until it ends. The options
   * must not wait for locks.
   */
  public static void take(
      Database database, NativeReadOptions reads, MemorySegment writeOptions, NativeTransactionOptions transactionOptions) {
    TransactionRegistry.of(database)
        .prepared()
        .replaceAll(
            prepared -> {
              NativeTransaction locks = NativeTransaction.begin(database, writeOptions, transactionOptions);
              locks.holdLocks();
              return new RecoveredLocks(database, reads, locks).lock(prepared);
            });
  }

  private Prepared lock(Prepared prepared) {
    SerializedBatch.read(MemorySegment.ofArray(prepared.batch())).forEach(this::lock);
    List<NativeFamily> touched = paths.keySet().stream().filter(family -> !family.isDefault()).toList();
    return new Prepared(prepared.pointer(), touched, locks);
  }

  private void lock(Operation operation, int id, MemorySegment key, MemorySegment value) {
    ReadPath path = paths.computeIfAbsent(database.family(id), family -> ReadPath.of(family, reads, locks, Locking.FOR_UPDATE));
    try {
      path.contains(path.enter().withKey(key));
    } catch (RocksDbException e) {
      if (e.subCode() != SubCode.LOCK_TIMEOUT) {
        throw e;
      } // another prepared transaction has locked the key
    }
  }
}
