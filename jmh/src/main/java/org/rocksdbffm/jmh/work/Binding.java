/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

import java.nio.file.Path;

/**
 * A database opened by an engine, and the loops that measure it. An engine is a way to call the RocksDB library: C
 * without Java, rocksdbjni, or this library. A JVM that measures opens only one binding.
 */
public interface Binding extends AutoCloseable {
  /** Loops in C, called once for many operations, to measure the time without Java. */
  String NATIVE = "native";

  /** rocksdbjni, or the drop-in, depending on the class path. */
  String JNI = "jni";

  String FFM = "ffm";

  /** The property that enables the engine's PerfContext counters, which is the engine's default. */
  String COUNTING = "org.rocksdbffm.counting";

  /** The engine's property with the number of memtables to be flushed. */
  String FULL_MEMTABLES = "rocksdb.num-immutable-mem-table";

  /** Whether PerfContext counters are enabled: equally for all bindings, because they affect the engine's speed. */
  static boolean counts() {
    return Boolean.getBoolean(COUNTING);
  }

  void put(byte[] key, byte[] value) throws Exception;

  void flushAndCompact() throws Exception;

  /**
   * Creates a thread's gets.
   *
   * @param count the number of gets of each call
   */
  GetLoop gets(KeyCycle keys, int valueSize, int count);

  /**
   * Creates a thread's scans.
   *
   * @param rows the number of rows of each scan
   */
  ScanLoop scans(DataSet data, int rows);

  /**
   * Creates a thread's multi-gets.
   *
   * @param keys the keys to read; their number is a multiple of {@code count}
   * @param count the number of keys of each
   * @param sorted whether these ascend
   */
  MultiGetLoop multiGets(byte[][] keys, int valueSize, int count, boolean sorted);

  /**
   * Creates a thread's writes, which the caller closes.
   *
   * @param count the number of writes of each call
   */
  WriteLoop writes(KeyCycle keys, byte[] value, int count);

  /**
   * Creates a thread's transactions, which the caller closes; the database must support transactions.
   *
   * @param value the value to write
   * @param count the number of transactions, or gets, of each call
   * @param pending the number of keys that the open transaction has written
   */
  TransactionLoop transactions(KeyCycle keys, byte[] value, int count, int pending) throws Exception;

  /**
   * Creates a thread's gets that send values to a Unix domain socket.
   *
   * @param count the number of values of each call
   */
  SendLoop sends(KeyCycle keys, int valueSize, int count, Path socket) throws Exception;

  /** Returns the number of memtables to be flushed. */
  long fullMemtables() throws Exception;

  /** Reads the latest sequence number {@code count} times: no engine function does less work. */
  long sequenceNumbers(int count);

  @Override
  void close();
}
