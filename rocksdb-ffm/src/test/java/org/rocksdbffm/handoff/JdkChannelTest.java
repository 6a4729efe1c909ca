/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.handoff;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.Channels;
import java.nio.channels.CompletionHandler;
import java.nio.channels.DatagramChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which channels of the JDK accept which segments: the hand-off of pinned values relies on the results. */
class JdkChannelTest {
  private static final int SIZE = 64;

  @TempDir Path folder;

  private interface Write {
    long of(ByteBuffer buffer) throws Exception;
  }

  private static ByteBuffer buffer(Arena arena) {
    return arena.allocate(SIZE).asReadOnly().asByteBuffer();
  }

  private static ByteBuffer ofAnotherThread() {
    return CompletableFuture.supplyAsync(() -> buffer(Arena.ofConfined())).join();
  }

  private static ByteBuffer ofAnEndedArena() {
    try (Arena arena = Arena.ofConfined()) {
      return buffer(arena);
    }
  }

  /** Asserts that a channel accepts memory confined to the calling thread, and memory that is not confined. */
  private static void assertTakes(Write write) throws Exception {
    try (Arena confined = Arena.ofConfined();
        Arena shared = Arena.ofShared()) {
      for (Arena arena : List.of(confined, shared, Arena.ofAuto(), Arena.global())) {
        assertEquals(SIZE, write.of(buffer(arena)));
      }
    }
    assertEquals(SIZE, write.of(ByteBuffer.wrap(new byte[SIZE])));
  }

  @Test
  void aChannelThatBlocksTakesAllButWhatIsAnotherThreadsOrClosed() throws Exception {
    try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
        SocketChannel socket = SocketChannel.open(server.getLocalAddress());
        DatagramChannel receiver = DatagramChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
        DatagramChannel datagrams = DatagramChannel.open().connect(receiver.getLocalAddress());
        FileChannel file =
            FileChannel.open(folder.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      Pipe pipe = Pipe.open();
      List<Write> writes =
          List.of(
              socket::write,
              buffer -> socket.write(new ByteBuffer[] {buffer}),
              datagrams::write,
              file::write,
              buffer -> file.write(new ByteBuffer[] {buffer}),
              buffer -> file.write(buffer, 0),
              pipe.sink()::write,
              buffer -> Channels.newChannel(new ByteArrayOutputStream()).write(buffer));
      for (Write write : writes) {
        assertTakes(write);
        ByteBuffer anothers = ofAnotherThread();
        assertThrows(WrongThreadException.class, () -> write.of(anothers));
        ByteBuffer closed = ofAnEndedArena();
        assertThrows(IllegalStateException.class, () -> write.of(closed));
      }
      pipe.sink().close();
      pipe.source().close();
    }
  }

  @Test
  void anAsynchronousSocketRefusesAllThatIsConfined() throws Exception {
    try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
        AsynchronousSocketChannel socket = AsynchronousSocketChannel.open()) {
      socket.connect(server.getLocalAddress()).get();
      try (Arena shared = Arena.ofShared();
          Arena confined = Arena.ofConfined()) {
        for (Arena arena : List.of(shared, Arena.ofAuto(), Arena.global())) {
          assertEquals(SIZE, socket.write(buffer(arena)).get());
        }
        var e = assertThrows(ExecutionException.class, () -> socket.write(buffer(confined)).get());
        assertEquals(IllegalStateException.class,
            assertInstanceOf(IOException.class, e.getCause()).getCause().getClass());
        var gathered = new CompletableFuture<Long>();
        ByteBuffer[] buffers = {buffer(confined)};
        socket.write(
            buffers,
            0,
            1,
            1,
            TimeUnit.SECONDS,
            null,
            new CompletionHandler<Long, Void>() {
              @Override
              public void completed(Long count, Void attachment) {
                gathered.complete(count);
              }

              @Override
              public void failed(Throwable cause, Void attachment) {
                gathered.completeExceptionally(cause);
              }
            });
        assertInstanceOf(
            IllegalStateException.class, assertThrows(ExecutionException.class, gathered::get).getCause());
      }
    }
  }

  /** An exception ends the channel's own thread, and the write never completes. */
  @Test
  void anAsynchronousFileNeverAnswersForWhatIsConfined() throws Exception {
    try (AsynchronousFileChannel file =
            AsynchronousFileChannel.open(
                folder.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        Arena confined = Arena.ofConfined();
        Arena shared = Arena.ofShared()) {
      for (Arena arena : List.of(shared, Arena.ofAuto(), Arena.global())) {
        assertEquals(SIZE, file.write(buffer(arena), 0).get());
      }
      var write = file.write(buffer(confined), 0);
      assertThrows(TimeoutException.class, () -> write.get(200, TimeUnit.MILLISECONDS));
    }
  }

  @Test
  void aSegmentOfMoreThanTwoGibibytesIsNoBuffer() {
    MemorySegment large = MemorySegment.NULL.reinterpret(1L << 31);
    assertThrows(IllegalStateException.class, large::asByteBuffer);
  }
}
