/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.frame;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Buffers UTF-8 for a stream, without strings and writers. */
final class OutputBuffer {
  private static final int FULL = 1 << 16;
  private static final int ESCAPED = 4; // the most bytes for one byte
  private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private final OutputStream out; // null to keep everything in memory
  private byte[] bytes;
  private int size;

  OutputBuffer(OutputStream out) {
    this.out = out;
    this.bytes = new byte[out == null ? 64 : 2 * FULL];
  }

  /** Ensures capacity for a number of bytes. */
  private void reserve(int count) {
    if (bytes.length - size < count) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(size, count)));
    }
  }

  void append(char ascii) {
    reserve(1);
    bytes[size++] = (byte) ascii;
  }

  void append(byte[] source, int from, int until) {
    reserve(until - from);
    System.arraycopy(source, from, bytes, size, until - from);
    size += until - from;
  }

  void append(CharSequence text) {
    byte[] encoded = text.toString().getBytes(StandardCharsets.UTF_8);
    append(encoded, 0, encoded.length);
  }

  /** Appends bytes up to the first one that is not printable, and returns its index. */
  int appendPrintable(byte[] source, int from) {
    int end = Printable.end(source, from);
    append(source, from, end);
    return end;
  }

  /** Appends printable bytes unchanged, two backslashes for one, and {@code \xNN} for other bytes. */
  void appendEscaped(byte[] source, int from, int until) {
    reserve(Math.multiplyExact(until - from, ESCAPED));
    byte[] target = bytes;
    int at = size;
    for (int i = from; i < until; i++) {
      byte b = source[i];
      if (Printable.is(b)) {
        target[at++] = b;
      } else if (b == '\\') {
        target[at++] = '\\';
        target[at++] = '\\';
      } else {
        target[at++] = '\\';
        target[at++] = 'x';
        target[at++] = DIGITS[b >> 4 & 0xf];
        target[at++] = DIGITS[b & 0xf];
      }
    }
    size = at;
  }

  /** Appends two hexadecimal digits for each byte. */
  void appendHex(byte[] source) {
    reserve(Math.multiplyExact(source.length, 2));
    byte[] target = bytes;
    int at = size;
    for (byte b : source) {
      target[at++] = DIGITS[b >> 4 & 0xf];
      target[at++] = DIGITS[b & 0xf];
    }
    size = at;
  }

  /** Ends a line; writes to the stream after many lines. */
  void endLine() throws IOException {
    append('\n');
    if (size >= FULL) {
      write();
    }
  }

  private void write() throws IOException {
    int written = size;
    size = 0; // also if the stream fails
    out.write(bytes, 0, written);
  }

  void flush() throws IOException {
    write();
    out.flush();
  }

  @Override
  public String toString() {
    return new String(bytes, 0, size, StandardCharsets.UTF_8);
  }
}
