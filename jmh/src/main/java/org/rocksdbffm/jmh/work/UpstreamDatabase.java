/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A database with several column families, as the benchmarks of RocksDB's own Java module use one: with the engine's
 * default options. Family 0 is the default one.
 */
public interface UpstreamDatabase extends AutoCloseable {
  void put(int family, byte[] key, byte[] value) throws Exception;

  /** With write options that are made for this one put. */
  void putWithOptions(int family, byte[] key, byte[] value) throws Exception;

  void putWithOptions(int family, ByteBuffer key, ByteBuffer value) throws Exception;

  void flush() throws Exception;

  byte[] get(int family, byte[] key) throws Exception;

  long getInto(int family, byte[] key, byte[] target) throws Exception;

  long getInto(int family, ByteBuffer key, ByteBuffer target) throws Exception;

  /** The size of a value that is pinned and released; only some engines can. */
  default long getPinned(int family, byte[] key) {
    throw new UnsupportedOperationException(getClass().getSimpleName() + " has no pinned values");
  }

  List<byte[]> multiGet(List<byte[]> keys) throws Exception;

  List<byte[]> multiGet(List<Integer> families, List<byte[]> keys) throws Exception;

  /** Fills the values, and returns how many bytes they have together. */
  long multiGetInto(List<ByteBuffer> keys, List<ByteBuffer> values) throws Exception;

  @Override
  void close();
}
