/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh;

import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;
import org.rocksdb.ByteBufferGetStatus;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.MultiGet;
import org.rocksdbffm.PinnedValues;

/** 100 random keys in one call, from files whose blocks are cached; the figures are for the whole call. */
public class MultiGetBenchmark extends Measured {
  private static final int KEYS = 100;
  private static final int MAX_REQUESTS = 500;

  /** Data of one value size, and lists of keys. */
  @State(Scope.Benchmark)
  public abstract static class Values extends StoredData {
    @Param({"100", "4096", "65536"})
    public int valueSize;

    /** Whether the keys of a call ascend. */
    @Param({"false", "true"})
    public boolean sorted;

    private List<List<byte[]>> requests;
    private int position;

    @Override
    int valueSize() {
      return valueSize;
    }

    @Override
    void prepare() {
      byte[][] keys = data().shuffledKeys();
      requests = new ArrayList<>();
      for (int end = KEYS; end <= keys.length && requests.size() < MAX_REQUESTS; end += KEYS) {
        Stream<byte[]> some = Arrays.stream(keys, end - KEYS, end);
        requests.add((sorted ? some.sorted(Arrays::compareUnsigned) : some).toList());
      }
      if (requests.isEmpty()) {
        throw new IllegalArgumentException("dataMiB: " + dataMiB + " has fewer than " + KEYS + " rows");
      }
    }

    List<List<byte[]>> requests() {
      return requests;
    }

    int next() {
      position = position + 1 == requests.size() ? 0 : position + 1;
      return position;
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

    private MultiGet request;

    @Override
    String engine() {
      return engine;
    }

    @Override
    void prepare() {
      super.prepare();
      request = ffmDb().multiGet().sorted(sorted);
    }
  }

  /** For what only JNI has: keys and values in direct buffers. */
  @State(Scope.Benchmark)
  public static class JniValues extends Values {
    @Param(Binding.JNI)
    public String engine;

    private List<List<ByteBuffer>> buffers;
    private List<ByteBuffer> targets;

    @Override
    String engine() {
      return engine;
    }

    @Override
    void prepare() {
      super.prepare();
      buffers = requests().stream().map(keys -> List.of(DataSet.direct(keys.toArray(byte[][]::new)))).toList();
      targets = IntStream.range(0, KEYS).mapToObj(i -> ByteBuffer.allocateDirect(valueSize)).toList();
    }
  }

  @Benchmark
  public List<byte[]> list(EitherValues values) throws Exception {
    return values.binding().multiGet(values.requests().get(values.next()));
  }

  @Benchmark
  public List<ByteBufferGetStatus> directBuffers(JniValues values) throws RocksDBException {
    List<ByteBuffer> keys = values.buffers.get(values.next());
    keys.forEach(ByteBuffer::rewind);
    values.targets.forEach(ByteBuffer::clear);
    return values.jniDb().multiGetByteBuffers(keys, values.targets);
  }

  @Benchmark
  public void pinned(FfmValues values, Blackhole blackhole) {
    MultiGet request = values.request.clear();
    for (byte[] key : values.requests().get(values.next())) {
      request.add(key);
    }
    try (PinnedValues found = request.get()) {
      for (int i = 0; i < KEYS; i++) {
        blackhole.consume(found.segment(i).get(ValueLayout.JAVA_BYTE, 0));
      }
    }
  }
}
