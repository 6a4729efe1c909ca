/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.call.ExclusiveUse;
import org.rocksdbffm.internal.read.KeyList;
import org.rocksdbffm.internal.read.MultiRead;
import org.rocksdbffm.internal.read.ReadPath;

/**
 * A request for many keys of one or several column families: the engine reads them together, and pins the values
 * without a copy. Keys may be added in any order; they are sorted if that is faster. Can be cleared and reused. Used by
 * one thread at a time.
 */
public final class MultiGet {
  private final KeyReader reader;
  private final ReadPath path;
  private final KeyList keys = new KeyList();
  private final ExclusiveUse turn = new ExclusiveUse("the multi-get");

  MultiGet(KeyReader reader) {
    this.reader = reader;
    path = reader.source;
  }

  /**
   * Adds a key of the column family on which the request was started.
   *
   * @param key copied
   * @return this request
   */
  public MultiGet add(byte[] key) {
    return add(path, requireNonNull(key, "key"));
  }

  /**
   * Adds a key of the column family on which the request was started.
   *
   * @param key copied
   * @return this request
   */
  public MultiGet add(MemorySegment key) {
    return add(path, requireNonNull(key, "key"));
  }

  /**
   * Adds a key of another column family.
   *
   * @param columnFamily of the same database
   * @param key copied
   * @return this request
   * @throws IllegalArgumentException if the column family belongs to another database
   */
  public MultiGet add(ColumnFamily columnFamily, byte[] key) {
    return add(sourceOf(columnFamily), requireNonNull(key, "key"));
  }

  /**
   * Adds a key of another column family.
   *
   * @param columnFamily of the same database
   * @param key copied
   * @return this request
   * @throws IllegalArgumentException if the column family belongs to another database
   */
  public MultiGet add(ColumnFamily columnFamily, MemorySegment key) {
    return add(sourceOf(columnFamily), requireNonNull(key, "key"));
  }

  private ReadPath sourceOf(ColumnFamily columnFamily) {
    return requireNonNull(columnFamily, "columnFamily").sourceOf(path.database(), "columnFamily");
  }

  private MultiGet add(ReadPath of, byte[] key) {
    turn.begin();
    try {
      keys.add(of, key);
      return this;
    } finally {
      turn.end();
    }
  }

  private MultiGet add(ReadPath of, MemorySegment key) {
    turn.begin();
    try {
      keys.add(of, key);
      return this;
    } finally {
      turn.end();
    }
  }

  /**
   * Returns the number of added keys.
   *
   * @return the count
   */
  public int count() {
    return keys.count();
  }

  /**
   * Removes all keys, and keeps the memory for later ones.
   *
   * @return this request
   */
  public MultiGet clear() {
    turn.run(keys::clear);
    return this;
  }

  /**
   * Reads the keys, with the options and the snapshot of the reader that started the request.
   *
   * @return the values in the order of the keys, which the caller <em>owns</em> and must close
   * @throws PinLimitException if the limit of pinned bytes, or the memory budget, is exhausted
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public PinnedValues get() {
    turn.begin();
    try {
      return PinnedValues.of(MultiRead.pin(path, reader.enter(), keys));
    } finally {
      turn.end();
    }
  }

  @Override
  public String toString() {
    return "multi-get of " + count() + " keys of " + path.family().handle();
  }
}
