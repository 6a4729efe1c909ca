/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

import java.nio.file.Path;

/**
 * A database that an engine has open, and the loops that measure it. An engine is a way to the one RocksDB library:
 * by C alone, by rocksdbjni, or by this library. A JVM that measures opens one alone.
 */
public interface Binding extends AutoCloseable {
  /** The loops are in C, called once for many operations: what is left of the time when there is no Java. */
  String NATIVE = "native";

  /** rocksdbjni, or what stands for it on the class path. */
  String JNI = "jni";

  String FFM = "ffm";

  /** The property that has the engine count what threads do, as it does unless it is told not to. */
  String COUNTING = "org.rocksdbffm.counting";

  /** The engine's property that tells how many memtables it has yet to write to files. */
  String FULL_MEMTABLES = "rocksdb.num-immutable-mem-table";

  /** Whether the engine counts what threads do: for all bindings alike, or part of a ratio would be the engine's. */
  static boolean counts() {
    return Boolean.getBoolean(COUNTING);
  }

  void put(byte[] key, byte[] value) throws Exception;

  void flushAndCompact() throws Exception;

  /**
   * A thread's gets.
   *
   * @param count how many each call does
   */
  GetLoop gets(KeyCycle keys, int valueSize, int count);

  /**
   * A thread's scans.
   *
   * @param rows how many each scan reads
   */
  ScanLoop scans(DataSet data, int rows);

  /**
   * A thread's multi-gets.
   *
   * @param keys a multiple of {@code count}
   * @param count how many keys each asks for
   * @param sorted whether these ascend
   */
  MultiGetLoop multiGets(byte[][] keys, int valueSize, int count, boolean sorted);

  /**
   * A thread's writes, which the caller closes.
   *
   * @param count how many each call does
   */
  WriteLoop writes(KeyCycle keys, byte[] value, int count);

  /**
   * A thread's transactions, which the caller closes; the database has to have some.
   *
   * @param value what they write
   * @param count how many transactions, or gets, each call does
   * @param pending how many keys the one that stays open has written
   */
  TransactionLoop transactions(KeyCycle keys, byte[] value, int count, int pending) throws Exception;

  /**
   * A thread's gets of values that go to a Unix domain socket.
   *
   * @param count how many each call does
   */
  SendLoop sends(KeyCycle keys, int valueSize, int count, Path socket) throws Exception;

  /** How many memtables the engine has yet to write to files. */
  long fullMemtables() throws Exception;

  /** The number of the last write, which is the least that an engine can be asked: so many times. */
  long sequenceNumbers(int count);

  @Override
  void close();
}
