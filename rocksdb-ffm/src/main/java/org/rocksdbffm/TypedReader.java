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
import java.util.function.Supplier;
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
  final Values<V> values;
  private final KeyReader reader;

  TypedReader(KeyReader reader, KeyCodec<K> keys, Values<V> values) {
    this.reader = reader;
    this.keys = requireNonNull(keys, "keys");
    this.values = values;
  }

  TypedReader<K, V> of(KeyReader another) {
    return new TypedReader<>(another, keys, values);
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
    return new TypedReader<>(reader, keys, values.hiding(expiry));
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
    return new TypedReader<>(reader, keys, values.expiring(age));
  }

  /**
   * Reads a value.
   *
   * @param key not null
   * @return the value, or null if the key is missing
   */
  public V get(K key) {
    return values.get(reader, keys.encode(requireNonNull(key, "key")));
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
    return values.multiGet(reader, encoded);
  }

  /**
   * Returns whether a key exists.
   *
   * @param key not null
   * @return true if it has a value
   */
  public boolean contains(K key) {
    return values.contains(reader, keys.encode(requireNonNull(key, "key")));
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
    return values.stream(reader, keys, range, false);
  }

  /**
   * Returns the rows of a range in reverse order.
   *
   * @param range as for {@link #stream}
   * @return a stream, which the caller must close
   */
  public Stream<Entry<K, V>> streamBackward(KeyRange range) {
    return values.stream(reader, keys, range, true);
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

  /** How typed keys read and write their values: as bytes with a codec, or as entities. */
  sealed interface Values<V> permits EncodedValues, EntityReader.RecordValues {
    /** Returns the value of a key, or null. */
    V get(KeyReader reader, byte[] key);

    /** Returns the values of keys, read together, with null for missing keys. */
    List<V> multiGet(KeyReader reader, List<byte[]> keys);

    boolean contains(KeyReader reader, byte[] key);

    /** Returns the rows of a range; the stream closes its scan after the last row. */
    <K> Stream<Entry<K, V>> stream(KeyReader reader, KeyCodec<K> keys, KeyRange range, boolean backward);

    void put(KeyWriter writer, byte[] key, V value);

    void merge(KeyWriter writer, byte[] key, V operand);

    Values<V> hiding(Expiry expiry);

    Values<V> expiring(Duration age);

    /** Decodes a key or a value; names the reader if that fails. */
    static <T> T decoded(String what, KeyReader reader, Supplier<T> decode) {
      try {
        return decode.get();
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(what + " in " + reader + ": " + e.getMessage(), e);
      }
    }
  }

  /** Values in the bytes of a codec, of which a rule hides expired ones; {@code expiry} is null for no rule. */
  record EncodedValues<V>(ValueCodec<V> codec, Expiry expiry) implements Values<V> {
    EncodedValues {
      requireNonNull(codec, "values");
    }

    private Instant instant() {
      return expiry == null ? null : Instant.now();
    }

    private boolean isHidden(MemorySegment key, MemorySegment value, Instant instant) {
      return expiry != null && expiry.isExpired(key, value, instant);
    }

    private V decode(KeyReader reader, MemorySegment bytes) {
      return Values.decoded("value", reader, () -> codec.decode(bytes));
    }

    @Override
    public V get(KeyReader reader, byte[] key) {
      Instant instant = instant();
      return reader.get(
          key, bytes -> isHidden(MemorySegment.ofArray(key), bytes, instant) ? null : decode(reader, bytes));
    }

    @Override
    public List<V> multiGet(KeyReader reader, List<byte[]> keys) {
      MultiGet request = reader.multiGet();
      keys.forEach(request::add);
      Instant instant = instant();
      try (PinnedValues found = request.get()) {
        List<V> decoded = new ArrayList<>(found.count());
        for (int i = 0; i < found.count(); i++) {
          boolean isThere =
              found.isPresent(i) && !isHidden(MemorySegment.ofArray(keys.get(i)), found.segment(i), instant);
          decoded.add(isThere ? decode(reader, found.segment(i)) : null);
        }
        return decoded;
      }
    }

    @Override
    public boolean contains(KeyReader reader, byte[] key) {
      if (expiry == null) {
        return reader.contains(key);
      }
      return Boolean.TRUE.equals(reader.get(key, bytes -> !expiry.isExpired(MemorySegment.ofArray(key), bytes)));
    }

    @Override
    public <K> Stream<Entry<K, V>> stream(
        KeyReader reader, KeyCodec<K> keys, KeyRange range, boolean backward) {
      Scan rows = backward ? reader.scanBackward(range) : reader.scan(range);
      try {
        Instant instant = instant();
        return expiry == null
            ? rows.stream(row -> entry(reader, keys, row), true)
            : rows.<Entry<K, V>>stream(
                    row -> isHidden(row.key(), row.value(), instant) ? null : entry(reader, keys, row), true)
                .filter(Objects::nonNull);
      } catch (Throwable e) {
        rows.close();
        throw e;
      }
    }

    private <K> Entry<K, V> entry(KeyReader reader, KeyCodec<K> keys, Row row) {
      K key = Values.decoded("key", reader, () -> keys.decode(row.key()));
      return new Entry<>(key, decode(reader, row.value()));
    }

    @Override
    public void put(KeyWriter writer, byte[] key, V value) {
      writer.put(key, codec.encode(value));
    }

    @Override
    public void merge(KeyWriter writer, byte[] key, V operand) {
      writer.merge(key, codec.encode(operand));
    }

    @Override
    public Values<V> hiding(Expiry expiry) {
      return new EncodedValues<>(codec, requireNonNull(expiry, "expiry"));
    }

    @Override
    public Values<V> expiring(Duration age) {
      Expiry rule = Expiry.after(age);
      return new EncodedValues<>(rule.stamped(value -> Instant.now(), codec), rule);
    }
  }
}
