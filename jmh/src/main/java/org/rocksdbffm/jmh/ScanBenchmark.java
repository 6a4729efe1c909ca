/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;
import org.rocksdb.RocksIterator;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.Row;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Scan;

/**
 * 1000 rows from a random start, opening and closing of the iterator included; the figures are for one row.
 * A row that is only looked at has the first byte of key and value touched.
 */
@OperationsPerInvocation(ScanBenchmark.ROWS)
public class ScanBenchmark extends Measured {
  static final int ROWS = 1000;

  /** Data of one row size, and where to start. */
  @State(Scope.Benchmark)
  public abstract static class Values extends StoredData {
    @Param({"100", "4096", "65536"})
    public int valueSize;

    private int[] starts;
    private int position;

    @Override
    int valueSize() {
      return valueSize;
    }

    @Override
    void prepare() {
      if (data().count() <= ROWS) {
        throw new IllegalArgumentException(
            "dataMiB: " + dataMiB + " has " + data().count() + " rows, but a scan needs more than " + ROWS);
      }
      starts = data().shuffled().stream().mapToInt(Integer::intValue).filter(this::hasRowsBehind).toArray();
    }

    private boolean hasRowsBehind(int row) {
      return row + ROWS < data().count();
    }

    private int nextStart() {
      position = position + 1 == starts.length ? 0 : position + 1;
      return starts[position];
    }

    byte[] from() {
      return data().key(nextStart());
    }

    /** The key of the last row, for a scan backward. */
    byte[] last() {
      return data().key(nextStart() + ROWS - 1);
    }

    KeyRange range() {
      int start = nextStart();
      return KeyRange.between(data().key(start), data().key(start + ROWS));
    }
  }

  /** For what both engines have. */
  @State(Scope.Benchmark)
  public static class EitherValues extends Values {
    @Param({Binding.JNI, Binding.FFM})
    public String engine;

    @Override
    String engine() {
      return engine;
    }
  }

  /** For what only this library has. */
  @State(Scope.Benchmark)
  public static class FfmValues extends Values {
    @Param(Binding.FFM)
    public String engine;

    @Override
    String engine() {
      return engine;
    }
  }

  /** For what only JNI has. */
  @State(Scope.Benchmark)
  public static class JniValues extends Values {
    @Param(Binding.JNI)
    public String engine;

    private final ByteBuffer key = ByteBuffer.allocateDirect(DataSet.KEY_SIZE);
    private ByteBuffer value;

    @Override
    String engine() {
      return engine;
    }

    @Override
    void prepare() {
      super.prepare();
      value = ByteBuffer.allocateDirect(valueSize);
    }
  }

  @Benchmark
  public void arrays(EitherValues values, Blackhole blackhole) throws Exception {
    values.binding().scanArrays(values.from(), ROWS, blackhole);
  }

  @Benchmark
  public void directBuffers(JniValues values, Blackhole blackhole) throws Exception {
    try (RocksIterator iterator = values.jniDb().newIterator(values.jni().readOptions())) {
      int left = ROWS;
      for (iterator.seek(values.from()); iterator.isValid() && left > 0; iterator.next()) {
        consume(iterator, values, blackhole);
        left--;
      }
      iterator.status();
    }
  }

  @Benchmark
  public void directBuffersBackward(JniValues values, Blackhole blackhole) throws Exception {
    try (RocksIterator iterator = values.jniDb().newIterator(values.jni().readOptions())) {
      int left = ROWS;
      for (iterator.seekForPrev(values.last()); iterator.isValid() && left > 0; iterator.prev()) {
        consume(iterator, values, blackhole);
        left--;
      }
      iterator.status();
    }
  }

  private static void consume(RocksIterator iterator, JniValues values, Blackhole blackhole) {
    blackhole.consume(iterator.key(values.key.clear()) + values.key.get(0));
    blackhole.consume(iterator.value(values.value.clear()) + values.value.get(0));
  }

  @Benchmark
  public void cursor(FfmValues values, Blackhole blackhole) {
    try (Cursor cursor = values.ffmDb().cursor()) {
      boolean found = cursor.seek(values.from());
      for (int left = ROWS; found && left > 0; left--) {
        consume(cursor, blackhole);
        found = cursor.next();
      }
    }
  }

  /** The end of the scan is given by count, so that the last block may hold rows that nobody asks for. */
  @Benchmark
  public void scan(FfmValues values, Blackhole blackhole) {
    try (Scan scan = values.ffmDb().scan(KeyRange.from(values.from()))) {
      for (int left = ROWS; left > 0 && scan.next(); left--) {
        consume(scan, blackhole);
      }
    }
  }

  /** The end of the scan is given as a key. */
  @Benchmark
  public void scanRange(FfmValues values, Blackhole blackhole) {
    RocksDb db = values.ffmDb();
    try (Scan scan = db.scan(values.range())) {
      consumeAll(scan, blackhole);
    }
  }

  @Benchmark
  public void scanBackward(FfmValues values, Blackhole blackhole) {
    RocksDb db = values.ffmDb();
    try (Scan scan = db.scanBackward(values.range())) {
      consumeAll(scan, blackhole);
    }
  }

  private static void consumeAll(Scan scan, Blackhole blackhole) {
    while (scan.next()) {
      consume(scan, blackhole);
    }
  }

  private static void consume(Row row, Blackhole blackhole) {
    blackhole.consume(touch(row.key()));
    blackhole.consume(touch(row.value()));
  }

  private static long touch(MemorySegment bytes) {
    return bytes.byteSize() + bytes.get(ValueLayout.JAVA_BYTE, 0);
  }
}
