/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

/**
 * Reads and writes keys and values of a type, through codecs: of a database, a column family, a transaction or a batch with
 * an index.
 *
 * <pre>{@code
 * TypedKeys<Instant, String> log = db.typed(KeyCodec.instant(), KeyCodec.text());
 * log.put(Instant.now(), "started");
 * }</pre>
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class TypedKeys<K, V> extends TypedReader<K, V> {
  private final KeyWriter writer;

  TypedKeys(WritableKeys both, KeyCodec<K> keys, ValueCodec<V> values) {
    super(both, keys, values);
    this.writer = both;
  }

  /**
   * Writes a value.
   *
   * @param key not null
   * @param value not null
   */
  public void put(K key, V value) {
    requireNonNull(key, "key");
    requireNonNull(value, "value");
    writer.put(keys.encode(key), values.encode(value));
  }

  /**
   * Deletes a key; it need not be there.
   *
   * @param key not null
   */
  public void delete(K key) {
    writer.delete(keys.encode(requireNonNull(key, "key")));
  }

  /**
   * Deletes the keys of a range; transactions and batches with an index cannot.
   *
   * @param from the first key
   * @param until the key behind the last one
   */
  public void deleteRange(K from, K until) {
    requireNonNull(from, "from");
    requireNonNull(until, "until");
    writer.deleteRange(keys.encode(from), keys.encode(until));
  }

  /**
   * Deletes the keys of a range; transactions and batches with an index cannot.
   *
   * @param range made by the codec of the keys, or of the first component of tuples, with both ends: {@link KeyCodec#closed}
   */
  public void deleteRange(KeyRange range) {
    writer.deleteRange(range);
  }
}
