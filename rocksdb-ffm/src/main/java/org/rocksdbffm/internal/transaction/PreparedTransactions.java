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
 * The transactions of a database that are prepared and that nobody has: those that its log had when it was opened, and
 * those that were closed since. Thread-safe.
 */
public final class PreparedTransactions {
  private final List<Prepared> known = new ArrayList<>();

  /**
   * One of them.
   *
   * @param pointer <em>owned</em> by whoever has this
   * @param touched the families, beside the default one, of which it may have written or locked keys
   * @param locks holds its locks, if it does not so itself; or null
   */
  public record Prepared(MemorySegment pointer, List<NativeFamily> touched, NativeTransaction locks) {
    /** A copy of its changes, in the engine's own form. */
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

  /** Takes over those that the engine has found in its log, of which nobody knows which families they touch. */
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
    return known.stream().anyMatch(its -> its.touched().contains(family));
  }

  synchronized void add(Prepared prepared) {
    known.add(prepared);
  }

  /** Replaces each by what is known of it now. */
  public synchronized void replaceAll(UnaryOperator<Prepared> change) {
    known.replaceAll(change);
  }

  /** Hands out all of them. */
  public List<NativeTransaction> take(Database database) {
    try (Call _ = Call.enter(database.handle())) {
      synchronized (this) {
        List<NativeTransaction> taken =
            new ArrayList<>(known.stream().map(its -> NativeTransaction.resume(database, its)).toList());
        known.clear();
        return taken;
      }
    }
  }

  /** Destroys them on behalf of their database, whose log still has them. */
  synchronized void close() {
    known.forEach(its -> RocksDbC.rocksdb_transaction_destroy(its.pointer()));
    known.clear();
  }

  /** The name of a transaction; empty if it has none. */
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
