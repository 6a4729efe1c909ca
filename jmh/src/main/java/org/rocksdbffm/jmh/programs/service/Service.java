/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.service;

/**
 * A database whose memory is limited: block cache and memtables together, and what is read and held. Any thread may use it;
 * rows are of one thread.
 */
interface Service extends AutoCloseable {
  /** The size of the block cache, to which memtables, filters and indexes are charged. */
  long CACHE_BYTES = 128L << 20;

  long MEMTABLE_BYTES = 48L << 20;
  long WRITE_BUFFER_BYTES = 8L << 20;
  int FILTER_BITS = 10;
  int INFO_LOGS = 1;
  int BACKGROUND_JOBS = 2;
  int OPEN_FILES = 200;

  void put(byte[] key, byte[] value) throws Exception;

  /** A value that is held until it is closed, in whatever way the binding has; null if there is none. */
  Held get(byte[] key) throws Exception;

  /** An iterator that stands at the first row from a key on. */
  Rows rows(byte[] from);

  @Override
  void close();

  /** A value that was read. */
  interface Held extends AutoCloseable {
    long size();

    @Override
    void close();
  }

  /** An open iterator. */
  interface Rows extends AutoCloseable {
    /** Goes to the next row; false if there is none. */
    boolean next();

    @Override
    void close();
  }
}
