/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;

/**
 * Writes the keys of one column family: immediately, or into a batch.
 *
 * <p>Keys and values are {@code byte[]}s or {@link MemorySegment}s of any kind; pass a {@code ByteBuffer} as
 * {@link MemorySegment#ofBuffer MemorySegment.ofBuffer(buffer)}. They are borrowed until the method returns. Key and
 * value of a row together have at most 4 GiB less 64 KiB, and a key at most 2 GiB.
 *
 * <p>Every method throws {@link IllegalStateException} if the database, column family or batch is closed, and
 * {@link RocksDbException} if the engine fails.
 */
public interface KeyWriter {
  /**
   * Stores a value under a key.
   *
   * @param key borrowed
   * @param value borrowed
   */
  void put(byte[] key, byte[] value);

  /**
   * Stores a value under a key.
   *
   * @param key borrowed
   * @param value borrowed
   */
  void put(MemorySegment key, MemorySegment value);

  /**
   * Stores an entity under a key, and replaces a plain value or an entity. A {@link KeyReader#get(byte[]) get} of the
   * key answers the default column, and an empty value if the entity has no such column.
   *
   * @param key borrowed
   * @param columns borrowed
   * @throws UnsupportedOperationException if this writes a table file
   */
  void putEntity(byte[] key, Columns columns);

  /**
   * Stores an entity under a key; see {@link #putEntity(byte[], Columns)}.
   *
   * @param key borrowed
   * @param columns borrowed
   * @throws UnsupportedOperationException if this writes a table file
   */
  void putEntity(MemorySegment key, Columns columns);

  /**
   * Merges an operand into a key's value with the column family's merge operator.
   *
   * @param key borrowed
   * @param operand borrowed
   */
  void merge(byte[] key, byte[] operand);

  /**
   * Merges an operand into a key's value with the column family's merge operator.
   *
   * @param key borrowed
   * @param operand borrowed
   */
  void merge(MemorySegment key, MemorySegment operand);

  /**
   * Deletes a key; does nothing if it is missing.
   *
   * @param key borrowed
   */
  void delete(byte[] key);

  /**
   * Deletes a key; does nothing if it is missing.
   *
   * @param key borrowed
   */
  void delete(MemorySegment key);

  /**
   * Deletes a key that was put exactly once since its last deletion, and never merged; cheaper than a delete. For any
   * other key the result is undefined.
   *
   * @param key borrowed
   */
  void singleDelete(byte[] key);

  /**
   * Deletes a key that was put exactly once; see {@link #singleDelete(byte[])}.
   *
   * @param key borrowed
   */
  void singleDelete(MemorySegment key);

  /**
   * Deletes the keys of a range with one record, whatever their number, or with two: an inclusive end may need a
   * separate deletion, which is written atomically with the other.
   *
   * @param range must have both ends, because the engine's record has two keys; in bytewise order the empty key comes
   *     before all others. Its start can be exclusive only if the writer knows that keys are in bytewise order, as a
   *     batch does by {@link WriteBatch#in}
   */
  default void deleteRange(KeyRange range) {
    requireNonNull(range, "range").requireDeletable();
    deleteRange(range.lower(), range.upper());
    if (range.isEndIncluded()) {
      delete(range.upper());
    }
  }

  /**
   * Deletes a range of keys. A range that ends where it starts is empty: it changes nothing and gets no sequence
   * number. A range that ends before it starts is refused with {@link IllegalArgumentException}. Both kinds are
   * detected at the write, in the order of the column family: a batch accepts and counts them, and its write skips
   * empty ranges, and refuses reversed ones.
   *
   * @param from the inclusive lower bound; borrowed
   * @param until the exclusive upper bound; borrowed
   */
  void deleteRange(byte[] from, byte[] until);

  /**
   * Deletes a range of keys; see {@link #deleteRange(byte[], byte[])}.
   *
   * @param from the inclusive lower bound; borrowed
   * @param until the exclusive upper bound; borrowed
   */
  void deleteRange(MemorySegment from, MemorySegment until);
}
