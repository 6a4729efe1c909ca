/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads keys and values of a type, through codecs, by a reader: a snapshot, or what is written too ({@link TypedKeys}).
 * Values are decoded where the engine has them. It has no state of its own, and is used and closed as its reader is.
 *
 * <pre>{@code
 * TypedReader<Long, Order> orders = snapshot.typed(KeyCodec.int64(), json);
 * Order order = orders.get(42L);
 * try (Stream<TypedReader.Entry<Long, Order>> some = orders.stream(KeyCodec.int64().between(1L, 100L))) {
 *   some.forEach(entry -> use(entry.key(), entry.value()));
 * }
 * }</pre>
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public sealed class TypedReader<K, V> permits TypedKeys {
  final KeyCodec<K> keys;
  final ValueCodec<V> values;
  private final KeyReader reader;

  TypedReader(KeyReader reader, KeyCodec<K> keys, ValueCodec<V> values) {
    this.reader = reader;
    this.keys = requireNonNull(keys, "keys");
    this.values = requireNonNull(values, "values");
  }

  /**
   * A key with its value.
   *
   * @param key the key
   * @param value the value
   * @param <K> the type of the key
   * @param <V> the type of the value
   */
  public record Entry<K, V>(K key, V value) {
    /**
     * Checks that nothing is null.
     *
     * @param key the key
     * @param value the value
     */
    public Entry {
      requireNonNull(key, "key");
      requireNonNull(value, "value");
    }
  }

  /**
   * Reads a value.
   *
   * @param key not null
   * @return the value, or null if there is no such key
   */
  public V get(K key) {
    return reader.get(keys.encode(requireNonNull(key, "key")), values::decode);
  }

  /**
   * Reads the values of many keys at one moment, as {@link KeyReader#multiGet()} does.
   *
   * @param keys none of them null
   * @return the values in the order of the keys, null where there is no such key
   */
  public List<V> multiGet(List<? extends K> keys) {
    MultiGet request = reader.multiGet();
    requireNonNull(keys, "keys").forEach(key -> request.add(this.keys.encode(requireNonNull(key, "key"))));
    try (PinnedValues found = request.get()) {
      List<V> decoded = new ArrayList<>(found.count());
      for (int i = 0; i < found.count(); i++) {
        decoded.add(found.isPresent(i) ? values.decode(found.segment(i)) : null);
      }
      return decoded;
    }
  }

  /**
   * Whether there is a key.
   *
   * @param key not null
   * @return true if it has a value
   */
  public boolean contains(K key) {
    return reader.contains(keys.encode(requireNonNull(key, "key")));
  }

  /**
   * Reads the rows of a range in the order of their keys.
   *
   * @param range made by the codec of the keys, or of the first component of tuples: {@link KeyCodec#between}, {@link
   *     KeyCodec#closed}, {@link KeyCodec#prefixes}
   * @return a stream, which the caller closes
   */
  public Stream<Entry<K, V>> stream(KeyRange range) {
    return reader.stream(range, this::entry);
  }

  /**
   * Reads the rows of a range from its end.
   *
   * @param range as for {@link #stream}
   * @return a stream, which the caller closes
   */
  public Stream<Entry<K, V>> streamBackward(KeyRange range) {
    Scan rows = reader.scanBackward(range);
    try {
      return rows.<Entry<K, V>>stream(this::entry);
    } catch (Throwable e) {
      rows.close();
      throw e;
    }
  }

  private Entry<K, V> entry(Row row) {
    return new Entry<>(keys.decode(row.key()), values.decode(row.value()));
  }

  @Override
  public String toString() {
    return "typed " + reader;
  }
}
