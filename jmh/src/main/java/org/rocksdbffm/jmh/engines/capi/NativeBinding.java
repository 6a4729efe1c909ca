/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines.capi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.rocksdbffm.jmh.work.Binding;
import org.rocksdbffm.jmh.work.DataSet;
import org.rocksdbffm.jmh.work.KeyCycle;
import org.rocksdbffm.jmh.work.MultiGetLoop;
import org.rocksdbffm.jmh.work.ScanLoop;
import org.rocksdbffm.jmh.work.SendLoop;
import org.rocksdbffm.jmh.work.TransactionLoop;
import org.rocksdbffm.jmh.work.Tuning;
import org.rocksdbffm.jmh.work.WriteLoop;

/** A database opened by C code. */
public final class NativeBinding implements Binding {
  private static final MethodHandle OPEN =
      NativeLoops.link("open", ADDRESS, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT,
          JAVA_INT);
  private static final MethodHandle CLOSE = NativeLoops.link("close", null, ADDRESS);
  private static final MethodHandle FLUSH_AND_COMPACT = NativeLoops.link("flush_and_compact", JAVA_INT, ADDRESS);
  private static final MethodHandle NUMBER_PROPERTY = NativeLoops.link("number_property", JAVA_LONG, ADDRESS, ADDRESS);
  private static final MethodHandle SET_COUNTING = NativeLoops.link("set_counting", null, ADDRESS, JAVA_INT);
  private static final MethodHandle SEQUENCE_NUMBER = NativeLoops.loop("sequence_number");

  private final MemorySegment database;
  private final boolean deadline;
  private NativeWork numbers;
  private int numbersAtOnce;
  private boolean closed;

  public NativeBinding(Path folder, Tuning tuning) throws IOException {
    deadline = tuning.deadline();
    try (Arena arena = Arena.ofConfined()) {
      database =
          (MemorySegment)
              NativeLoops.call(
                  OPEN,
                  NativeLoops.ENGINE,
                  arena.allocateFrom(folder.toString()),
                  arena.allocateFrom(optionText(tuning)),
                  tuning.cacheSize(),
                  tuning.wal() ? 1 : 0,
                  tuning.dropsEmpty() ? 1 : 0,
                  tuning.transactions().ordinal(),
                  tuning.statistics() ? 1 : 0);
    }
    if (database.equals(MemorySegment.NULL)) {
      throw new IOException("Cannot open " + folder + "; the standard error says why");
    }
  }

  /** Returns the options as an options string; the cache is passed separately. */
  public static String optionText(Tuning tuning) {
    if (tuning.merging() == Tuning.Merging.JAVA) {
      throw new UnsupportedOperationException("C has no merge operator in Java");
    }
    String table =
        (tuning.cacheSize() == 0 ? "no_block_cache=true;" : "")
            + (tuning.filter() ? "filter_policy=bloomfilter:" + Tuning.FILTER_BITS + ":false;" : "");
    return "create_if_missing=true;compression=kNoCompression;merge_operator=uint64add;disable_auto_compactions=true;"
        + "comparator=" + comparator(tuning.order()) + ";"
        + "write_buffer_size=" + tuning.writeBufferSize() + ";"
        + "max_write_buffer_number=" + Tuning.WRITE_BUFFERS + ";"
        + "level0_slowdown_writes_trigger=" + Tuning.NO_LIMIT + ";"
        + "level0_stop_writes_trigger=" + Tuning.NO_LIMIT + ";"
        + "keep_log_file_num=" + Tuning.INFO_LOGS + ";"
        + (table.isEmpty() ? "" : "block_based_table_factory={" + table + "};");
  }

  private static String comparator(Tuning.Order order) {
    return switch (order) {
      case BYTEWISE -> "leveldb.BytewiseComparator";
      case REVERSE_BYTEWISE -> "rocksdb.ReverseBytewiseComparator";
      case JAVA_BYTEWISE -> throw new UnsupportedOperationException("C has no comparator in Java");
    };
  }

  @Override
  public void put(byte[] key, byte[] value) {
    try (NativeWriteLoop one = new NativeWriteLoop(database, new KeyCycle(new byte[][] {key}), value, 1)) {
      one.put();
    }
  }

  @Override
  public void flushAndCompact() {
    if ((int) NativeLoops.call(FLUSH_AND_COMPACT, database) != 0) {
      throw new IllegalStateException("The engine cannot flush; the standard error says why");
    }
  }

  /**
   * Returns the database for a loop of this thread; disables the thread's PerfContext counters, unless counting is
   * enabled.
   */
  private MemorySegment ofThisThread() {
    NativeLoops.call(SET_COUNTING, database, Binding.counts() ? 1 : 0);
    return database;
  }

  @Override
  public NativeGetLoop gets(KeyCycle keys, int valueSize, int count) {
    return new NativeGetLoop(ofThisThread(), keys, valueSize, count, deadline);
  }

  @Override
  public ScanLoop scans(DataSet data, int rows) {
    return new NativeScanLoop(ofThisThread(), data, rows);
  }

  @Override
  public MultiGetLoop multiGets(byte[][] keys, int valueSize, int count, boolean sorted) {
    return new NativeMultiGetLoop(ofThisThread(), keys, count, sorted);
  }

  @Override
  public WriteLoop writes(KeyCycle keys, byte[] value, int count) {
    return new NativeWriteLoop(ofThisThread(), keys, value, count);
  }

  @Override
  public TransactionLoop transactions(KeyCycle keys, byte[] value, int count, int pending) {
    return new NativeTransactionLoop(this, ofThisThread(), keys, value, count, pending);
  }

  @Override
  public SendLoop sends(KeyCycle keys, int valueSize, int count, Path socket) throws IOException {
    return new NativeSendLoop(ofThisThread(), keys, count, socket);
  }

  @Override
  public long fullMemtables() {
    try (Arena arena = Arena.ofConfined()) {
      long number = (long) NativeLoops.call(NUMBER_PROPERTY, database, arena.allocateFrom(FULL_MEMTABLES));
      if (number < 0) {
        throw new IllegalStateException("The engine has no property " + FULL_MEMTABLES);
      }
      return number;
    }
  }

  @Override
  public long sequenceNumbers(int count) {
    if (numbers == null || numbersAtOnce != count) {
      numbersAtOnce = count;
      numbers = new NativeWork(database, new KeyCycle(new byte[1][1]), new byte[0], count);
    }
    return numbers.run(SEQUENCE_NUMBER);
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    NativeLoops.call(CLOSE, database);
  }
}
