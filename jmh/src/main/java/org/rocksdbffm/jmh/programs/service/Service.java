/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.service;

/**
 * A database with limited memory: the block cache together with the memtables, and the values that are held.
 * Thread-safe; its iterators are used by one thread.
 */
interface Service extends AutoCloseable {
  /** The size of the block cache, which includes memtables, filters and indexes. */
  long CACHE_BYTES = 128L << 20;

  long MEMTABLE_BYTES = 48L << 20;
  long WRITE_BUFFER_BYTES = 8L << 20;
  int FILTER_BITS = 10;
  int INFO_LOGS = 1;
  int BACKGROUND_JOBS = 2;
  int OPEN_FILES = 200;

  void put(byte[] key, byte[] value) throws Exception;

  /** Returns a value that is held until it is closed; null if the key is missing. */
  Held get(byte[] key) throws Exception;

  /** Returns an iterator at the first row at or after a key. */
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
    /** Moves to the next row; false at the end. */
    boolean next();

    @Override
    void close();
  }
}
