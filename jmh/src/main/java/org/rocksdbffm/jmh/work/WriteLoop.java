/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

/** A thread's writes with an engine: each method writes the same number of keys, and returns that number. */
public interface WriteLoop extends AutoCloseable {
  long put() throws Exception;

  /** Uses direct buffers for keys and values; in C there is no difference. */
  long putDirect() throws Exception;

  long delete() throws Exception;

  long merge() throws Exception;

  /** Fills a reused batch. */
  long fillBatch() throws Exception;

  /** Fills and writes a reused batch. */
  long writeBatch() throws Exception;

  @Override
  void close();
}
