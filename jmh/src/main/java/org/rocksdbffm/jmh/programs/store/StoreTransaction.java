/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.store;

/** A transaction of a store, used by one thread. */
public interface StoreTransaction extends AutoCloseable {
  void put(int family, byte[] key, byte[] value) throws Exception;

  void delete(int family, byte[] key) throws Exception;

  byte[] get(int family, byte[] key) throws Exception;

  byte[] getForUpdate(int family, byte[] key) throws Exception;

  /** Creates an iterator that includes the transaction's writes, which the caller closes. */
  StoreRows rows(int family);

  void commit() throws Exception;

  @Override
  void close();
}
