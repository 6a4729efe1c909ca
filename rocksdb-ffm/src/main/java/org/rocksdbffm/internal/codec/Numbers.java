/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.codec;

/** The key form of numbers: of a fixed width, the most significant byte first; of signed ones the sign is inverted. */
public final class Numbers {
  private Numbers() {}

  private record Signed(int width, long least, long most) implements KeyForm<Long> {
    @Override
    public void write(Long number, KeySink sink, boolean last) {
      sink.write(inRange(number, least, most) - least, width);
    }

    @Override
    public Long read(KeySource source, boolean last) {
      return source.read(width) + least; // wraps for eight bytes, as the subtraction did
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

  /** Of at most seven bytes. */
  public static KeyForm<Long> unsigned(int width) {
    return new Unsigned(width, (1L << width * Byte.SIZE) - 1);
  }

  /** Of eight bytes, in a long that is taken for one without a sign. */
  public static KeyForm<Long> unsigned64() {
    return signed(Long.BYTES).map(number -> number ^ Long.MIN_VALUE, number -> number ^ Long.MIN_VALUE);
  }

  /** In the order of {@link Double#compare}: -0.0 before 0.0, and NaN, of which there is one, behind all others. */
  public static KeyForm<Double> float64() {
    return signed(Long.BYTES)
        .map(value -> sorted(Double.doubleToLongBits(value), Long.SIZE - 1), number -> {
          long bits = sorted(number, Long.SIZE - 1);
          double value = Double.longBitsToDouble(bits);
          return written(value, Double.doubleToLongBits(value) == bits);
        });
  }

  /** In the order of {@link Float#compare}. */
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

  /** The magnitude of negative numbers grows downwards; its own inverse. */
  private static long sorted(long bits, int signBit) {
    return bits < 0 ? bits ^ (1L << signBit) - 1 : bits;
  }
}
