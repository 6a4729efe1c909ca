/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.store;

/** The store of a program: numbered column families of a database. Thread-safe. */
public interface ProgramStore extends AutoCloseable {
  /** The kinds of databases. */
  enum Kind {
    /** A database without transactions. */
    PLAIN,
    /** A database with transactions that lock keys. */
    LOCKING,
    /** A database with transactions that check for conflicts at commit. */
    OPTIMISTIC
  }

  /** Receives a row of a scan; false ends the scan. */
  interface RowSink {
    boolean row(byte[] key, byte[] value);
  }

  void put(int family, byte[] key, byte[] value) throws Exception;

  /** Returns the value, or null. */
  byte[] get(int family, byte[] key) throws Exception;

  void delete(int family, byte[] key) throws Exception;

  /** Deletes the keys from a key, inclusive, to another, exclusive. */
  void deleteRange(int family, byte[] from, byte[] until) throws Exception;

  /** Creates an empty batch, which the caller closes. */
  StoreBatch batch();

  void write(StoreBatch batch) throws Exception;

  /** Creates an iterator of a family, which the caller closes. */
  StoreRows rows(int family);

  /** Creates an iterator of a family with an exclusive upper bound, which the caller closes. */
  StoreRows rows(int family, byte[] until);

  /** Passes rows to the sink, from a key on (null: from the first), until the sink returns false or the limit. */
  void scan(int family, byte[] from, int rows, RowSink sink) throws Exception;

  /** Passes all rows to a sink in descending order. */
  void scanBackward(int family, RowSink sink) throws Exception;

  /** Starts a transaction, which the caller closes. Not for stores of kind PLAIN. */
  StoreTransaction begin();

  void flush(int family) throws Exception;

  @Override
  void close();
}
