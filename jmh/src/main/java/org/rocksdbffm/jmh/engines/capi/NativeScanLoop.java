/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines.capi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.openjdk.jmh.infra.Blackhole;
import org.rocksdbffm.jmh.work.DataSet;
import org.rocksdbffm.jmh.work.ScanLoop;

/** A thread's scans in C: one call for each scan, which reads the rows in the engine's memory. */
final class NativeScanLoop extends ScanLoop {
  private static final MethodHandle SCAN = NativeLoops.loop("scan_rows");

  // The members of a struct bench_scan.
  private static final long DATABASE = 0;
  private static final long FROM = 8;
  private static final long LOWER = 16;
  private static final long UPPER = 24;
  private static final long KEY_SIZE = 32;
  private static final long ROWS = 40;
  private static final long BACKWARD = 48;
  private static final long COPIED = 52;
  private static final long STRUCT_SIZE = 56;

  private final MemorySegment struct = Arena.ofAuto().allocate(STRUCT_SIZE, Long.BYTES);
  private final MemorySegment first = Arena.ofAuto().allocate(DataSet.KEY_SIZE);
  private final MemorySegment last = Arena.ofAuto().allocate(DataSet.KEY_SIZE);

  NativeScanLoop(MemorySegment database, DataSet data, int rows) {
    super(data, rows);
    struct.set(ADDRESS, DATABASE, database);
    struct.set(JAVA_LONG, KEY_SIZE, DataSet.KEY_SIZE);
    struct.set(JAVA_LONG, ROWS, rows);
  }

  @Override
  public long arrays(Blackhole blackhole) {
    return from(nextStart(), false, true);
  }

  @Override
  public long forward() {
    return from(nextStart(), false, false);
  }

  @Override
  public long backward() {
    return from(nextStart() + rows - 1, true, false);
  }

  private long from(int row, boolean backward, boolean copied) {
    set(first, row);
    range(first, MemorySegment.NULL, MemorySegment.NULL);
    struct.set(JAVA_INT, BACKWARD, backward ? 1 : 0);
    struct.set(JAVA_INT, COPIED, copied ? 1 : 0);
    return NativeLoops.run(SCAN, struct);
  }

  @Override
  public long bounded() {
    int start = nextStart();
    set(first, start);
    set(last, start + rows);
    range(MemorySegment.NULL, first, last);
    struct.set(JAVA_INT, BACKWARD, 0);
    struct.set(JAVA_INT, COPIED, 0);
    return NativeLoops.run(SCAN, struct);
  }

  private void range(MemorySegment from, MemorySegment lower, MemorySegment upper) {
    struct.set(ADDRESS, FROM, from);
    struct.set(ADDRESS, LOWER, lower);
    struct.set(ADDRESS, UPPER, upper);
  }

  private void set(MemorySegment key, int row) {
    MemorySegment.copy(data.key(row), 0, key, JAVA_BYTE, 0, DataSet.KEY_SIZE);
  }
}
