/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.random;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.tools.DatabaseCase;
import org.rocksdbffm.tools.NullChannels;

/** Tests that values are written to channels without a copy, and released exactly once, even if a write fails. */
class HandOffTest extends DatabaseCase {
  private static final byte[] KEY = bytes("key");
  private static final int LITTLE_ROOM = 64 << 10;
  private static final byte[] VALUE = random(3 << 20, 1);

  private ServerSocketChannel server;

  @BeforeEach
  void fill() throws IOException {
    db.put(KEY, VALUE);
    db.put(bytes("empty"), new byte[0]);
    server =
        ServerSocketChannel.open()
            .setOption(StandardSocketOptions.SO_RCVBUF, LITTLE_ROOM)
            .bind(new InetSocketAddress("127.0.0.1", 0));
  }

  @AfterEach
  void closeServer() throws IOException {
    server.close();
  }

  private SocketChannel connected() throws IOException {
    SocketChannel channel = SocketChannel.open().setOption(StandardSocketOptions.SO_SNDBUF, LITTLE_ROOM);
    channel.connect(server.getLocalAddress());
    return channel;
  }

  private static CompletableFuture<byte[]> readAll(SocketChannel channel) {
    return CompletableFuture.supplyAsync(() -> {
      try (channel) {
        return Channels.newInputStream(channel).readAllBytes();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    });
  }

  @Test
  void aValueGoesThroughASocketThatBlocks() throws IOException {
    CompletableFuture<byte[]> received;
    try (SocketChannel out = connected();
        PinnedValue value = db.getPinned(KEY)) {
      received = readAll(server.accept());
      assertEquals(VALUE.length, value.writeTo(out));
    }
    assertArrayEquals(VALUE, received.join());
  }

  @Test
  void aFullSocketTakesAPartAndASlowReaderGetsTheRest() throws IOException {
    CompletableFuture<byte[]> received = null;
    try (SocketChannel out = connected();
        PinnedValue value = db.getPinned(KEY)) {
      out.configureBlocking(false);
      assertThrows(IllegalBlockingModeException.class, () -> value.writeTo(out));
      long position = 0;
      while (position < value.size()) {
        long count = value.writeTo(out, position);
        assertTrue(count >= 0 && count < VALUE.length, () -> "wrote " + count);
        if (count == 0 && received == null) {
          received = readAll(server.accept());
        }
        position += count;
      }
      assertEquals(0, value.writeTo(out, position));
    }
    assertArrayEquals(VALUE, received.join());
  }

  @Test
  void aReaderThatVanishesFailsTheWriteAndLeavesNoPin() throws IOException {
    PinnedValue value = db.getPinned(KEY);
    try (SocketChannel out = connected()) {
      server.accept().close();
      assertThrows(IOException.class, () -> {
        for (int i = 0; i < 10; i++) {
          value.writeTo(out);
        }
      });
    }
    assertEquals(1, db.pins().count());
    value.close();
  }

  @Test
  void aWriteThatIsInterruptedLetsGo() throws Exception {
    PinnedValue value = db.getPinned(KEY);
    SocketChannel out = connected();
    Thread writer = Thread.ofVirtual().start(() -> {
      try (value) {
        assertThrows(IOException.class, () -> value.writeTo(out));
      }
    });
    SocketChannel in = server.accept();
    in.read(ByteBuffer.allocate(1));
    out.close();
    writer.join();
    in.close();
  }

  @Test
  void aPositionOutsideTheValueIsRefused() throws IOException {
    try (PinnedValue value = db.getPinned(KEY)) {
      var channel = new NullChannels.Gathering();
      assertThrows(IllegalArgumentException.class, () -> value.writeTo(channel, -1));
      String message =
          assertThrows(IllegalArgumentException.class, () -> value.writeTo(channel, VALUE.length + 1L)).getMessage();
      assertEquals("position: " + (VALUE.length + 1L) + ", but there are " + VALUE.length + " bytes", message);
      assertEquals(1, value.writeTo(channel, VALUE.length - 1L));
    }
  }

  @Test
  void aChannelOfOnesOwnMakingCannotKeepTheMemory() throws IOException {
    var channel = new NullChannels.Gathering();
    try (PinnedValue value = db.getPinned(KEY)) {
      value.writeTo(channel);
      ByteBuffer kept = channel.last;
      assertTrue(kept.isReadOnly());
      assertThrows(IllegalStateException.class, () -> kept.get(0));
    }
  }

  @Test
  void aChannelThatTakesNothingIsNotWrittenForEver() {
    var channel = new NullChannels.Gathering() {
      @Override
      public int write(ByteBuffer buffer) {
        return 0;
      }
    };
    try (PinnedValue value = db.getPinned(KEY)) {
      String message = assertThrows(IOException.class, () -> value.writeTo(channel)).getMessage();
      assertEquals("the channel takes nothing more after 0 bytes: one that blocks is needed", message);
    }
  }

  @Test
  void anEmptyValueIsWrittenAsNothing() throws IOException {
    try (PinnedValue value = db.getPinned(bytes("empty"));
        InputStream stream = value.inputStream()) {
      assertEquals(0, value.writeTo(new NullChannels.Gathering()));
      assertEquals(0, value.writeTo(new NullChannels.Asynchronous()).join());
      assertEquals(-1, stream.read());
    }
  }

  @Test
  void aFileGetsTheValue() throws IOException {
    Path file = folder.resolve("file");
    try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        PinnedValue value = db.getPinned(KEY)) {
      assertEquals(VALUE.length, value.writeTo(out));
    }
    assertArrayEquals(VALUE, Files.readAllBytes(file));
  }

  @Test
  void theValuesOfAMultiGetGoOutWithOneWrite() throws IOException {
    for (int i = 0; i < 100; i++) {
      db.put(bytes("many" + i), random(1000, i));
    }
    MultiGet request = db.multiGet();
    var expected = new ByteArrayOutputStream();
    for (int i = 0; i < 100; i++) {
      request.add(bytes("many" + i)).add(bytes("none"));
      expected.write(random(1000, i));
    }
    var writes = new ArrayList<Integer>();
    var out = new ByteArrayOutputStream();
    var channel = new NullChannels.Gathering() {
      @Override
      public long write(ByteBuffer[] buffers, int offset, int length) {
        writes.add(length);
        for (int i = offset; i < offset + length; i++) {
          out.writeBytes(MemorySegment.ofBuffer(buffers[i]).toArray(ValueLayout.JAVA_BYTE));
        }
        return super.write(buffers, offset, length);
      }
    };
    try (PinnedValues values = request.get()) {
      assertEquals(100_000, values.writeTo(channel));
      assertEquals(List.of(100), writes);
      assertArrayEquals(expected.toByteArray(), out.toByteArray());
      long position = 0;
      try (SocketChannel socket = connected()) {
        var received = readAll(server.accept());
        for (long count = -1; count != 0; position += count) {
          count = values.writeTo(socket, position);
        }
        socket.shutdownOutput();
        assertArrayEquals(expected.toByteArray(), received.join());
      }
      assertEquals(100_000, position);
    }
  }

  @Test
  void aScansValuesGoOutBlockByBlock() throws IOException {
    var expected = new ByteArrayOutputStream();
    for (int i = 0; i < 1000; i++) {
      byte[] value = random(i % 100 == 99 ? 50_000 : 50, i);
      db.put(bytes("row%04d".formatted(i)), value);
      expected.write(value);
    }
    Path file = folder.resolve("file");
    try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        Scan scan = db.scan(KeyRange.prefix(bytes("row")))) {
      assertEquals(expected.size(), scan.writeValuesTo(out));
      assertEquals(0, scan.writeValuesTo(out));
    }
    assertArrayEquals(expected.toByteArray(), Files.readAllBytes(file));
  }

  @Test
  void aScansRowsOfAKibibyteGoOutManyAtATime() throws IOException {
    for (int i = 0; i < 100; i++) {
      db.put(bytes("row%02d".formatted(i)), random(1000, i));
    }
    var writes = new ArrayList<Integer>();
    var channel = new NullChannels.Gathering() {
      @Override
      public long write(ByteBuffer[] buffers, int offset, int length) {
        writes.add(length);
        return super.write(buffers, offset, length);
      }
    };
    try (Scan scan = db.scan(KeyRange.prefix(bytes("row")))) {
      assertEquals(100_000, scan.writeValuesTo(channel));
    }
    assertEquals(100, writes.stream().mapToInt(Integer::intValue).sum());
    assertTrue(writes.size() <= 4, "writes of so many values: " + writes);
  }

  @Test
  void aPartKeepsTheWhole() {
    PinnedValue value = db.getPinned(KEY);
    PinnedValue part = value.slice(10, 100);
    PinnedValue partOfPart = part.slice(1, 2);
    value.close();
    part.close();
    value.close();
    part.close();
    assertEquals(1, db.pins().count());
    assertEquals(2, partOfPart.size());
    assertEquals(VALUE[12], partOfPart.segment().get(ValueLayout.JAVA_BYTE, 1));
    assertThrows(IllegalStateException.class, part::view);
    assertThrows(IndexOutOfBoundsException.class, () -> partOfPart.slice(1, 2));
    partOfPart.close();
  }

  @Test
  void oneValueOfAMultiGetKeepsThemAll() {
    PinnedValues values = db.multiGet().add(KEY).add(bytes("none")).get();
    PinnedValue value = values.value(0);
    assertNull(values.value(1));
    values.close();
    assertEquals(1, db.pins().count());
    assertEquals(-1, value.segment().mismatch(MemorySegment.ofArray(VALUE)));
    value.close();
  }

  @Test
  void aStreamKeepsTheValueUntilItIsClosed() throws IOException {
    InputStream stream;
    try (PinnedValue value = db.getPinned(KEY)) {
      stream = value.inputStream();
    }
    assertEquals(VALUE[0], (byte) stream.read());
    stream.mark(0);
    assertEquals(10, stream.skip(10));
    stream.reset();
    byte[] rest = CompletableFuture.supplyAsync(() -> {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }).join();
    assertEquals(VALUE.length - 1, rest.length);
    assertEquals(VALUE[VALUE.length - 1], rest[rest.length - 1]);
    assertEquals(1, db.pins().count());
    stream.close();
    stream.close();
    assertThrows(IOException.class, stream::read);
  }

  @Test
  void anArenaKeepsTheValue() {
    MemorySegment bytes;
    try (Arena arena = Arena.ofConfined()) {
      try (PinnedValue value = db.getPinned(KEY)) {
        bytes = value.segment(arena);
      }
      assertEquals(-1, bytes.mismatch(MemorySegment.ofArray(VALUE)));
    }
    assertThrows(IllegalStateException.class, () -> bytes.get(ValueLayout.JAVA_BYTE, 0));
    try (PinnedValue value = db.getPinned(KEY)) {
      Arena closed = Arena.ofConfined();
      closed.close();
      assertThrows(IllegalStateException.class, () -> value.segment(closed));
    }
  }

  @Test
  void aValueLargerThanABufferIsShownBySeveral() {
    try (PinnedValue value = db.getPinned(KEY);
        PinnedValue.View view = value.view()) {
      List<ByteBuffer> buffers = new ArrayList<>();
      BufferRun.add(buffers, view.segment(), 1 << 20);
      assertEquals(3, buffers.size());
      assertTrue(buffers.get(0).isReadOnly());
      assertSame(ByteBuffer.class, view.buffer().getClass().getSuperclass().getSuperclass().getSuperclass());
      assertEquals(VALUE[1 << 20], buffers.get(1).get(0));
      assertEquals(List.of(view.buffer()), view.buffers());
      assertFalse(view.buffer().hasArray());
    }
  }
}
