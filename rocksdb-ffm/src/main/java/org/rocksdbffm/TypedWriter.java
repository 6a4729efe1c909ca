/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * Writes typed keys and values with codecs: immediately ({@link TypedKeys}), or into a batch
 * ({@link WriteBatch#in(TypedKeys)}).
 *
 * <pre>{@code
 * WriteBatch batch = new WriteBatch();
 * batch.in(orders).put(42L, order);
 * batch.in(stock).merge("apples", 3L);
 * db.write(batch); // both, or none
 * }</pre>
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public interface TypedWriter<K, V> {
  /**
   * Stores a value under a key.
   *
   * @param key not null
   * @param value not null
   */
  void put(K key, V value);

  /**
   * Stores values under their keys.
   *
   * @param rows keys and values, none of them null
   */
  default void putAll(Map<? extends K, ? extends V> rows) {
    requireNonNull(rows, "rows").forEach(this::put);
  }

  /**
   * Merges an operand into a value, with the merge operator of the column family.
   *
   * @param key not null
   * @param operand not null; in the format of values, such as {@link ValueCodec#counter}
   */
  void merge(K key, V operand);

  /**
   * Deletes a key; does nothing if it is missing.
   *
   * @param key not null
   */
  void delete(K key);

  /**
   * Deletes the keys of a range.
   *
   * @param from the inclusive lower bound
   * @param until the exclusive upper bound
   */
  void deleteRange(K from, K until);

  /**
   * Deletes the keys of a range.
   *
   * @param range created by the codec of the keys, or of the first component of tuples; must have both ends:
   *     {@link KeyCodec#closed}
   */
  void deleteRange(KeyRange range);
}
