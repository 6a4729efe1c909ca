/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.store;

/** An iterator of a store, used by one thread. Each move returns whether there is a row. */
public interface StoreRows extends AutoCloseable {
  boolean first();

  boolean last();

  boolean seek(byte[] key);

  boolean seekForPrevious(byte[] key);

  boolean next();

  boolean previous();

  byte[] key();

  byte[] value();

  @Override
  void close();
}
