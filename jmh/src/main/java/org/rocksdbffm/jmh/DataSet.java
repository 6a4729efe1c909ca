/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The rows that are read: the same for both engines, in each run.
 *
 * @param count how many
 * @param valueSize the size of each value
 */
record DataSet(int count, int valueSize) {
  static final int KEY_SIZE = 16;
  private static final int MAX_COUNT = 100_000;
  private static final long SEED = 42;

  /** As many rows as have about this size together, up to a limit that keeps small rows in bounds. */
  static DataSet ofSize(int mib, int valueSize) {
    return new DataSet(Math.clamp(((long) mib << 20) / (KEY_SIZE + valueSize), 1, MAX_COUNT), valueSize);
  }

  byte[] key(int row) {
    return ByteBuffer.allocate(KEY_SIZE).putLong(row).putLong(0).array();
  }

  /** A key that lies between those of two rows. */
  byte[] missingKey(int row) {
    return ByteBuffer.allocate(KEY_SIZE).putLong(row).putLong(1).array();
  }

  byte[] value(int row) {
    byte[] value = new byte[valueSize];
    new Random(SEED + row).nextBytes(value);
    return value;
  }

  void writeTo(Binding binding) throws Exception {
    for (int row = 0; row < count; row++) {
      binding.put(key(row), value(row));
    }
    binding.flushAndCompact();
  }

  /** The numbers of all rows in random order, the same each time. */
  List<Integer> shuffled() {
    List<Integer> rows = IntStream.range(0, count).boxed().collect(Collectors.toList());
    Collections.shuffle(rows, new Random(SEED));
    return rows;
  }

  byte[][] shuffledKeys() {
    return shuffled().stream().map(this::key).toArray(byte[][]::new);
  }

  byte[][] shuffledMissingKeys() {
    return shuffled().stream().map(this::missingKey).toArray(byte[][]::new);
  }

  static ByteBuffer[] direct(byte[][] arrays) {
    return Stream.of(arrays).map(DataSet::direct).toArray(ByteBuffer[]::new);
  }

  private static ByteBuffer direct(byte[] array) {
    return ByteBuffer.allocateDirect(array.length).put(array).flip();
  }

  static MemorySegment[] segments(ByteBuffer[] direct) {
    return Stream.of(direct).map(MemorySegment::ofBuffer).toArray(MemorySegment[]::new);
  }

  static MemorySegment segment(long size) {
    return Arena.ofAuto().allocate(size, Long.BYTES);
  }
}
