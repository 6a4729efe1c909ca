/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;
import org.rocksdbffm.tools.LiveObjectsCheck;

/**
 * Writes a value that is too large for an array and for a single buffer to every kind of channel and stream; see
 * {@link HugeValueTest}.
 */
final class HugeValueCases {
  private static final byte[] KEY = {1};
  private static final long GIB = 1L << 30;
  private static final long SIZE = 2 * GIB + 1000;

  private final Path folder;
  private final FamilyOptions options;
  private final MemorySegment expected;

  private HugeValueCases(Path folder, FamilyOptions options, MemorySegment expected) {
    this.folder = folder;
    this.options = options;
    this.expected = expected;
  }

  public static void main(String[] arguments) throws Exception {
    FamilyOptions create = FamilyOptions.defaults().compression(Compression.NONE);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(SIZE, Long.BYTES);
      for (long i = 0; i < SIZE / Long.BYTES; i++) {
        value.setAtIndex(ValueLayout.JAVA_LONG, i, i * 0x9E3779B97F4A7C15L);
      }
      Path folder = Path.of("").toAbsolutePath().resolve(arguments[0]);
      switch (arguments[0]) {
        case "memory" -> new HugeValueCases(folder, create, value).run(false);
        case "table" -> new HugeValueCases(folder, create, value).run(true);
        case "blob" -> new HugeValueCases(folder, create.enableBlobFiles(true), value).run(true);
        default -> throw new IllegalArgumentException(arguments[0]);
      }
    }
    LiveObjectsCheck.assertNone();
    System.out.println(arguments[0] + " done");
  }

  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }

  private void run(boolean flushed) throws Exception {
    try (RocksDb db = RocksDb.at(folder).defaults(options).open()) {
      db.put(MemorySegment.ofArray(KEY), expected);
      if (flushed) {
        db.flush();
      }
      try (PinnedValue value = db.getPinned(KEY)) {
        require(value.size() == SIZE && db.pins().size().bytes() == SIZE, "size " + value.size());
        views(value);
        parts(value);
        file(value);
        asynchronousFile(value);
        socket(value);
        stream(value);
        db.close();
        try (PinnedValue.View view = value.view()) {
          require(view.segment().mismatch(expected) == -1, "after the close");
        }
      }
      require(db.pins().count() == 0, "pins");
    }
  }

  private void views(PinnedValue value) {
    try (PinnedValue.View view = value.view()) {
      require(view.segment().mismatch(expected) == -1, "segment");
      List<ByteBuffer> buffers = view.buffers();
      require(
          buffers.stream().map(ByteBuffer::remaining).toList().equals(List.of((int) GIB, (int) GIB, 1000)), ""
          + buffers);
      require(buffers.stream().allMatch(ByteBuffer::isReadOnly), "read-only");
      long offset = 0;
      for (ByteBuffer buffer : buffers) {
        require(MemorySegment.ofBuffer(buffer).mismatch(expected.asSlice(offset, buffer.remaining())) == -1, "buffer");
        offset += buffer.remaining();
      }
      try {
        view.buffer();
        throw new AssertionError("one buffer for all");
      } catch (IllegalStateException refused) {
        require(refused.getMessage().contains("buffers"), refused.toString());
      }
    }
  }

  private void parts(PinnedValue value) {
    try (PinnedValue part = value.slice(2 * GIB - 10, 1010);
        PinnedValue.View view = part.view()) {
      require(view.buffer().remaining() == 1010, "size of a part");
      require(view.segment().mismatch(expected.asSlice(2 * GIB - 10)) == -1, "part");
    }
  }

  private void requireWritten(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file);
        Arena arena = Arena.ofConfined()) {
      MemorySegment written = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
      require(written.mismatch(expected) == -1, "what is in the file, of " + channel.size() + " bytes");
    }
    Files.delete(file);
  }

  private void file(PinnedValue value) throws IOException {
    Path file = folder.resolveSibling("written");
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      require(value.writeTo(channel) == SIZE, "written");
    }
    requireWritten(file);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      long position = 0;
      for (long count = -1; count != 0; position += count) {
        count = value.writeTo(channel, position);
      }
      require(position == SIZE, "written piece by piece: " + position);
    }
    requireWritten(file);
  }

  private void asynchronousFile(PinnedValue value) throws Exception {
    Path file = folder.resolveSibling("written");
    try (AsynchronousFileChannel channel =
        AsynchronousFileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      require(value.writeTo(channel, 0).get() == SIZE, "written by others");
    }
    requireWritten(file);
  }

  private void socket(PinnedValue value) throws Exception {
    try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
        SocketChannel out = SocketChannel.open(server.getLocalAddress());
        SocketChannel in = server.accept()) {
      CompletableFuture<Long> received = CompletableFuture.supplyAsync(() -> sumOf(in));
      require(value.writeTo(out) == SIZE, "sent");
      out.shutdownOutput();
      CRC32C sum = new CRC32C();
      BufferRun.of(expected).forEach(sum::update);
      require(received.get() == sum.getValue(), "what was received");
    }
  }

  private static long sumOf(SocketChannel in) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
    CRC32C sum = new CRC32C();
    try {
      while (in.read(buffer) >= 0) {
        sum.update(buffer.flip());
        buffer.clear();
      }
      return sum.getValue();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void stream(PinnedValue value) throws IOException {
    try (InputStream stream = value.inputStream()) {
      stream.skipNBytes(2 * GIB + 990);
      require(MemorySegment.ofArray(stream.readAllBytes()).mismatch(expected.asSlice(2 * GIB + 990)) == -1, "its end");
    }
  }
}
