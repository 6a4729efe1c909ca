/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

/** Encodes keys and values for a {@link KeyWriter}. */
record EncodingWriter<K, V>(KeyWriter writer, KeyCodec<K> keys, ValueCodec<V> values) implements TypedWriter<K, V> {
  @Override
  public void put(K key, V value) {
    requireNonNull(key, "key");
    requireNonNull(value, "value");
    writer.put(keys.encode(key), values.encode(value));
  }

  @Override
  public void merge(K key, V operand) {
    requireNonNull(key, "key");
    requireNonNull(operand, "operand");
    writer.merge(keys.encode(key), values.encode(operand));
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
}
