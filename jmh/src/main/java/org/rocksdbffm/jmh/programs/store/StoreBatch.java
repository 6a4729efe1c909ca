/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.store;

/** A batch of writes. */
public interface StoreBatch extends AutoCloseable {
  void put(int family, byte[] key, byte[] value) throws Exception;

  void delete(int family, byte[] key) throws Exception;

  void deleteRange(int family, byte[] from, byte[] until) throws Exception;

  @Override
  void close();
}
