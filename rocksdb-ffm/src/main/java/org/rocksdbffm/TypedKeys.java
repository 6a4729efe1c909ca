/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Map;

/**
 * Reads and writes typed keys and values with codecs: of a database, a column family, a transaction or an indexed
 * batch.
 *
 * <pre>{@code
 * TypedKeys<Instant, String> log = db.typed(KeyCodec.instant(), KeyCodec.string());
 * log.put(Instant.now(), "started");
 * }</pre>
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class TypedKeys<K, V> extends TypedReader<K, V> implements TypedWriter<K, V> {
  private final WritableKeys both;
  private final EncodingWriter<K, V> writer;

  TypedKeys(WritableKeys both, KeyCodec<K> keys, Values<V> values) {
    super(both, keys, values);
    this.both = both;
    this.writer = new EncodingWriter<>(both, keys, values);
  }

  TypedKeys<K, V> of(WritableKeys others) {
    return new TypedKeys<>(others, keys, values);
  }

  TypedWriter<K, V> of(KeyWriter another) {
    return new EncodingWriter<>(another, keys, values);
  }

  /** Returns the underlying keys. */
  WritableKeys keys() {
    return both;
  }

  @Override
  public TypedKeys<K, V> hiding(Expiry expiry) {
    return new TypedKeys<>(both, keys, values.hiding(expiry));
  }

  @Override
  public TypedKeys<K, V> expiring(Duration age) {
    return new TypedKeys<>(both, keys, values.expiring(age));
  }

  @Override
  public void put(K key, V value) {
    writer.put(key, value);
  }

  /** Writes the values atomically; a transaction or indexed batch adds them one by one. */
  @Override
  public void putAll(Map<? extends K, ? extends V> rows) {
    if (both instanceof KeySpace space) {
      WriteBatch batch = new WriteBatch();
      batch.in(this).putAll(rows);
      space.write(batch);
    } else {
      writer.putAll(rows);
    }
  }

  @Override
  public void merge(K key, V operand) {
    writer.merge(key, operand);
  }

  @Override
  public void delete(K key) {
    writer.delete(key);
  }

  /** Deletes the keys of a range; not supported by transactions and indexed batches. */
  @Override
  public void deleteRange(K from, K until) {
    writer.deleteRange(from, until);
  }

  /** Deletes the keys of a range; not supported by transactions and indexed batches. */
  @Override
  public void deleteRange(KeyRange range) {
    writer.deleteRange(range);
  }

  /** Encodes keys and values for a {@link KeyWriter}. */
  private record EncodingWriter<K, V>(KeyWriter writer, KeyCodec<K> keys, Values<V> values)
      implements TypedWriter<K, V> {
    @Override
    public void put(K key, V value) {
      requireNonNull(key, "key");
      requireNonNull(value, "value");
      values.put(writer, keys.encode(key), value);
    }

    @Override
    public void merge(K key, V operand) {
      requireNonNull(key, "key");
      requireNonNull(operand, "operand");
      values.merge(writer, keys.encode(key), operand);
    }

    @Override
    public void delete(K key) {
      writer.delete(keys.encode(requireNonNull(key, "key")));
    }

    @Override
    public void deleteRange(K from, K until) {
      requireNonNull(from, "from");
      requireNonNull(until, "until");
      writer.deleteRange(keys.encode(from), keys.encode(until));
    }

    @Override
    public void deleteRange(KeyRange range) {
      writer.deleteRange(range);
    }

    @Override
    public String toString() {
      return "typed " + writer;
    }
  }
}
