/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

/** A thread's writes by one engine: each method writes the same number of the next keys, and returns it. */
public interface WriteLoop extends AutoCloseable {
  long put() throws Exception;

  /** Key and value in direct buffers; in C there is no difference. */
  long putDirect() throws Exception;

  long delete() throws Exception;

  long merge() throws Exception;

  /** Fills a batch that is used again and again. */
  long fillBatch() throws Exception;

  /** Fills it and writes it. */
  long writeBatch() throws Exception;

  @Override
  void close();
}
