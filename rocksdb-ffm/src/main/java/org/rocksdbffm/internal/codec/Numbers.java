/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.codec;

/** Key encodings of numbers: fixed width, big-endian. Signed numbers have the sign bit inverted. */
public final class Numbers {
  private Numbers() {}

  private record Signed(int width, long least, long most) implements KeyForm<Long> {
    @Override
    public void write(Long number, KeySink sink, boolean last) {
      sink.write(inRange(number, least, most) - least, width);
    }

    @Override
    public Long read(KeySource source, boolean last) {
      return source.read(width) + least; // wraps around for eight bytes, which undoes the wrapping of the subtraction
    }
  }

  private record Unsigned(int width, long most) implements KeyForm<Long> {
    @Override
    public void write(Long number, KeySink sink, boolean last) {
      sink.write(inRange(number, 0, most), width);
    }

    @Override
    public Long read(KeySource source, boolean last) {
      return source.read(width);
    }
  }

  private static long inRange(long number, long least, long most) {
    if (number < least || number > most) {
      throw new IllegalArgumentException("value: " + number + " is not from " + least + " to " + most);
    }
    return number;
  }

  public static KeyForm<Long> signed(int width) {
    long most = Long.MAX_VALUE >> (Long.BYTES - width) * Byte.SIZE;
    return new Signed(width, -most - 1, most);
  }

  /** Returns the encoding of unsigned numbers of at most seven bytes. */
  public static KeyForm<Long> unsigned(int width) {
    return new Unsigned(width, (1L << width * Byte.SIZE) - 1);
  }

  /** Returns the encoding of eight-byte numbers, where the long is read as unsigned. */
  public static KeyForm<Long> unsigned64() {
    return signed(Long.BYTES).map(number -> number ^ Long.MIN_VALUE, number -> number ^ Long.MIN_VALUE);
  }

  /** Sorts as {@link Double#compare}: -0.0 before 0.0, and NaN, which has one encoding, last. */
  public static KeyForm<Double> float64() {
    return signed(Long.BYTES)
        .map(value -> sorted(Double.doubleToLongBits(value), Long.SIZE - 1), number -> {
          long bits = sorted(number, Long.SIZE - 1);
          double value = Double.longBitsToDouble(bits);
          return written(value, Double.doubleToLongBits(value) == bits);
        });
  }

  /** Sorts as {@link Float#compare}. */
  public static KeyForm<Float> float32() {
    return signed(Integer.BYTES)
        .map(value -> sorted(Float.floatToIntBits(value), Integer.SIZE - 1), number -> {
          int bits = (int) sorted(number, Integer.SIZE - 1);
          float value = Float.intBitsToFloat(bits);
          return written(value, Float.floatToIntBits(value) == bits);
        });
  }

  private static <T> T written(T value, boolean isWritten) {
    if (!isWritten) {
      throw new IllegalArgumentException("bytes: a NaN in it has bits that no key has");
    }
    return value;
  }

  /** Converts IEEE 754 bits to a number that sorts as the value, and back: inverts the magnitude of negative ones. */
  private static long sorted(long bits, int signBit) {
    return bits < 0 ? bits ^ (1L << signBit) - 1 : bits;
  }
}
