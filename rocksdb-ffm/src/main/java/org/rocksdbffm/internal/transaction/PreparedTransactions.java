/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.transaction;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * The prepared transactions of a database that the program does not hold: those recovered from the WAL, and those
 * closed since. Thread-safe.
 */
public final class PreparedTransactions {
  private final List<Prepared> known = new ArrayList<>();

  /**
   * A prepared transaction.
   *
   * @param pointer <em>owned</em> by the holder of this record
   * @param touched the families, except the default one, in which it may have written or locked keys
   * @param locks the transaction that holds its locks; null if it holds them itself
   */
  public record Prepared(MemorySegment pointer, List<NativeFamily> touched, NativeTransaction locks) {
    /** Returns a copy of its changes, as a serialized batch. */
    public byte[] batch() {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment size = arena.allocate(ValueLayout.JAVA_LONG);
        MemorySegment batch = RocksDbC.rocksdb_transaction_get_writebatch_wi(pointer);
        try {
          MemorySegment bytes = RocksDbC.rocksdb_writebatch_wi_data(batch, size);
          return Memory.toArray(bytes.address(), size.get(ValueLayout.JAVA_LONG, 0));
        } finally {
          RocksDbC.rocksdb_free(batch);
        }
      }
    }
  }

  PreparedTransactions() {}

  /** Adds the transactions that the engine recovered; which of the families they touch is unknown. */
  public synchronized void recover(MemorySegment db, List<NativeFamily> families) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment found = RocksDbC.rocksdb_transactiondb_get_prepared_transactions(db, count);
      long length = count.get(ValueLayout.JAVA_LONG, 0);
      if (length == 0) {
        return;
      }
      MemorySegment pointers = Memory.at(found.address(), length * Long.BYTES);
      for (long i = 0; i < length; i++) {
        known.add(new Prepared(Memory.pointee(pointers, i * Long.BYTES), families, null));
      }
      RocksDbC.rocksdb_free(found);
    }
  }

  synchronized boolean isEmpty() {
    return known.isEmpty();
  }

  synchronized boolean anyTouches(NativeFamily family) {
    return known.stream().anyMatch(transaction -> transaction.touched().contains(family));
  }

  synchronized void add(Prepared prepared) {
    known.add(prepared);
  }

  /** Replaces each prepared transaction. */
  public synchronized void replaceAll(UnaryOperator<Prepared> change) {
    known.replaceAll(change);
  }

  /** Returns all prepared transactions to the program, which holds them from now on. */
  public List<NativeTransaction> take(Database database) {
    try (Call _ = Call.enter(database.handle())) {
      synchronized (this) {
        List<NativeTransaction> taken =
            new ArrayList<>(
                known.stream().map(transaction -> NativeTransaction.resume(database, transaction)).toList());
        known.clear();
        return taken;
      }
    }
  }

  /** Destroys the native objects because the database is being closed; its WAL still has the transactions. */
  synchronized void close() {
    for (Prepared prepared : known) {
      RocksDbC.rocksdb_transaction_destroy(prepared.pointer());
    }
    known.clear();
  }

  /** Returns the name of a transaction; empty if it has none. */
  static String name(MemorySegment transaction, Arena arena) {
    MemorySegment size = arena.allocate(ValueLayout.JAVA_LONG);
    MemorySegment name = RocksDbC.rocksdb_transaction_get_name(transaction, size);
    if (name.address() == 0) {
      return "";
    }
    byte[] bytes = Memory.toArray(name.address(), size.get(ValueLayout.JAVA_LONG, 0));
    RocksDbC.rocksdb_free(name);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
