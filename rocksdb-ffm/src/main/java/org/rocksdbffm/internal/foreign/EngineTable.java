/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * The table of engine functions that the C stubs call. Never changed after it is built; freed with the class loader.
 *
 * <p>By default RocksDB counts each thread's work in a perf context, which is rarely read. The stubs switch that off
 * for the thread, unless a profile of its work is active or the system property {@code org.rocksdbffm.counting} is
 * set, because the program reads the perf context in another way.
 */
public final class EngineTable {
  private static final String COUNTING = "org.rocksdbffm.counting";

  /** A struct {@code rocksdb_ffm_engine}. */
  public static final MemorySegment TABLE = table();

  private EngineTable() {}

  /**
   * The functions for threads that keep RocksDB's default perf level: used by the drop-in, whose programs may read
   * the counts.
   */
  public static final class Counting {
    public static final MemorySegment TABLE = copyThatCounts();
    public static final long ADDRESS = TABLE.address();

    private Counting() {}
  }

  /** The functions for a reader that reads in a transaction instead of the database. */
  public static final class OfTransactions {
    public static final MemorySegment TABLE = ofTransactions(copy());
    public static final long ADDRESS = TABLE.address();

    private OfTransactions() {}
  }

  /** The functions of {@link OfTransactions} that keep RocksDB's default perf level. */
  public static final class CountingOfTransactions {
    public static final MemorySegment TABLE = ofTransactions(copyThatCounts());
    public static final long ADDRESS = TABLE.address();

    private CountingOfTransactions() {}
  }

  /** The functions for a reader that reads through an indexed batch. */
  public static final class OverBatches {
    public static final MemorySegment TABLE = overBatches();
    public static final long ADDRESS = TABLE.address();

    private OverBatches() {}
  }

  /** Whether the system property keeps RocksDB's default perf level. */
  public static boolean leavesCounting() {
    return Boolean.getBoolean(COUNTING);
  }

  private static MemorySegment overBatches() {
    MemorySegment table = copy();
    Memory.point(table, Structs.ENGINE_GET_PINNED_CF, NativeLibrary.find("rocksdb_ffm_get_over_batch"));
    return table;
  }

  private static MemorySegment ofTransactions(MemorySegment table) {
    long getPinned = Structs.ENGINE_GET_PINNED_CF;
    Memory.point(table, getPinned, NativeLibrary.find("rocksdb_transaction_get_pinned_cf"));
    return table;
  }

  private static MemorySegment copy() {
    return allocate().copyFrom(TABLE);
  }

  private static MemorySegment allocate() {
    return Arena.ofAuto().allocate(Structs.SIZE_OF_ENGINE, Long.BYTES);
  }

  private static MemorySegment copyThatCounts() {
    MemorySegment table = copy();
    Memory.point(table, Structs.ENGINE_SET_PERF_LEVEL, MemorySegment.NULL);
    return table;
  }

  /**
   * Fills the table. Each member is named after its function, and there is no padding. The addresses are looked up
   * instead of taken from the bindings, which would link a method handle for each.
   */
  private static MemorySegment table() {
    if (!NativeLibrary.hasAbi(Codes.ABI)) {
      throw NativeLibrary.otherAbi(Codes.ABI, RocksDbC.rocksdb_ffm_abi());
    }
    MemorySegment table = allocate();
    long offset = 0;
    for (String member : Structs.MEMBERS_OF_ENGINE.split(" ")) {
      Memory.point(table, offset, NativeLibrary.find("rocksdb_" + member));
      offset += Long.BYTES;
    }
    if (leavesCounting()) {
      Memory.point(table, Structs.ENGINE_SET_PERF_LEVEL, MemorySegment.NULL);
    }
    return table;
  }
}
