/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;

/**
 * Writes the keys of one column family: at once, or into a batch.
 *
 * <p>Keys and values are {@code byte[]}s or {@link MemorySegment}s of any kind; a {@code ByteBuffer} is passed as
 * {@link MemorySegment#ofBuffer MemorySegment.ofBuffer(buffer)}. They are borrowed until the method returns. Key and value of a row together have at most 4 GiB less 64 KiB, a key at most 2 GiB.
 */
public interface KeyWriter {
  /**
   * Sets a key's value.
   *
   * @param key borrowed
   * @param value borrowed
   */
  void put(byte[] key, byte[] value);

  /**
   * Sets a key's value.
   *
   * @param key borrowed
   * @param value borrowed
   */
  void put(MemorySegment key, MemorySegment value);

  /**
   * Merges an operand into a key's value, by the column family's merge operator.
   *
   * @param key borrowed
   * @param operand borrowed
   */
  void merge(byte[] key, byte[] operand);

  /**
   * Merges an operand into a key's value, by the column family's merge operator.
   *
   * @param key borrowed
   * @param operand borrowed
   */
  void merge(MemorySegment key, MemorySegment operand);

  /**
   * Deletes a key; it need not exist.
   *
   * @param key borrowed
   */
  void delete(byte[] key);

  /**
   * Deletes a key; it need not exist.
   *
   * @param key borrowed
   */
  void delete(MemorySegment key);

  /**
   * Deletes a key that was put exactly once since it was deleted last, and never merged; cheaper than a
   * delete. On any other key the outcome is undefined.
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
   * Deletes the keys of a range by one record, however many there are, or by two: a key at its end that belongs to it may
   * need one of its own, which is written together with the other.
   *
   * @param range with both of its ends, because the engine deletes from one key up to another; the empty key is before
   *     all others where keys are ordered as bytes. It can begin behind a key where they are, and the writer knows it:
   *     a batch does by {@link WriteBatch#in}
   */
  default void deleteRange(KeyRange range) {
    requireNonNull(range, "range").requireDeletable();
    deleteRange(range.lower(), range.upper());
    if (range.isEndIncluded()) {
      delete(range.upper());
    }
  }

  /**
   * Deletes a range of keys. A range that ends where it starts is empty: it changes nothing and gets no sequence number. One
   * that ends before it starts is refused with {@link IllegalArgumentException}. Both are seen when the engine is to write
   * them, in the order of the column family: a batch takes them, counts them, and writes no empty range.
   *
   * @param from the first key to delete; borrowed
   * @param until the first key to keep; borrowed
   */
  void deleteRange(byte[] from, byte[] until);

  /**
   * Deletes a range of keys; see {@link #deleteRange(byte[], byte[])}.
   *
   * @param from the first key to delete; borrowed
   * @param until the first key to keep; borrowed
   */
  void deleteRange(MemorySegment from, MemorySegment until);
}
