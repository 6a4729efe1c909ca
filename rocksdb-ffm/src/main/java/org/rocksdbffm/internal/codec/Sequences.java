/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.codec;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Key encodings of byte arrays and texts of any length. The last component of a key is stored unchanged. Before other
 * components, 0xff follows each zero byte, and two zero bytes mark the end, so that a value sorts before longer
 * values that start with it.
 */
public final class Sequences {
  private static final int ZERO_ESCAPED = 0x00ff;
  private static final int END = 0x0000;

  private Sequences() {}

  private record OfBytes() implements KeyForm<byte[]> {
    @Override
    public void write(byte[] value, KeySink sink, boolean last) {
      if (last) {
        sink.write(value);
        return;
      }
      for (byte each : value) {
        if (each == 0) {
          sink.write(ZERO_ESCAPED, Short.BYTES);
        } else {
          sink.write(each, Byte.BYTES);
        }
      }
      sink.write(END, Short.BYTES);
    }

    @Override
    public byte[] read(KeySource source, boolean last) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      while (!last || source.remaining() > 0) {
        int next = (int) source.read(Byte.BYTES);
        if (last || next != 0) {
          bytes.write(next);
          continue;
        }
        int mark = (int) source.read(Byte.BYTES);
        if (mark == END) {
          break;
        }
        if (mark != ZERO_ESCAPED) {
          throw new IllegalArgumentException("bytes: a zero is followed by " + mark + ", and not by 0 or " + ZERO_ESCAPED);
        }
        bytes.write(0);
      }
      return bytes.toByteArray();
    }
  }

  public static KeyForm<byte[]> bytes() {
    return new OfBytes();
  }

  /** Returns the encoding of text in UTF-8, which sorts by code points. */
  public static KeyForm<String> string() {
    return bytes().map(Sequences::encode, Sequences::decode);
  }

  private static byte[] encode(String text) {
    try {
      ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] array = new byte[bytes.remaining()];
      bytes.get(array);
      return array;
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("value: the text has half of a surrogate pair, which UTF-8 cannot express", e);
    }
  }

  private static String decode(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("bytes: a text in it is not UTF-8", e);
    }
  }
}
