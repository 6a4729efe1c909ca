/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.upstream;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdb.AbstractComparator;
import org.rocksdb.BuiltinComparator;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.Options;
import org.rocksdb.ReusedSynchronisationType;
import org.rocksdb.RocksDB;
import org.rocksdb.util.BytewiseComparator;
import org.rocksdb.util.ReverseBytewiseComparator;
import org.rocksdbffm.ByteView;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.jmh.benchmarks.MeasuredState;
import org.rocksdbffm.jmh.work.Binding;
import org.rocksdbffm.jmh.work.TemporaryFolder;

/**
 * The comparator benchmark of RocksDB's Java module: puts of ascending numbers, with WAL and default options. A
 * variant's name consists of the comparator, its direction, and the way in which rocksdbjni passes keys to Java.
 */
public class UpstreamComparatorBenchmark extends MeasuredState {
  /** A database with a comparator. */
  @State(Scope.Benchmark)
  public static class Ordered {
    @Param({Binding.JNI, Binding.FFM})
    public String engine;

    @Param({
      "native_bytewise",
      "native_reverse_bytewise",
      "java_bytewise_non-direct_reused-64_adaptive-mutex",
      "java_bytewise_non-direct_reused-64_non-adaptive-mutex",
      "java_bytewise_non-direct_reused-64_thread-local",
      "java_bytewise_direct_reused-64_adaptive-mutex",
      "java_bytewise_direct_reused-64_non-adaptive-mutex",
      "java_bytewise_direct_reused-64_thread-local",
      "java_bytewise_non-direct_no-reuse",
      "java_bytewise_direct_no-reuse",
      "java_reverse_bytewise_non-direct_reused-64_adaptive-mutex",
      "java_reverse_bytewise_non-direct_reused-64_non-adaptive-mutex",
      "java_reverse_bytewise_non-direct_reused-64_thread-local",
      "java_reverse_bytewise_direct_reused-64_adaptive-mutex",
      "java_reverse_bytewise_direct_reused-64_non-adaptive-mutex",
      "java_reverse_bytewise_direct_reused-64_thread-local",
      "java_reverse_bytewise_non-direct_no-reuse",
      "java_reverse_bytewise_direct_no-reuse"
    })
    public String comparatorName;

    private TemporaryFolder folder;
    private Writer writer;
    private final AtomicInteger count = new AtomicInteger();

    @Setup(Level.Trial)
    public void open() throws Exception {
      folder = TemporaryFolder.create();
      writer = engine.equals(Binding.JNI) ? new JniWriter(folder, comparatorName) : ffm(folder, comparatorName);
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
      writer.close();
      folder.close();
    }
  }

  private interface Writer extends AutoCloseable {
    void put(byte[] key, byte[] value) throws Exception;

    @Override
    void close();
  }

  private static Writer ffm(TemporaryFolder folder, String name) {
    RocksDb db = RocksDb.at(folder.path()).defaults(ordered(FamilyOptions.defaults(), name)).open();
    return new Writer() {
      @Override
      public void put(byte[] key, byte[] value) {
        db.put(key, value);
      }

      @Override
      public void close() {
        db.close();
      }
    };
  }

  /** Returns options for a variant. This library passes keys to Java in one way: as views of the engine's memory. */
  private static FamilyOptions ordered(FamilyOptions options, String name) {
    boolean reverse = name.contains("reverse");
    if (name.startsWith("native_")) {
      return options.keyOrder(reverse ? KeyOrder.REVERSE_BYTEWISE : KeyOrder.BYTEWISE);
    }
    return reverse
        ? options.keyOrder("java.ReverseBytewise", (a, b) -> b.compareTo(a))
        : options.keyOrder("java.Bytewise", ByteView::compareTo);
  }

  private static final class JniWriter implements Writer {
    private final ComparatorOptions comparatorOptions;
    private final AbstractComparator comparator;
    private final Options options;
    private final RocksDB db;

    JniWriter(TemporaryFolder folder, String name) throws Exception {
      RocksDB.loadLibrary();
      comparatorOptions = new ComparatorOptions();
      options = new Options().setCreateIfMissing(true);
      boolean reverse = name.contains("reverse");
      if (name.startsWith("native_")) {
        comparator = null;
        options.setComparator(
            reverse ? BuiltinComparator.REVERSE_BYTEWISE_COMPARATOR : BuiltinComparator.BYTEWISE_COMPARATOR);
      } else {
        set(comparatorOptions, name);
        comparator =
            reverse ? new ReverseBytewiseComparator(comparatorOptions) : new BytewiseComparator(comparatorOptions);
        options.setComparator(comparator);
      }
      db = RocksDB.open(options, folder.path().toString());
    }

    private static void set(ComparatorOptions options, String name) {
      options.setUseDirectBuffer(!name.contains("non-direct"));
      options.setMaxReusedBufferSize(name.contains("no-reuse") ? -1 : 64);
      if (name.contains("non-adaptive-mutex")) {
        options.setReusedSynchronisationType(ReusedSynchronisationType.MUTEX);
      } else if (name.contains("adaptive-mutex")) {
        options.setReusedSynchronisationType(ReusedSynchronisationType.ADAPTIVE_MUTEX);
      } else if (name.contains("thread-local")) {
        options.setReusedSynchronisationType(ReusedSynchronisationType.THREAD_LOCAL);
      }
    }

    @Override
    public void put(byte[] key, byte[] value) throws Exception {
      db.put(key, value);
    }

    @Override
    public void close() {
      db.close();
      options.close();
      if (comparator != null) {
        comparator.close();
      }
      comparatorOptions.close();
    }
  }

  @Benchmark
  public void put(Ordered ordered) throws Exception {
    int number = ordered.count.getAndIncrement();
    ordered.writer.put(
        ("key" + number).getBytes(StandardCharsets.UTF_8), ("value" + number).getBytes(StandardCharsets.UTF_8));
  }
}
