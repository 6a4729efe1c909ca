/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * Writes keys and values of a type, through codecs: at once ({@link TypedKeys}), or into a batch ({@link
 * WriteBatch#in(TypedKeys)}).
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
   * Writes a value.
   *
   * @param key not null
   * @param value not null
   */
  void put(K key, V value);

  /**
   * Writes values.
   *
   * @param rows none of whose keys and values is null
   */
  default void putAll(Map<? extends K, ? extends V> rows) {
    requireNonNull(rows, "rows").forEach(this::put);
  }

  /**
   * Merges an operand into a value, by the merge operator of the column family.
   *
   * @param key not null
   * @param operand not null; of the form of values, such as {@link ValueCodec#counter}
   */
  void merge(K key, V operand);

  /**
   * Deletes a key; it need not be there.
   *
   * @param key not null
   */
  void delete(K key);

  /**
   * Deletes the keys of a range.
   *
   * @param from the first key
   * @param until the key behind the last one
   */
  void deleteRange(K from, K until);

  /**
   * Deletes the keys of a range.
   *
   * @param range made by the codec of the keys, or of the first component of tuples, with both ends: {@link
   *     KeyCodec#closed}
   */
  void deleteRange(KeyRange range);
}
