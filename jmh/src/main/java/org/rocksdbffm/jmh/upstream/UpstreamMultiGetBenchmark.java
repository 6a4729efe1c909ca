/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.upstream;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.rocksdbffm.jmh.benchmarks.MeasuredState;
import org.rocksdbffm.jmh.work.KeyLists;
import org.rocksdbffm.jmh.work.UpstreamDatabase;

/**
 * The multi-get benchmarks of RocksDB's Java module: runs of consecutive keys. Times are per call. Keys are created in
 * advance; upstream measures their creation.
 */
public class UpstreamMultiGetBenchmark extends MeasuredState {
  /** The rows, and the keys to read. */
  @State(Scope.Thread)
  public static class Caller {
    @Param({"10000", "25000", "100000"})
    public int keyCount;

    @Param({"10", "100", "1000", "10000"})
    public int multiGetSize;

    @Param({"16", "64", "250", "1000", "4000", "16000"})
    public int valueSize;

    @Param("16")
    public int keySize;

    private final List<byte[]> keys = new ArrayList<>();
    private final List<ByteBuffer> keyBuffers = new ArrayList<>();
    private final List<ByteBuffer> valueBuffers = new ArrayList<>();
    private final List<Integer> defaultFamilies = new ArrayList<>();
    private final List<Integer> randomFamilies = new ArrayList<>();
    private UpstreamDatabase database;
    private int first;

    @Setup(Level.Trial)
    public void prepare(UpstreamFamilies families) throws Exception {
      database = families.database();
      families.fill(keyCount, keySize, valueSize);
      Random random = new Random(keyCount);
      for (int i = 0; i < keyCount; i++) {
        keys.add(UpstreamFamilies.padded("key" + i, keySize));
        keyBuffers.add(KeyLists.direct(keys.get(i)));
        defaultFamilies.add(0);
        randomFamilies.add(families.families() == 0 ? 0 : random.nextInt(families.families()));
      }
      for (int i = 0; i < multiGetSize; i++) {
        valueBuffers.add(ByteBuffer.allocateDirect(valueSize));
      }
    }

    private int next() {
      first = first + 2 * multiGetSize > keyCount ? 0 : first + multiGetSize;
      return first;
    }
  }

  @Benchmark
  public List<byte[]> multiGetList10(Caller caller) throws Exception {
    int first = caller.next();
    return checked(caller, caller.database.multiGet(caller.keys.subList(first, first + caller.multiGetSize)));
  }

  @Benchmark
  public List<byte[]> multiGetListExplicitCF20(Caller caller) throws Exception {
    return multiGet(caller, caller.defaultFamilies);
  }

  @Benchmark
  public List<byte[]> multiGetListRandomCF30(Caller caller) throws Exception {
    return multiGet(caller, caller.randomFamilies);
  }

  private static List<byte[]> multiGet(Caller caller, List<Integer> families) throws Exception {
    int first = caller.next();
    int end = first + caller.multiGetSize;
    return checked(caller, caller.database.multiGet(families.subList(first, end), caller.keys.subList(first, end)));
  }

  @Benchmark
  public long multiGetBB200(Caller caller) throws Exception {
    int first = caller.next();
    List<ByteBuffer> keys = caller.keyBuffers.subList(first, first + caller.multiGetSize);
    keys.forEach(ByteBuffer::rewind);
    caller.valueBuffers.forEach(ByteBuffer::clear);
    long size = caller.database.multiGetInto(keys, caller.valueBuffers);
    if (size != (long) caller.multiGetSize * caller.valueSize) {
      throw new IllegalStateException(size + " bytes");
    }
    return size;
  }

  private static List<byte[]> checked(Caller caller, List<byte[]> values) {
    for (byte[] value : values) {
      if (value.length != caller.valueSize) {
        throw new IllegalStateException(value.length + " bytes");
      }
    }
    return values;
  }
}
