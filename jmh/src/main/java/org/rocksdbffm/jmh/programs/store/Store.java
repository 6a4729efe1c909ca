/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.store;

/** The store of a program: families of one database, which are told by number. Any thread may use it. */
public interface Store extends AutoCloseable {
  /** How writes reach the database. */
  enum Kind {
    /** A database without transactions. */
    PLAIN,
    /** Transactions lock the keys that they write. */
    LOCKING,
    /** Transactions look for conflicts when they commit. */
    OPTIMISTIC
  }

  /** Takes a row of a scan; false ends the scan. */
  interface RowSink {
    boolean row(byte[] key, byte[] value);
  }

  void put(int family, byte[] key, byte[] value) throws Exception;

  /** The value, or null. */
  byte[] get(int family, byte[] key) throws Exception;

  void delete(int family, byte[] key) throws Exception;

  /** Deletes the keys from one to before another. */
  void deleteRange(int family, byte[] from, byte[] until) throws Exception;

  /** An empty batch, which the caller closes. */
  StoreBatch batch();

  void write(StoreBatch batch) throws Exception;

  /** A new iterator over a family, which the caller closes. */
  StoreRows rows(int family);

  /** A new iterator over a family that ends before a key, which the caller closes. */
  StoreRows rows(int family, byte[] until);

  /** Shows rows from a key on, until there are so many or the sink wants no more; null is the first. */
  void scan(int family, byte[] from, int rows, RowSink sink) throws Exception;

  /** Shows all rows, the last one first. */
  void scanBackward(int family, RowSink sink) throws Exception;

  /** Begins a transaction, which the caller closes; of stores that were opened for transactions. */
  StoreTransaction begin();

  void flush(int family) throws Exception;

  @Override
  void close();
}
