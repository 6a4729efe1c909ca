/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.benchmarks;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.rocksdbffm.internal.c.rocksdb_ffm_value;

/** Reads and writes two members of a struct, with the generated layout, and at constant offsets. */
public class StructBenchmark extends MeasuredState {
  /** A struct {@code rocksdb_ffm_value}. */
  @State(Scope.Thread)
  public static class Struct {
    private static final long DATA = 0;
    private static final long SIZE = 8;

    private final MemorySegment memory = rocksdb_ffm_value.allocate(Arena.ofAuto());
    private MemorySegment data = MemorySegment.ofAddress(1 << 20);
    private long size = 4096;
  }

  @Benchmark
  public long readByLayout(Struct struct) {
    return rocksdb_ffm_value.data(struct.memory).address() + rocksdb_ffm_value.size(struct.memory);
  }

  @Benchmark
  public long readByOffset(Struct struct) {
    return struct.memory.get(JAVA_LONG, Struct.DATA) + struct.memory.get(JAVA_LONG, Struct.SIZE);
  }

  @Benchmark
  public void writeByLayout(Struct struct) {
    rocksdb_ffm_value.data(struct.memory, struct.data);
    rocksdb_ffm_value.size(struct.memory, struct.size);
  }

  @Benchmark
  public void writeByOffset(Struct struct) {
    struct.memory.set(ADDRESS, Struct.DATA, struct.data);
    struct.memory.set(JAVA_LONG, Struct.SIZE, struct.size);
  }
}
