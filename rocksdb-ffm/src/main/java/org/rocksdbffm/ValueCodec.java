/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Function;

/**
 * Turns values of a type into the bytes that are stored, and back. Each {@link KeyCodec} is one; any library that
 * serializes makes another. Used by any thread.
 *
 * <pre>{@code
 * ValueCodec<Order> json = ValueCodec.of(mapper::writeValueAsBytes, bytes -> mapper.readValue(bytes, Order.class));
 * }</pre>
 *
 * @param <V> the type of the values
 */
public interface ValueCodec<V> {
  /**
   * The bytes of a value.
   *
   * @param value not null
   * @return a new array
   */
  byte[] encode(V value);

  /**
   * The value that has these bytes.
   *
   * @param bytes where the engine has them, read-only and valid for the length of the call
   * @return the value, which must not refer to the bytes
   */
  V decode(MemorySegment bytes);

  /**
   * Numbers of 64 bits as {@link MergeOperator#uint64Add} adds them: in eight bytes, the lowest first.
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
   * Makes a codec of two functions.
   *
   * @param encode returns the bytes of a value
   * @param decode returns the value of a copy of the bytes
   * @param <V> the type of the values
   * @return the codec
   */
  static <V> ValueCodec<V> of(Function<? super V, byte[]> encode, Function<? super byte[], ? extends V> decode) {
    requireNonNull(decode, "decode");
    return inPlace(encode, bytes -> decode.apply(bytes.toArray(ValueLayout.JAVA_BYTE)));
  }

  /**
   * Makes a codec of two functions, without a copy of the bytes.
   *
   * @param encode returns the bytes of a value
   * @param decode returns the value of bytes where the engine has them, which it must not keep
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
