/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.upstream;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.rocksdbffm.jmh.benchmarks.MeasuredState;
import org.rocksdbffm.jmh.work.KeyCycle;
import org.rocksdbffm.jmh.work.UpstreamDatabase;

/**
 * The get benchmarks of RocksDB's Java module, and the additional ones of its prototype with an earlier foreign
 * function API: keys in random order, a pinned value, and a value in the caller's native memory (for this library a
 * direct buffer is the same). Keys are created in advance; upstream measures their creation.
 */
public class UpstreamGetBenchmark extends MeasuredState {
  /** The rows. */
  @State(Scope.Benchmark)
  public static class Rows {
    @Param({"1000", "100000"})
    public int keyCount;

    @Param({"12", "64", "128"})
    public int keySize;

    @Param({"64", "1024", "65536"})
    public int valueSize;

    private UpstreamFamilies families;

    @Setup(Level.Trial)
    public void fill(UpstreamFamilies families) throws Exception {
      this.families = families;
      families.fill(keyCount, keySize, valueSize);
    }
  }

  /** A thread's keys, sorted and shuffled, and its buffers for values. */
  @State(Scope.Thread)
  public static class Caller {
    private UpstreamDatabase database;
    private UpstreamFamilies families;
    private KeyCycle keys;
    private KeyCycle shuffled;
    private byte[] target;
    private ByteBuffer buffer;
    private int family;

    @Setup(Level.Trial)
    public void prepare(Rows rows) {
      families = rows.families;
      database = families.database();
      List<byte[]> ordered = new ArrayList<>();
      for (int i = 0; i < rows.keyCount; i++) {
        ordered.add(UpstreamFamilies.padded("key" + i, rows.keySize));
      }
      keys = new KeyCycle(ordered.toArray(byte[][]::new));
      Collections.shuffle(ordered, new Random(rows.keyCount));
      shuffled = new KeyCycle(ordered.toArray(byte[][]::new));
      target = new byte[rows.valueSize];
      buffer = ByteBuffer.allocateDirect(rows.valueSize);
    }

    private int family() {
      family = families.next(family);
      return family;
    }
  }

  @Benchmark
  public byte[] get(Caller caller) throws Exception {
    return caller.database.get(caller.family(), caller.keys.array());
  }

  @Benchmark
  public long preallocatedGet(Caller caller) throws Exception {
    return caller.database.getInto(caller.family(), caller.keys.array(), caller.target);
  }

  @Benchmark
  public long preallocatedByteBufferGet(Caller caller) throws Exception {
    return caller.database.getInto(caller.family(), caller.keys.buffer(), caller.buffer);
  }

  @Benchmark
  public byte[] getRandom(Caller caller) throws Exception {
    return caller.database.get(caller.family(), caller.shuffled.array());
  }

  @Benchmark
  public long preallocatedGetRandom(Caller caller) throws Exception {
    return caller.database.getInto(caller.family(), caller.shuffled.array(), caller.target);
  }

  @Benchmark
  public long pinnableSliceGet(Caller caller) {
    return caller.database.getPinned(caller.family(), caller.keys.array());
  }

  @Benchmark
  public long outputSliceGet(Caller caller) throws Exception {
    return caller.database.getInto(caller.family(), caller.shuffled.buffer(), caller.buffer);
  }
}
