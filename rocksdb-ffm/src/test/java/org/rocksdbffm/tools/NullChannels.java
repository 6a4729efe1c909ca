/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousByteChannel;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.GatheringByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/** Channels that accept all bytes and retain the passed buffers, as a user may implement them. */
public final class NullChannels {
  /** A channel of a file, open until the process ends. */
  public static final AsynchronousFileChannel FILE = temporaryFile();

  private NullChannels() {}

  private static AsynchronousFileChannel temporaryFile() {
    try {
      Path file = Files.createTempFile("rocksdb-ffm", ".bin");
      file.toFile().deleteOnExit(); // the channel is never closed
      return AsynchronousFileChannel.open(file, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static class Gathering implements GatheringByteChannel {
    public ByteBuffer last;

    @Override
    public long write(ByteBuffer[] buffers, int offset, int length) {
      long written = 0;
      for (int i = offset; i < offset + length; i++) {
        written += write(buffers[i]);
      }
      return written;
    }

    @Override
    public long write(ByteBuffer[] buffers) {
      return write(buffers, 0, buffers.length);
    }

    @Override
    public int write(ByteBuffer buffer) {
      int count = buffer.remaining();
      buffer.position(buffer.limit());
      last = buffer;
      return count;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  public static class Asynchronous implements AsynchronousByteChannel {
    public ByteBuffer last;

    @Override
    public <A> void write(ByteBuffer buffer, A attachment, CompletionHandler<Integer, ? super A> handler) {
      handler.completed(take(buffer), attachment);
    }

    @Override
    public Future<Integer> write(ByteBuffer buffer) {
      return CompletableFuture.completedFuture(take(buffer));
    }

    private int take(ByteBuffer buffer) {
      int count = buffer.remaining();
      buffer.position(buffer.limit());
      last = buffer;
      return count;
    }

    @Override
    public <A> void read(ByteBuffer buffer, A attachment, CompletionHandler<Integer, ? super A> handler) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<Integer> read(ByteBuffer buffer) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }
}
