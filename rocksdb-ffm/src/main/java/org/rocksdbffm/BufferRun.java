/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;

/** Buffers to be written to a channel, one after another. */
final class BufferRun {
  /** A buffer is limited to less than 2 GiB. */
  static final int LARGEST_BUFFER = 1 << 30;

  private final ByteBuffer[] buffers;
  private int next;

  BufferRun(List<ByteBuffer> buffers) {
    this.buffers = buffers.toArray(ByteBuffer[]::new);
  }

  /** Adds a segment to a list of buffers: as one buffer, or as several if it is larger than {@code largest}. */
  static void add(List<ByteBuffer> buffers, MemorySegment segment, int largest) {
    long offset = 0;
    do {
      long size = Math.min(segment.byteSize() - offset, largest);
      buffers.add(segment.asSlice(offset, size).asByteBuffer());
      offset += size;
    } while (offset < segment.byteSize());
  }

  static List<ByteBuffer> of(MemorySegment segment) {
    List<ByteBuffer> buffers = new ArrayList<>(1);
    add(buffers, segment, LARGEST_BUFFER);
    return buffers;
  }

  /** Skips the bytes that were written earlier. */
  BufferRun from(long position) {
    if (position < 0) {
      throw new IllegalArgumentException("position: " + position + " is negative");
    }
    long left = position;
    while (left > 0 && next < buffers.length) {
      ByteBuffer buffer = buffers[next];
      int skipped = (int) Math.min(left, buffer.remaining());
      buffer.position(buffer.position() + skipped);
      left -= skipped;
      skipWritten();
    }
    if (left > 0) {
      throw new IllegalArgumentException("position: " + position + ", but there are " + (position - left) + " bytes");
    }
    return this;
  }

  private void skipWritten() {
    while (next < buffers.length && !buffers[next].hasRemaining()) {
      next++;
    }
  }

  /** Makes one write, which the channel may complete partially. */
  long writeSome(WritableByteChannel channel) throws IOException {
    skipWritten();
    if (next == buffers.length) {
      return 0;
    }
    long count = channel instanceof GatheringByteChannel gathering && next < buffers.length - 1
        ? gathering.write(buffers, next, buffers.length - next)
        : channel.write(buffers[next]);
    skipWritten();
    return count;
  }

  /** Writes everything to a blocking channel. */
  long writeAll(WritableByteChannel channel) throws IOException {
    if (channel instanceof SelectableChannel selectable && !selectable.isBlocking()) {
      throw new IllegalBlockingModeException();
    }
    long written = 0;
    skipWritten();
    while (next < buffers.length) {
      long count = writeSome(channel);
      if (count == 0) {
        throw new IOException("the channel takes nothing more after " + written + " bytes: one that blocks is needed");
      }
      written += count;
    }
    return written;
  }
}
