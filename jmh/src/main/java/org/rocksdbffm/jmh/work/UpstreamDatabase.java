/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A database with several column families and the engine's default options, as in the benchmarks of RocksDB's Java
 * module. Family 0 is the default family.
 */
public interface UpstreamDatabase extends AutoCloseable {
  void put(int family, byte[] key, byte[] value) throws Exception;

  /** Puts a row, with write options that are created for this put. */
  void putWithOptions(int family, byte[] key, byte[] value) throws Exception;

  void putWithOptions(int family, ByteBuffer key, ByteBuffer value) throws Exception;

  void flush() throws Exception;

  byte[] get(int family, byte[] key) throws Exception;

  long getInto(int family, byte[] key, byte[] target) throws Exception;

  long getInto(int family, ByteBuffer key, ByteBuffer target) throws Exception;

  /** Pins and releases a value, and returns its size; not supported by all engines. */
  default long getPinned(int family, byte[] key) {
    throw new UnsupportedOperationException(getClass().getSimpleName() + " has no pinned values");
  }

  List<byte[]> multiGet(List<byte[]> keys) throws Exception;

  List<byte[]> multiGet(List<Integer> families, List<byte[]> keys) throws Exception;

  /** Reads the values into buffers, and returns their total size. */
  long multiGetInto(List<ByteBuffer> keys, List<ByteBuffer> values) throws Exception;

  @Override
  void close();
}
