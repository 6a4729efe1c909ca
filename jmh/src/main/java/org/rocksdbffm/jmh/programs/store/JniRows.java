/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.store;

import org.rocksdb.RocksIterator;

/** An iterator of {@code org.rocksdb}, and its options, which it closes. */
final class JniRows implements StoreRows {
  private final RocksIterator iterator;
  private final AutoCloseable[] owned;

  JniRows(RocksIterator iterator, AutoCloseable... owned) {
    this.iterator = iterator;
    this.owned = owned;
  }

  @Override
  public boolean first() {
    iterator.seekToFirst();
    return iterator.isValid();
  }

  @Override
  public boolean last() {
    iterator.seekToLast();
    return iterator.isValid();
  }

  @Override
  public boolean seek(byte[] key) {
    iterator.seek(key);
    return iterator.isValid();
  }

  @Override
  public boolean seekForPrevious(byte[] key) {
    iterator.seekForPrev(key);
    return iterator.isValid();
  }

  @Override
  public boolean next() {
    iterator.next();
    return iterator.isValid();
  }

  @Override
  public boolean previous() {
    iterator.prev();
    return iterator.isValid();
  }

  @Override
  public byte[] key() {
    return iterator.key();
  }

  @Override
  public byte[] value() {
    return iterator.value();
  }

  @Override
  public void close() {
    iterator.close();
    for (AutoCloseable object : owned) {
      try {
        object.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
