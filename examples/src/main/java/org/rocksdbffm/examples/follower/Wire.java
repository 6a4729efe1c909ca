/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples.follower;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * The frames between a primary and its follower. The follower requests a sequence number, or 0 for all writes; the
 * primary sends batches from there on, or the files of a checkpoint, after which the follower sends the next request.
 */
final class Wire {
  /** The kind of a batch frame: the size as an int, and the bytes. */
  static final byte BATCH = 'b';

  /** The kind of a file frame: the size of the name as an int, the name, the file size as a long, and the bytes. */
  static final byte FILE = 'f';

  /** The kind of a frame that ends the files of a checkpoint. */
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
