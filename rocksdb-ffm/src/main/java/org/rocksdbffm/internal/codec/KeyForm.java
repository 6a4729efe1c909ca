/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.codec;

import java.util.function.Function;

/**
 * The form that values of one type have as bytes of a key. The bytes of two values compare, as unsigned bytes, as the
 * values do, also with anything behind them unless they are the last of their key.
 */
public interface KeyForm<T> {
  /** Appends a value; if it is the last of the key, its end need not be marked. */
  void write(T value, KeySink sink, boolean last);

  /** Reads what {@link #write} wrote with the same {@code last}. */
  T read(KeySource source, boolean last);

  /** The same bytes for values of another type, which compare as those that they are made of. */
  default <U> KeyForm<U> map(Function<? super U, ? extends T> encoded, Function<? super T, ? extends U> decoded) {
    KeyForm<T> form = this;
    return new KeyForm<>() {
      @Override
      public void write(U value, KeySink sink, boolean last) {
        form.write(encoded.apply(value), sink, last);
      }

      @Override
      public U read(KeySource source, boolean last) {
        return decoded.apply(form.read(source, last));
      }
    };
  }

  /** The opposite order: each bit is inverted. The end is always marked, or a value would sort before its prefixes. */
  default KeyForm<T> descending() {
    KeyForm<T> form = this;
    return new KeyForm<>() {
      @Override
      public void write(T value, KeySink sink, boolean last) {
        int from = sink.size();
        form.write(value, sink, false);
        sink.invert(from);
      }

      @Override
      public T read(KeySource source, boolean last) {
        source.invert();
        T value = form.read(source, false);
        source.invert();
        return value;
      }
    };
  }
}
