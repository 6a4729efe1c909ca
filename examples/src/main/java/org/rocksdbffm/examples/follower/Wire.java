/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples.follower;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * The frames between a primary and its follower. The follower says which write it needs next, 0 for all; the primary
 * answers with batches, or with the files of a checkpoint, behind which the follower says again what it needs.
 */
final class Wire {
  /** A batch: its size as an int, and its bytes. */
  static final byte BATCH = 'b';

  /** A file: the size of its name as an int, its name, its size as a long, and its bytes. */
  static final byte FILE = 'f';

  /** The end of the files of a checkpoint. */
  static final byte END = 'e';

  private Wire() {}

  static void write(SocketChannel to, ByteBuffer... buffers) throws IOException {
    ByteBuffer last = buffers[buffers.length - 1];
    while (last.hasRemaining()) {
      to.write(buffers);
    }
  }

  /** Fills a buffer from the socket, and flips it. */
  static ByteBuffer read(SocketChannel from, ByteBuffer into) throws IOException {
    while (into.hasRemaining()) {
      if (from.read(into) < 0) {
        throw new EOFException("the other side has closed the connection");
      }
    }
    return into.flip();
  }

  static void writeNumber(SocketChannel to, long number) throws IOException {
    write(to, ByteBuffer.allocate(Long.BYTES).putLong(number).flip());
  }

  static long readNumber(SocketChannel from) throws IOException {
    return read(from, ByteBuffer.allocate(Long.BYTES)).getLong();
  }

  static byte readKind(SocketChannel from) throws IOException {
    return read(from, ByteBuffer.allocate(1)).get();
  }

  static int readSize(SocketChannel from) throws IOException {
    return read(from, ByteBuffer.allocate(Integer.BYTES)).getInt();
  }
}
