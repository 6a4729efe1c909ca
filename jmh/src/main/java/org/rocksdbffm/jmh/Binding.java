/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.openjdk.jmh.infra.Blackhole;

/**
 * A database that one of the two bindings has open, with what both can do. A JVM that measures loads one
 * implementation alone, so that calls through this interface cost nothing.
 */
interface Binding extends AutoCloseable {
  /** The names of the bindings, as values of the parameter {@code engine}. */
  String JNI = "jni";

  String FFM = "ffm";

  /** Opens a database for reading and writing, and creates it if need be; see {@link Tuning}. */
  static Binding open(String engine, Path folder, Tuning tuning) throws Exception {
    return switch (engine) {
      case JNI -> new JniBinding(folder, tuning);
      case FFM -> new FfmBinding(folder, tuning);
      default -> throw new IllegalArgumentException("engine: " + engine + ", but there are jni and ffm");
    };
  }

  byte[] get(byte[] key) throws Exception;

  long getInto(byte[] key, byte[] target) throws Exception;

  /** Fills a direct buffer from its start, whatever its position was. */
  long getInto(ByteBuffer key, ByteBuffer target) throws Exception;

  List<byte[]> multiGet(List<byte[]> keys) throws Exception;

  /** Reads so many rows from a key on into new arrays. */
  void scanArrays(byte[] from, int rows, Blackhole blackhole) throws Exception;

  void put(byte[] key, byte[] value) throws Exception;

  /** Puts what direct buffers hold from their start to their limit. */
  void put(ByteBuffer key, ByteBuffer value) throws Exception;

  void merge(byte[] key, byte[] operand) throws Exception;

  void delete(byte[] key) throws Exception;

  Batch newBatch();

  void flushAndCompact() throws Exception;

  @Override
  void close();

  /** A write batch of the binding's own. */
  interface Batch extends AutoCloseable {
    void put(byte[] key, byte[] value) throws Exception;

    void clear();

    void write() throws Exception;

    @Override
    void close();
  }
}
