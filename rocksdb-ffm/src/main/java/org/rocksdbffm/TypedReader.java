/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * Reads typed keys and values with codecs, from a reader such as a snapshot; {@link TypedKeys} also writes. Values are
 * decoded in the engine's memory. It has no state: it can be used by the same threads, and as long, as its reader.
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
  final Expiry expiry; // the rule whose expired rows are hidden; null for none
  private final KeyReader reader;

  TypedReader(KeyReader reader, KeyCodec<K> keys, ValueCodec<V> values, Expiry expiry) {
    this.reader = reader;
    this.keys = requireNonNull(keys, "keys");
    this.values = requireNonNull(values, "values");
    this.expiry = expiry;
  }

  TypedReader<K, V> of(KeyReader another) {
    return new TypedReader<>(another, keys, values, expiry);
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
     * Checks for null.
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
   * Returns a view that hides expired rows which no compaction has deleted yet.
   *
   * @param expiry the rule, of the column family or another one
   * @return a view whose reads return no expired rows
   */
  public TypedReader<K, V> hiding(Expiry expiry) {
    return new TypedReader<>(reader, keys, values, requireNonNull(expiry, "expiry"));
  }

  /**
   * Returns a view whose values have an age: a write stores the current time in front of the value, and reads return no
   * row that is older. All rows must be written by such views.
   *
   * <p>Compactions delete old rows if the column family has the rule too:
   * {@code FamilyOptions.defaults().expiry(Expiry.after(age))}.
   *
   * @param age the age at which a row expires, not negative
   * @return a view that hides older rows
   */
  public TypedReader<K, V> expiring(Duration age) {
    Expiry rule = Expiry.after(age);
    return new TypedReader<>(reader, keys, rule.stamped(value -> Instant.now(), values), rule);
  }

  private boolean isHidden(byte[] key, MemorySegment value, Instant instant) {
    return expiry != null && expiry.isExpired(MemorySegment.ofArray(key), value, instant);
  }

  private Instant instant() {
    return expiry == null ? null : Instant.now();
  }

  /**
   * Reads a value.
   *
   * @param key not null
   * @return the value, or null if the key is missing
   */
  public V get(K key) {
    byte[] encoded = keys.encode(requireNonNull(key, "key"));
    Instant instant = instant();
    return reader.get(encoded, bytes -> isHidden(encoded, bytes, instant) ? null : value(bytes));
  }

  /**
   * Reads a value, or returns a default for a missing key.
   *
   * @param key not null
   * @param otherwise the default, not null
   * @return the value, or the default if the key is missing
   */
  public V getOrDefault(K key, V otherwise) {
    requireNonNull(otherwise, "otherwise");
    V value = get(key);
    return value == null ? otherwise : value;
  }

  /**
   * Reads the values of many keys together, as {@link KeyReader#multiGet()} does.
   *
   * @param keys none of them null
   * @return the values in the order of the keys, with null for missing keys
   */
  public List<V> multiGet(List<? extends K> keys) {
    List<byte[]> encoded = new ArrayList<>();
    requireNonNull(keys, "keys").forEach(key -> encoded.add(this.keys.encode(requireNonNull(key, "key"))));
    MultiGet request = reader.multiGet();
    encoded.forEach(request::add);
    Instant instant = instant();
    try (PinnedValues found = request.get()) {
      List<V> decoded = new ArrayList<>(found.count());
      for (int i = 0; i < found.count(); i++) {
        boolean isThere = found.isPresent(i) && !isHidden(encoded.get(i), found.segment(i), instant);
        decoded.add(isThere ? value(found.segment(i)) : null);
      }
      return decoded;
    }
  }

  /**
   * Returns whether a key exists.
   *
   * @param key not null
   * @return true if it has a value
   */
  public boolean contains(K key) {
    byte[] encoded = keys.encode(requireNonNull(key, "key"));
    if (expiry == null) {
      return reader.contains(encoded);
    }
    return Boolean.TRUE.equals(reader.get(encoded, bytes -> !expiry.isExpired(MemorySegment.ofArray(encoded), bytes)));
  }

  /**
   * Returns the rows of a range in the order of their keys. Several threads read a parallel stream, as
   * {@link KeyReader#stream} says.
   *
   * @param range created by the codec of the keys, or of the first component of tuples: {@link KeyCodec#between},
   *     {@link KeyCodec#closed}, {@link KeyCodec#prefixes}
   * @return a stream, which the caller must close
   */
  public Stream<Entry<K, V>> stream(KeyRange range) {
    return entries(reader.scan(range));
  }

  /**
   * Returns the rows of a range in reverse order.
   *
   * @param range as for {@link #stream}
   * @return a stream, which the caller must close
   */
  public Stream<Entry<K, V>> streamBackward(KeyRange range) {
    return entries(reader.scanBackward(range));
  }

  private Stream<Entry<K, V>> entries(Scan rows) {
    try {
      Instant instant = instant();
      return expiry == null
          ? rows.stream(this::entry, true)
          : rows.<Entry<K, V>>stream(row -> expiry.isExpired(row.key(), row.value(), instant) ? null : entry(row), true)
              .filter(Objects::nonNull);
    } catch (Throwable e) {
      rows.close();
      throw e;
    }
  }

  private Entry<K, V> entry(Row row) {
    return new Entry<>(decode("key", keys, row.key()), value(row.value()));
  }

  private V value(MemorySegment bytes) {
    return decode("value", values, bytes);
  }

  private <T> T decode(String what, ValueCodec<T> codec, MemorySegment bytes) {
    try {
      return codec.decode(bytes);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(what + " in " + reader + ": " + e.getMessage(), e);
    }
  }

  /**
   * Runs an action for each row of a range, in the order of their keys. Needs no closing.
   *
   * @param range as for {@link #stream}
   * @param action called with each key and its value
   */
  public void forEach(KeyRange range, BiConsumer<? super K, ? super V> action) {
    requireNonNull(action, "action");
    try (Stream<Entry<K, V>> rows = stream(range)) {
      rows.forEach(row -> action.accept(row.key(), row.value()));
    }
  }

  /**
   * Reads the first row of a range. With {@link KeyCodec#from}, this is the row of a key, or the next row.
   *
   * @param range as for {@link #stream}
   * @return the row, or null if the range is empty
   */
  public Entry<K, V> first(KeyRange range) {
    try (Stream<Entry<K, V>> rows = stream(range)) {
      return rows.findFirst().orElse(null);
    }
  }

  /**
   * Reads the last row of a range. With {@link KeyCodec#through}, this is the row of a key, or the previous row.
   *
   * @param range as for {@link #stream}
   * @return the row, or null if the range is empty
   */
  public Entry<K, V> last(KeyRange range) {
    try (Stream<Entry<K, V>> rows = streamBackward(range)) {
      return rows.findFirst().orElse(null);
    }
  }

  /**
   * Reads the first rows of a range.
   *
   * @param range as for {@link #stream}
   * @param limit the maximum number of rows, at least 1
   * @return the rows in the order of their keys; fewer than the limit if the range ends
   */
  public List<Entry<K, V>> page(KeyRange range, int limit) {
    requireNonNull(range, "range");
    if (limit < 1) {
      throw new IllegalArgumentException("limit: " + limit + " is below one");
    }
    try (Stream<Entry<K, V>> rows = stream(range)) {
      return rows.limit(limit).toList();
    }
  }

  /**
   * Reads the next rows of a range, in their current state. Rows outside of the range are never returned, whatever
   * {@code after} is.
   *
   * @param range as for {@link #stream}
   * @param after the last key of the previous page, which may have been deleted
   * @param limit the maximum number of rows, at least 1
   * @return the rows after that key; fewer than the limit if the range ends
   */
  public List<Entry<K, V>> page(KeyRange range, K after, int limit) {
    requireNonNull(range, "range");
    byte[] key = keys.encode(requireNonNull(after, "after"));
    return page(range.behind(key, reader.source.family().rules()), limit);
  }

  @Override
  public String toString() {
    return "typed " + reader;
  }
}
