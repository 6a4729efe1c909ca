/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.codec;

import java.util.function.Function;

/**
 * The encoding of one type's values as bytes of a key. Encoded values compare as unsigned bytes in the order of the
 * values, even if more bytes follow, unless the value was encoded as the last of its key.
 */
public interface KeyForm<T> {
  /** Appends the encoded value. {@code last}: no component follows, so the end of the value needs no mark. */
  void write(T value, KeySink sink, boolean last);

  /** Decodes a value that {@link #write} encoded with the same {@code last}. */
  T read(KeySource source, boolean last);

  /** Returns an encoding of another type, whose values are stored and sorted as their image under {@code encoded}. */
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

  /**
   * Returns the encoding that sorts in reverse: inverts each bit. Always marks the end, or a value would sort before
   * its prefixes.
   */
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
