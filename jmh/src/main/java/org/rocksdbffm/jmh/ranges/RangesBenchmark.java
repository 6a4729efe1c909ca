/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.ranges;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdbffm.Compression;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Scan;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.jmh.benchmarks.MeasuredState;
import org.rocksdbffm.jmh.work.TemporaryFolder;

/**
 * Reads 100 ranges of 50 rows from the disk, together and by a scan each, and all rows of a database in memory, by one
 * thread and by the threads of the common pool. Rows have 400 bytes.
 */
public class RangesBenchmark extends MeasuredState {
  private static final int ROWS = 1_000_000;
  private static final int ROWS_OF_A_BATCH = 1_000;
  private static final int VALUE_SIZE = 400;
  private static final int RANGES = 100;
  private static final int ROWS_OF_A_RANGE = 50;

  private static byte[] key(int row) {
    return "key%09d".formatted(row).getBytes(StandardCharsets.US_ASCII);
  }

  private static RocksDb open(TemporaryFolder folder, boolean direct) {
    return RocksDb.at(folder.path().resolve("db"))
        .options(DatabaseOptions.defaults().useDirectReads(direct))
        .defaults(FamilyOptions.defaults().compression(Compression.NONE))
        .open();
  }

  private static TemporaryFolder filled() throws Exception {
    TemporaryFolder folder = TemporaryFolder.create();
    Random random = new Random(1);
    try (RocksDb db = open(folder, false)) {
      for (int row = 0; row < ROWS; row += ROWS_OF_A_BATCH) {
        WriteBatch batch = new WriteBatch();
        for (int i = 0; i < ROWS_OF_A_BATCH; i++) {
          byte[] value = new byte[VALUE_SIZE];
          random.nextBytes(value);
          batch.put(key(row + i), value);
        }
        db.write(batch);
      }
      db.compact(KeyRange.all());
    }
    return folder;
  }

  /** A database that has read nothing yet, and reads past the caches of the operating system. */
  @State(Scope.Benchmark)
  public static class Cold {
    private final Random random = new Random(2);
    private final List<KeyRange> ranges = new ArrayList<>();
    private TemporaryFolder folder;
    private RocksDb db;

    @Setup(Level.Trial)
    public void fill() throws Exception {
      folder = filled();
    }

    @Setup(Level.Invocation)
    public void reopen() {
      db = open(folder, true);
      ranges.clear();
      for (int i = 0; i < RANGES; i++) {
        int first = random.nextInt(ROWS - ROWS_OF_A_RANGE);
        ranges.add(KeyRange.between(key(first), key(first + ROWS_OF_A_RANGE)));
      }
    }

    @TearDown(Level.Invocation)
    public void close() {
      db.close();
    }

    @TearDown(Level.Trial)
    public void delete() throws Exception {
      folder.close();
    }
  }

  /** A database whose files are in memory. */
  @State(Scope.Benchmark)
  public static class Warm {
    private TemporaryFolder folder;
    private RocksDb db;

    @Setup(Level.Trial)
    public void fill() throws Exception {
      folder = filled();
      db = open(folder, false);
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
      db.close();
      folder.close();
    }

    private long size(boolean parallel) {
      try (Stream<Long> rows = db.stream(KeyRange.all(), row -> row.value().byteSize())) {
        return (parallel ? rows.parallel() : rows).mapToLong(size -> size).sum();
      }
    }
  }

  /** Reads the ranges together. */
  @Benchmark
  public long rangesTogether(Cold cold) {
    long[] size = new long[1];
    cold.db.scan(cold.ranges, row -> size[0] += row.value().byteSize());
    return size[0];
  }

  /** Reads each range by a scan. */
  @Benchmark
  public long rangesOneByOne(Cold cold) {
    long size = 0;
    for (KeyRange range : cold.ranges) {
      try (Scan rows = cold.db.scan(range)) {
        while (rows.next()) {
          size += rows.value().byteSize();
        }
      }
    }
    return size;
  }

  /** Reads all rows by one thread. */
  @Benchmark
  public long allRowsByOneThread(Warm warm) {
    return warm.size(false);
  }

  /** Reads all rows by the threads of the common pool. */
  @Benchmark
  public long allRowsByThreads(Warm warm) {
    return warm.size(true);
  }
}
