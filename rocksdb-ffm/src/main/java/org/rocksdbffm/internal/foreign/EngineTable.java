/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.c.rocksdb_ffm_engine;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * The engine's functions as the stubs get them: a table that is never changed, and freed with the class loader.
 *
 * <p>The engine counts by default what each thread does, for the thread itself to look at, which is seldom done. So
 * threads count nothing, unless there is a profile of their work, or the system property {@code org.rocksdbffm.counting}
 * says that somebody looks by other means.
 */
public final class EngineTable {
  private static final String COUNTING = "org.rocksdbffm.counting";

  /** A struct {@code rocksdb_ffm_engine}. */
  public static final MemorySegment TABLE = table();

  private EngineTable() {}

  /** The functions for threads that go on counting: those of the drop-in alone, whose programs may look. */
  public static final class Counting {
    public static final MemorySegment TABLE = copyThatCounts();
    public static final long ADDRESS = TABLE.address();

    private Counting() {}
  }

  /** The functions for a reader that has a transaction where others have a database. */
  public static final class OfTransactions {
    public static final MemorySegment TABLE = ofTransactions(copy());
    public static final long ADDRESS = TABLE.address();

    private OfTransactions() {}
  }

  /** The functions of {@link Counting} for such a reader. */
  public static final class CountingOfTransactions {
    public static final MemorySegment TABLE = ofTransactions(copyThatCounts());
    public static final long ADDRESS = TABLE.address();

    private CountingOfTransactions() {}
  }

  /** The functions for a reader that has a batch with an index there. */
  public static final class OverBatches {
    public static final MemorySegment TABLE = overBatches();
    public static final long ADDRESS = TABLE.address();

    private OverBatches() {}
  }

  /** Whether threads go on counting because the system property says so. */
  public static boolean leavesCounting() {
    return Boolean.getBoolean(COUNTING);
  }

  private static MemorySegment overBatches() {
    MemorySegment table = copy();
    Memory.point(table, rocksdb_ffm_engine.get_pinned_cf$offset(), NativeLibrary.find("rocksdb_ffm_get_over_batch"));
    return table;
  }

  private static MemorySegment ofTransactions(MemorySegment table) {
    long getPinned = rocksdb_ffm_engine.get_pinned_cf$offset();
    Memory.point(table, getPinned, NativeLibrary.find("rocksdb_transaction_get_pinned_cf"));
    return table;
  }

  private static MemorySegment copy() {
    return rocksdb_ffm_engine.allocate(Arena.ofAuto()).copyFrom(TABLE);
  }

  private static MemorySegment copyThatCounts() {
    MemorySegment table = copy();
    Memory.point(table, rocksdb_ffm_engine.set_perf_level$offset(), MemorySegment.NULL);
    return table;
  }

  /**
   * Each member is named as the function that it points to, and nothing lies between them. The addresses are looked up,
   * not taken from the bindings, which would link a method handle for each.
   */
  private static MemorySegment table() {
    if (!NativeLibrary.hasAbi(RocksDbC.ROCKSDB_FFM_ABI())) {
      throw NativeLibrary.otherAbi(RocksDbC.ROCKSDB_FFM_ABI(), RocksDbC.rocksdb_ffm_abi());
    }
    MemorySegment table = rocksdb_ffm_engine.allocate(Arena.ofAuto());
    long offset = 0;
    for (MemoryLayout member : rocksdb_ffm_engine.layout().memberLayouts()) {
      Memory.point(table, offset, NativeLibrary.find("rocksdb_" + member.name().orElseThrow()));
      offset += member.byteSize();
    }
    if (leavesCounting()) {
      Memory.point(table, rocksdb_ffm_engine.set_perf_level$offset(), MemorySegment.NULL);
    }
    return table;
  }
}
