/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.store;

import java.nio.ByteBuffer;
import java.util.Random;

/** Rows with ascending keys, the same for all engines. The arrays of keys and values are reused. */
public final class FileRows {
  private static final int KEY = 16;
  private static final int VALUES = 64;
  private static final long SEED = 42;

  private final int count;
  private final ByteBuffer key = ByteBuffer.allocate(KEY);
  private final byte[][] values;

  public FileRows(int count, int valueSize) {
    this.count = count;
    this.values = new byte[VALUES][valueSize];
    Random random = new Random(SEED);
    for (byte[] value : values) {
      random.nextBytes(value);
    }
  }

  /** Returns rows with this total size, approximately. */
  public static FileRows ofSize(int mib, int valueSize) {
    return new FileRows((int) (((long) mib << 20) / (KEY + valueSize)), valueSize);
  }

  public int count() {
    return count;
  }

  /** Returns a key, in an array that the next call changes. */
  public byte[] key(int row) {
    return key.putLong(0, row).array();
  }

  public byte[] value(int row) {
    return values[row % VALUES];
  }
}
