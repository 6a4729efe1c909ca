/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin.steps;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The kinds of byte buffers. */
public enum Shape {
  HEAP,
  HEAP_SLICE,
  HEAP_READ_ONLY,
  DIRECT,
  DIRECT_SLICE,
  DIRECT_READ_ONLY,
  DIRECT_DUPLICATE,
  MAPPED,
  MAPPED_SLICE,
  MAPPED_READ_ONLY,
  /**
   * A view of a memory-mapped file that was truncated: an access throws an InternalError, if the JVM knows the mapping.
   */
  MAPPED_SHRUNK;

  private static final int BEFORE = 3;

  public ByteBuffer make(int position, int limit, int capacity, byte[] content) {
    ByteBuffer buffer =
        switch (this) {
          case HEAP, HEAP_READ_ONLY -> ByteBuffer.allocate(capacity);
          case HEAP_SLICE -> ByteBuffer.allocate(capacity + BEFORE).slice(BEFORE, capacity);
          case DIRECT, DIRECT_READ_ONLY -> ByteBuffer.allocateDirect(capacity);
          case DIRECT_SLICE -> ByteBuffer.allocateDirect(capacity + BEFORE).slice(BEFORE, capacity);
          case DIRECT_DUPLICATE -> ByteBuffer.allocateDirect(capacity).duplicate();
          case MAPPED, MAPPED_READ_ONLY -> map(capacity, false);
          case MAPPED_SLICE -> map(capacity + BEFORE, false).slice(BEFORE, capacity);
          case MAPPED_SHRUNK -> map(capacity, true);
        };
    if (this != MAPPED_SHRUNK) {
      buffer.put(position, content, 0, Math.min(content.length, capacity - position));
    }
    ByteBuffer target = name().endsWith("READ_ONLY") ? buffer.asReadOnlyBuffer() : buffer;
    return target.limit(limit).position(position);
  }

  private static ByteBuffer map(int capacity, boolean shrink) {
    try {
      Path file = Files.createTempFile("mapped", null);
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE)) {
        ByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, capacity);
        if (shrink) {
          channel.truncate(0);
        }
        return mapped;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
