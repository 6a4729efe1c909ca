/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.UnaryOperator;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.c.rocksdb_ffm_engine;
import org.rocksdbffm.internal.loader.NativeLibrary;

/** The engine's functions as the stubs get them: one table for the process, never changed, never freed. */
public final class Engine {
  /** A struct {@code rocksdb_ffm_engine}. */
  public static final MemorySegment TABLE = table(name -> name);

  private Engine() {}

  /** The functions for a reader that has a transaction where others have a database; for the drop-in alone. */
  static final class OfTransactions {
    static final MemorySegment TABLE =
        table(name -> name.equals("get_pinned_cf") ? "transaction_get_pinned_cf" : name);

    private OfTransactions() {}
  }

  /**
   * Each member is named as the function that it points to, and nothing lies between them. The addresses are looked up,
   * not taken from the bindings, which would link a method handle for each.
   */
  private static MemorySegment table(UnaryOperator<String> function) {
    NativeLibrary.requireAbi(RocksDbC.ROCKSDB_FFM_ABI(), RocksDbC::rocksdb_ffm_abi);
    MemorySegment table = rocksdb_ffm_engine.allocate(Arena.global());
    long offset = 0;
    for (MemoryLayout member : rocksdb_ffm_engine.layout().memberLayouts()) {
      String name = member.name().orElseThrow();
      table.set(ValueLayout.ADDRESS, offset, NativeLibrary.find("rocksdb_" + function.apply(name)));
      offset += member.byteSize();
    }
    return table;
  }
}
