/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.upstream;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.rocksdbffm.jmh.benchmarks.MeasuredState;
import org.rocksdbffm.jmh.work.KeyLists;

/**
 * The put benchmarks of RocksDB's Java module: with WAL and default options; each thread uses a few buffers
 * alternately. Like upstream, the time includes writing the number into the key, but without a string.
 */
public class UpstreamPutBenchmark extends MeasuredState {
  /** A thread's buffers. */
  @State(Scope.Thread)
  public static class Caller {
    @Param({"1000", "100000"})
    public int keyCount;

    @Param({"12", "64", "128"})
    public int keySize;

    @Param({"64", "1024", "65536"})
    public int valueSize;

    @Param("16")
    public int bufferListSize;

    private final Deque<byte[]> keys = new ArrayDeque<>();
    private final Deque<byte[]> values = new ArrayDeque<>();
    private final Deque<ByteBuffer> keyBuffers = new ArrayDeque<>();
    private final Deque<ByteBuffer> valueBuffers = new ArrayDeque<>();
    private UpstreamFamilies families;
    private int family;
    private int number;

    @Setup(Level.Trial)
    public void prepare(UpstreamFamilies families) {
      this.families = families;
      for (int i = 0; i < bufferListSize; i++) {
        keys.add(UpstreamFamilies.padded("key", keySize));
        values.add(UpstreamFamilies.padded("value", valueSize));
        keyBuffers.add(KeyLists.direct(UpstreamFamilies.padded("key", keySize)));
        valueBuffers.add(KeyLists.direct(UpstreamFamilies.padded("value", valueSize)));
      }
    }

    private int family() {
      family = families.next(family);
      return family;
    }

    private byte[] key() {
      byte[] key = keys.remove();
      int rest = nextNumber();
      for (int i = 11; i > 2; i--) {
        key[i] = (byte) ('0' + rest % 10);
        rest /= 10;
      }
      keys.add(key);
      return key;
    }

    private ByteBuffer keyBuffer() {
      ByteBuffer key = keyBuffers.remove().clear();
      int rest = nextNumber();
      for (int i = 11; i > 2; i--) {
        key.put(i, (byte) ('0' + rest % 10));
        rest /= 10;
      }
      keyBuffers.add(key);
      return key;
    }

    private int nextNumber() {
      number = number + 1 == keyCount ? 0 : number + 1;
      return number;
    }

    private byte[] value() {
      byte[] value = values.remove();
      values.add(value);
      return value;
    }

    private ByteBuffer valueBuffer() {
      ByteBuffer value = valueBuffers.remove().clear();
      valueBuffers.add(value);
      return value;
    }
  }

  @Benchmark
  public void put(Caller caller) throws Exception {
    caller.families.database().put(caller.family(), caller.key(), caller.value());
  }

  @Benchmark
  public void putByteArrays(Caller caller) throws Exception {
    caller.families.database().putWithOptions(caller.family(), caller.key(), caller.value());
  }

  @Benchmark
  public void putByteBuffers(Caller caller) throws Exception {
    caller.families.database().putWithOptions(caller.family(), caller.keyBuffer(), caller.valueBuffer());
  }
}
