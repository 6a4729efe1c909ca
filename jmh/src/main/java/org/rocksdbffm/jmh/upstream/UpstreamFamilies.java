/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.upstream;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdbffm.jmh.engines.Engines;
import org.rocksdbffm.jmh.work.Binding;
import org.rocksdbffm.jmh.work.TemporaryFolder;
import org.rocksdbffm.jmh.work.UpstreamDatabase;

/**
 * A new database with the column families and rows of the benchmarks of RocksDB's Java module. Keys and values are
 * "key" and "value" with a number, padded with zeros.
 */
@State(Scope.Benchmark)
public class UpstreamFamilies {
  private static final byte FILLER = '0';

  @Param({Binding.JNI, Binding.FFM})
  public String engine;

  @Param({"no_column_family", "1_column_family", "20_column_families", "100_column_families"})
  public String columnFamilyTestType;

  private TemporaryFolder folder;
  private UpstreamDatabase database;
  private int families;

  @Setup(Level.Trial)
  public void open() throws Exception {
    families =
        switch (columnFamilyTestType) {
          case "1_column_family" -> 1;
          case "20_column_families" -> 20;
          case "100_column_families" -> 100;
          default -> 0;
        };
    folder = TemporaryFolder.create();
    database = Engines.openUpstream(engine, folder.path(), families);
  }

  @TearDown(Level.Trial)
  public void close() throws Exception {
    database.close();
    folder.close();
  }

  UpstreamDatabase database() {
    return database;
  }

  /**
   * Returns the family of the next operation: the only family, or the next family after the previous, except the
   * default family.
   */
  int next(int previous) {
    if (families < 2) {
      return families;
    }
    return previous >= families ? 1 : previous + 1;
  }

  int families() {
    return families;
  }

  /** Writes a number of rows to all families, and flushes them. */
  void fill(int count, int keySize, int valueSize) throws Exception {
    for (int family = 0; family <= families; family++) {
      for (int i = 0; i < count; i++) {
        database.put(family, padded("key" + i, keySize), padded("value" + i, valueSize));
      }
    }
    database.flush();
  }

  static byte[] padded(String text, int size) {
    byte[] start = text.getBytes(StandardCharsets.UTF_8);
    byte[] bytes = Arrays.copyOf(start, size);
    Arrays.fill(bytes, Math.min(start.length, size), size, FILLER);
    return bytes;
  }
}
