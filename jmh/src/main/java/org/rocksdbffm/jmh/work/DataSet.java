/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The rows that are read, the same for all engines and runs.
 *
 * @param count the number of rows
 * @param valueSize the size of each value
 */
public record DataSet(int count, int valueSize) {
  public static final int KEY_SIZE = 16;
  private static final int MAX_COUNT = 100_000;
  private static final long SEED = 42;

  /** Returns rows with this total size, approximately, up to a maximum number of rows. */
  public static DataSet ofSize(int mib, int valueSize) {
    return new DataSet(Math.clamp(((long) mib << 20) / (KEY_SIZE + valueSize), 1, MAX_COUNT), valueSize);
  }

  public byte[] key(int row) {
    return ByteBuffer.allocate(KEY_SIZE).putLong(row).putLong(0).array();
  }

  /** Returns a missing key between a row's key and the next one. */
  public byte[] missingKey(int row) {
    return ByteBuffer.allocate(KEY_SIZE).putLong(row).putLong(1).array();
  }

  public byte[] value(int row) {
    byte[] value = new byte[valueSize];
    new Random(SEED + row).nextBytes(value);
    return value;
  }

  /** Returns the {@link Checksum} of a row's value; the first byte does not depend on the size. */
  public long look(int row) {
    byte[] first = new byte[1];
    new Random(SEED + row).nextBytes(first);
    return valueSize == 0 ? 0 : valueSize + first[0];
  }

  /** Returns the sum of the checksums of all rows' values. */
  public long look() {
    return IntStream.range(0, count).mapToLong(this::look).sum();
  }

  public void writeTo(Binding binding) throws Exception {
    for (int row = 0; row < count; row++) {
      binding.put(key(row), value(row));
    }
  }

  /** Returns the numbers of all rows in random, but reproducible order. */
  List<Integer> shuffled() {
    List<Integer> rows = IntStream.range(0, count).boxed().collect(Collectors.toList());
    Collections.shuffle(rows, new Random(SEED));
    return rows;
  }

  public byte[][] shuffledKeys() {
    return shuffled().stream().map(this::key).toArray(byte[][]::new);
  }

  public byte[][] shuffledMissingKeys() {
    return shuffled().stream().map(this::missingKey).toArray(byte[][]::new);
  }
}
