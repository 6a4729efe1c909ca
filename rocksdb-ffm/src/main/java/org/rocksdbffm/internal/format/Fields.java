/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads encoded numbers and byte strings one after another; throws {@link Unreadable} for malformed ones. */
public final class Fields {
  /** Malformed bytes, or a format that only a newer engine understands. */
  public static final class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Unreadable(String message) {
      super(message, null, false, false);
    }
  }

  private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private final int end;
  private int at;

  public Fields(byte[] bytes, int from, int length) {
    this.bytes = bytes;
    this.at = from;
    this.end = from + length;
  }

  public static int fixedInt(byte[] bytes, int at) {
    return (int) INT.get(bytes, at);
  }

  public boolean isAtEnd() {
    return at == end;
  }

  int nextByte() {
    require(1);
    return bytes[at++] & 0xff;
  }

  /** Reads a varint of up to 64 bits. */
  public long varint() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = nextByte();
      value |= (long) (next & 0x7f) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw new Unreadable("a number does not end");
  }

  public int smallNumber() {
    long value = varint();
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw new Unreadable("the number " + Long.toUnsignedString(value) + " is too large");
    }
    return (int) value;
  }

  public long fixedLong() {
    require(Long.BYTES);
    long value = (long) LONG.get(bytes, at);
    at += Long.BYTES;
    return value;
  }

  public void skip(int length) {
    require(length);
    at += length;
  }

  /** Skips a byte string. */
  public void skipString() {
    skip(smallNumber());
  }

  /** Reads a byte string that contains fields. */
  public Fields nested() {
    int length = smallNumber();
    require(length);
    Fields fields = new Fields(bytes, at, length);
    at += length;
    return fields;
  }

  /** Reads a number of bytes that is known from elsewhere. */
  public byte[] bytes(int length) {
    require(length);
    byte[] copy = Arrays.copyOfRange(bytes, at, at + length);
    at += length;
    return copy;
  }

  public String string() {
    int length = smallNumber();
    require(length);
    String text = new String(bytes, at, length, StandardCharsets.UTF_8);
    at += length;
    return text;
  }

  private void require(int length) {
    if (length > end - at) {
      throw new Unreadable("it ends within a field");
    }
  }
}
