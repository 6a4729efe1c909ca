/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDb;

/** One get of a key in random order from files whose blocks are cached. A value that is only looked at is touched. */
public class GetBenchmark extends Measured {
  /** Data of one value size. */
  @State(Scope.Benchmark)
  public abstract static class Values extends StoredData {
    @Param({"16", "100", "1024", "4096", "16384", "65536", "262144", "1048576"})
    public int valueSize;

    @Override
    int valueSize() {
      return valueSize;
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

  /** A thread's keys in its own random order, and what it reads into. */
  public abstract static class Caller {
    private byte[][] arrays;
    private byte[][] missing;
    private ByteBuffer[] buffers;
    private MemorySegment[] segments;
    private int position;

    byte[] array;
    ByteBuffer buffer;
    MemorySegment segment;

    void prepare(StoredData stored) {
      DataSet data = stored.data();
      arrays = data.shuffledKeys();
      missing = data.shuffledMissingKeys();
      buffers = DataSet.direct(arrays);
      segments = DataSet.segments(buffers);
      position = (int) (Thread.currentThread().threadId() * 7919 % arrays.length);
      array = new byte[data.valueSize()];
      buffer = ByteBuffer.allocateDirect(data.valueSize());
      segment = DataSet.segment(data.valueSize());
    }

    private int next() {
      int now = position;
      position = now + 1 == arrays.length ? 0 : now + 1;
      return now;
    }

    byte[] key() {
      return arrays[next()];
    }

    byte[] missingKey() {
      return missing[next()];
    }

    ByteBuffer keyBuffer() {
      return buffers[next()];
    }

    MemorySegment keySegment() {
      return segments[next()];
    }
  }

  /** A caller of either engine. */
  @State(Scope.Thread)
  public static class EitherCaller extends Caller {
    Binding binding;

    @Setup(Level.Trial)
    public void prepare(EitherValues values) {
      super.prepare(values);
      binding = values.binding();
    }
  }

  /** A caller of this library. */
  @State(Scope.Thread)
  public static class FfmCaller extends Caller {
    RocksDb db;

    @Setup(Level.Trial)
    public void prepare(FfmValues values) {
      super.prepare(values);
      db = values.ffmDb();
    }
  }

  @Benchmark
  public byte[] array(EitherCaller caller) throws Exception {
    return caller.binding.get(caller.key());
  }

  @Benchmark
  public long intoArray(EitherCaller caller) throws Exception {
    return caller.binding.getInto(caller.key(), caller.array);
  }

  @Benchmark
  public long intoDirect(EitherCaller caller) throws Exception {
    return caller.binding.getInto(caller.keyBuffer(), caller.buffer);
  }

  @Benchmark
  public byte[] missing(EitherCaller caller) throws Exception {
    return caller.binding.get(caller.missingKey());
  }

  @Benchmark
  public long intoSegment(FfmCaller caller) {
    return caller.db.getInto(caller.keySegment(), caller.segment);
  }

  @Benchmark
  public byte pinned(FfmCaller caller) {
    try (PinnedValue value = caller.db.getPinned(caller.key());
        PinnedValue.View view = value.view()) {
      return firstByte(view.segment());
    }
  }

  @Benchmark
  public byte pinnedSegment(FfmCaller caller) {
    try (PinnedValue value = caller.db.getPinned(caller.key())) {
      return firstByte(value.segment());
    }
  }

  @Benchmark
  public Byte callback(FfmCaller caller) {
    return caller.db.get(caller.key(), GetBenchmark::firstByte);
  }

  @Benchmark
  public byte arena(FfmCaller caller) {
    try (Arena arena = Arena.ofConfined()) {
      return firstByte(caller.db.get(caller.key(), arena));
    }
  }

  private static byte firstByte(MemorySegment value) {
    return value.get(ValueLayout.JAVA_BYTE, 0);
  }
}
