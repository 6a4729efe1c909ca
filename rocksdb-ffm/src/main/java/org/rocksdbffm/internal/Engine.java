/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.c.rocksdb_ffm_engine;
import org.rocksdbffm.internal.loader.NativeLibrary;

/** The engine's functions as the stubs get them: one table for the process, never changed, never freed. */
public final class Engine {
  /** A struct {@code rocksdb_ffm_engine}. */
  public static final MemorySegment TABLE = table("get_pinned_cf");

  private Engine() {}

  /** The functions for a reader that has a transaction where others have a database; for the drop-in alone. */
  static final class OfTransactions {
    static final MemorySegment TABLE =
        table("transaction_get_pinned_cf");

    private OfTransactions() {}
  }

  /**
   * Each member but one is named as the function that it points to, and nothing lies between them. The addresses are looked up,
   * not taken from the bindings, which would link a method handle for each.
   */
  private static MemorySegment table(String getPinned) {
    if (!NativeLibrary.hasAbi(RocksDbC.ROCKSDB_FFM_ABI())) {
      throw NativeLibrary.otherAbi(RocksDbC.ROCKSDB_FFM_ABI(), RocksDbC.rocksdb_ffm_abi());
    }
    MemorySegment table = rocksdb_ffm_engine.allocate(Arena.global());
    long offset = 0;
    for (MemoryLayout member : rocksdb_ffm_engine.layout().memberLayouts()) {
      String name = member.name().orElseThrow();
      Memory.point(table, offset, NativeLibrary.find("rocksdb_" + (name.equals("get_pinned_cf") ? getPinned : name)));
      offset += member.byteSize();
    }
    return table;
  }
}
