/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines.capi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.rocksdbffm.jmh.work.KeyCycle;

/** The struct {@code bench_work} of a thread's C loops: its keys, whose position the loops advance, and its value. */
final class NativeWork {
  private static final long DATABASE = 0;
  private static final long KEYS = 8;
  private static final long KEY_SIZE = 16;
  private static final long KEY_COUNT = 24;
  private static final long NEXT = 32;
  private static final long COUNT = 40;
  private static final long VALUE = 48;
  private static final long VALUE_SIZE = 56;
  private static final long BATCH = 64;
  private static final long STREAM = 72;
  private static final long TRANSACTION = 80;
  private static final long INDEXED = 88;
  private static final long STRUCT_SIZE = 96;

  private final MemorySegment struct = Arena.ofAuto().allocate(STRUCT_SIZE, Long.BYTES);
  private final MemorySegment keys;
  private final MemorySegment value;

  /**
   * Creates the struct with keys and a value; each loop uses the given number of keys.
   *
   * @param value the value to write, or a buffer of the size of the values that are read
   */
  NativeWork(MemorySegment database, KeyCycle keys, byte[] value, int count) {
    this.keys = keys.packed();
    this.value = Arena.ofAuto().allocate(Math.max(value.length, 1), Long.BYTES);
    MemorySegment.copy(value, 0, this.value, JAVA_BYTE, 0, value.length);
    struct.set(ADDRESS, DATABASE, database);
    struct.set(ADDRESS, KEYS, this.keys);
    struct.set(JAVA_LONG, KEY_SIZE, keys.size());
    struct.set(JAVA_LONG, KEY_COUNT, keys.count());
    struct.set(JAVA_LONG, NEXT, keys.position());
    struct.set(JAVA_LONG, COUNT, count);
    struct.set(ADDRESS, VALUE, this.value);
    struct.set(JAVA_LONG, VALUE_SIZE, value.length);
  }

  void batch(MemorySegment batch) {
    struct.set(ADDRESS, BATCH, batch);
  }

  void stream(int stream) {
    struct.set(JAVA_LONG, STREAM, stream);
  }

  /** Returns the transaction that a loop has started. */
  MemorySegment transaction() {
    return struct.get(ADDRESS, TRANSACTION);
  }

  /** Returns the batch with an index that a loop has created. */
  MemorySegment indexedBatch() {
    return struct.get(ADDRESS, INDEXED);
  }

  /** Returns the bytes that the last loop read into the value. */
  byte[] value() {
    return value.toArray(JAVA_BYTE);
  }

  long run(MethodHandle loop) {
    return NativeLoops.run(loop, struct);
  }
}
