/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Function;

/**
 * Encodes values of a type as bytes, and decodes them. Each {@link KeyCodec} is a value codec; any serialization
 * library can implement another. Must be thread-safe.
 *
 * <pre>{@code
 * ValueCodec<Order> json = ValueCodec.of(mapper::writeValueAsBytes, bytes -> mapper.readValue(bytes, Order.class));
 * }</pre>
 *
 * @param <V> the type of the values
 */
public interface ValueCodec<V> {
  /**
   * Encodes a value.
   *
   * @param value not null
   * @return a new array
   */
  byte[] encode(V value);

  /**
   * Decodes a value.
   *
   * @param bytes bytes in the engine's memory, read-only and <em>borrowed until</em> this returns
   * @return the value, which must not refer to the bytes
   */
  V decode(MemorySegment bytes);

  /**
   * Returns the codec of 64-bit numbers for {@link MergeOperator#uint64Add}: eight bytes, little-endian.
   *
   * @return the codec
   */
  static ValueCodec<Long> counter() {
    ValueLayout.OfLong form = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    return inPlace(
        number -> ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array(),
        bytes -> {
          if (bytes.byteSize() != Long.BYTES) {
            throw new IllegalArgumentException("a counter has 8 bytes, and this has " + bytes.byteSize());
          }
          return bytes.get(form, 0);
        });
  }

  /**
   * Returns a codec made of two functions.
   *
   * @param encode encodes a value
   * @param decode decodes a copy of the bytes
   * @param <V> the type of the values
   * @return the codec
   */
  static <V> ValueCodec<V> of(Function<? super V, byte[]> encode, Function<? super byte[], ? extends V> decode) {
    requireNonNull(decode, "decode");
    return inPlace(encode, bytes -> decode.apply(bytes.toArray(ValueLayout.JAVA_BYTE)));
  }

  /**
   * Returns a codec made of two functions, which decodes without a copy of the bytes.
   *
   * @param encode encodes a value
   * @param decode decodes bytes in the engine's memory, which it must not keep
   * @param <V> the type of the values
   * @return the codec
   */
  static <V> ValueCodec<V> inPlace(
      Function<? super V, byte[]> encode, Function<? super MemorySegment, ? extends V> decode) {
    requireNonNull(encode, "encode");
    requireNonNull(decode, "decode");
    return new ValueCodec<>() {
      @Override
      public byte[] encode(V value) {
        return encode.apply(requireNonNull(value, "value"));
      }

      @Override
      public V decode(MemorySegment bytes) {
        return decode.apply(requireNonNull(bytes, "bytes"));
      }
    };
  }
}
