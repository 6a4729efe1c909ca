/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.handoff;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.random;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.tools.DatabaseCase;
import org.rocksdbffm.tools.NullChannels;

/** Tests the hand-off of values to asynchronous channels and subscribers, during which no thread waits. */
class AsynchronousHandOffTest extends DatabaseCase {
  private static final byte[] KEY = bytes("key");
  private static final byte[] VALUE = random(3 << 20, 1);

  @BeforeEach
  void fill() {
    db.put(KEY, VALUE);
  }

  // Sockets with small buffers, so that one side waits for the other.

  private static AsynchronousServerSocketChannel server() throws IOException {
    return AsynchronousServerSocketChannel.open()
        .setOption(StandardSocketOptions.SO_RCVBUF, 64 << 10)
        .bind(new InetSocketAddress("127.0.0.1", 0));
  }

  private static AsynchronousSocketChannel connected(AsynchronousServerSocketChannel server) throws Exception {
    var channel = AsynchronousSocketChannel.open().setOption(StandardSocketOptions.SO_SNDBUF, 64 << 10);
    channel.connect(server.getLocalAddress()).get();
    return channel;
  }

  /** Starts to write the value, and releases it immediately. */
  private CompletableFuture<Long> write(AsynchronousSocketChannel channel) {
    try (PinnedValue value = db.getPinned(KEY)) {
      return value.writeTo(channel);
    }
  }

  @Test
  void aSlowReaderGetsTheValueThatItsOwnerLetGoOf() throws Exception {
    try (var server = server();
        var out = connected(server)) {
      CompletableFuture<Long> written = write(out);
      assertFalse(written.isDone(), "a reader that does not read gets it all");
      assertEquals(1, db.pins().count());
      try (var in = server.accept().get()) {
        ByteBuffer received = ByteBuffer.allocate(VALUE.length);
        while (received.hasRemaining()) {
          in.read(received).get();
        }
        assertArrayEquals(VALUE, received.array());
      }
      assertEquals(VALUE.length, written.get());
    }
  }

  @Test
  void aChannelThatIsClosedMeanwhileLetsGo() throws Exception {
    try (var server = server();
        var out = connected(server)) {
      CompletableFuture<Long> written = write(out);
      out.close();
      var e = assertThrows(ExecutionException.class, written::get);
      assertInstanceOf(ClosedChannelException.class, e.getCause()); // closed during a write, or between two writes
      assertEquals(0, db.pins().count());
    }
  }

  /** Runs the collector until a write is over. */
  private static void collectUntilDone(CompletableFuture<Long> written) throws InterruptedException {
    for (int i = 0; i < 1000 && !written.isDone(); i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertTrue(written.isDone());
  }

  private static void assertDropped(CompletableFuture<Long> written) throws InterruptedException {
    collectUntilDone(written);
    var e = assertThrows(ExecutionException.class, written::get);
    assertEquals(
        "the channel dropped the write without an answer, as one does whose executor discards tasks: how much of it was"
            + " written is unknown",
        assertInstanceOf(IOException.class, e.getCause()).getMessage());
  }

  @Test
  void aWriteThatAnExecutorDiscardsFailsAndLetsGo() throws Exception {
    var discarding =
        new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(1), new DiscardPolicy());
    discarding.shutdown(); // discards each task from now on
    try (var out =
            AsynchronousFileChannel.open(
                folder.resolve("out"), Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), discarding);
        PinnedValue value = db.getPinned(KEY)) {
      assertDropped(value.writeTo(out, 0));
      assertEquals(1, db.pins().count());
      CompletableFuture<Long> cancelled = value.writeTo(out, 0);
      cancelled.cancel(false);
    }
    for (int i = 0; i < 1000 && db.pins().count() != 0; i++) { // a write with a dropped future releases its pin, too
      System.gc();
      Thread.sleep(10);
    }
  }

  @Test
  void aWriteThatAnExecutorRefusesFailsAtOnce() throws Exception {
    ExecutorService refusing = Executors.newSingleThreadExecutor();
    refusing.shutdown();
    try (var out =
            AsynchronousFileChannel.open(
                folder.resolve("out"), Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), refusing);
        PinnedValue value = db.getPinned(KEY)) {
      CompletableFuture<Long> written = value.writeTo(out, 0);
      assertTrue(written.isDone());
      assertInstanceOf(
          RejectedExecutionException.class, assertThrows(ExecutionException.class, written::get).getCause());
    }
  }

  @Test
  void aReaderThatVanishesFailsTheWrite() throws Exception {
    try (var server = server();
        var out = connected(server)) {
      CompletableFuture<Long> written = write(out);
      var in = server.accept().get();
      in.read(ByteBuffer.allocate(1000)).get();
      in.close();
      assertInstanceOf(IOException.class, assertThrows(ExecutionException.class, written::get).getCause());
    }
  }

  @Test
  void theDatabaseMayBeClosedMeanwhile() throws Exception {
    try (var server = server();
        var out = connected(server)) {
      CompletableFuture<Long> written = write(out);
      db.close();
      var in = server.accept().get();
      ByteBuffer received = ByteBuffer.allocate(VALUE.length);
      while (received.hasRemaining()) {
        in.read(received).get();
      }
      assertArrayEquals(VALUE, received.array());
      assertEquals(VALUE.length, written.get());
      in.close();
    }
  }

  @Test
  void anAsynchronousFileGetsTheValue() throws Exception {
    Path file = folder.resolve("file");
    try (var out = AsynchronousFileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        PinnedValue value = db.getPinned(KEY)) {
      assertEquals(VALUE.length, value.writeTo(out, 100).get());
      assertThrows(IllegalArgumentException.class, () -> value.writeTo(out, -1));
    }
    byte[] written = Files.readAllBytes(file);
    assertEquals(VALUE.length + 100, written.length);
    assertEquals(VALUE[VALUE.length - 1], written[VALUE.length + 99]);
  }

  @Test
  void aChannelOfOnesOwnMakingGetsCopies() {
    var out = new ByteArrayOutputStream();
    var channel = new NullChannels.Asynchronous() {
      @Override
      public <A> void write(ByteBuffer buffer, A attachment, CompletionHandler<Integer, ? super A> handler) {
        out.write(buffer.array(), buffer.position(), buffer.remaining());
        super.write(buffer, attachment, handler);
      }
    };
    try (PinnedValue value = db.getPinned(KEY)) {
      assertEquals(VALUE.length, value.writeTo(channel).join());
    }
    assertArrayEquals(VALUE, out.toByteArray());
    assertTrue(channel.last.hasArray());
  }

  @Test
  void aChannelThatLiesCannotReachFreedMemory() {
    var handlers = new ArrayList<CompletionHandler<Integer, ?>>();
    var channel = new NullChannels.Asynchronous() {
      @Override
      public <A> void write(ByteBuffer buffer, A attachment, CompletionHandler<Integer, ? super A> handler) {
        handlers.add(handler);
        handler.failed(new IOException("gone"), attachment);
        handler.completed(buffer.remaining(), attachment);
        throw new IllegalStateException("again");
      }
    };
    CompletableFuture<Long> written;
    try (PinnedValue value = db.getPinned(KEY)) {
      written = value.writeTo(channel);
    }
    assertEquals("gone", assertThrows(CompletionException.class, written::join).getCause().getMessage());
    assertEquals(0, db.pins().count());
    handlers.getFirst().completed(1, null);
    var liar = new NullChannels.Asynchronous() {
      @Override
      public <A> void write(ByteBuffer buffer, A attachment, CompletionHandler<Integer, ? super A> handler) {
        handler.completed(Integer.MAX_VALUE, attachment);
      }
    };
    try (PinnedValue value = db.getPinned(KEY)) {
      assertThrows(CompletionException.class, value.writeTo(liar)::join);
    }
  }

  /** Requests the pieces one by one. */
  private static class Collector implements Flow.Subscriber<ByteBuffer> {
    final List<ByteBuffer> pieces = new ArrayList<>();
    final CompletableFuture<Void> end = new CompletableFuture<>();
    Flow.Subscription subscription;

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      this.subscription = subscription;
      subscription.request(1);
    }

    @Override
    public void onNext(ByteBuffer piece) {
      pieces.add(piece);
      subscription.request(1);
    }

    @Override
    public void onError(Throwable cause) {
      end.completeExceptionally(cause);
    }

    @Override
    public void onComplete() {
      end.complete(null);
    }

    byte[] bytes() {
      var all = new ByteArrayOutputStream();
      for (ByteBuffer piece : pieces) {
        byte[] copy = new byte[piece.remaining()];
        piece.duplicate().get(copy);
        all.writeBytes(copy);
      }
      return all.toByteArray();
    }
  }

  @Test
  void aSubscriberMayKeepThePieces() {
    var first = new Collector();
    var second = new Collector();
    try (PinnedValue value = db.getPinned(KEY)) {
      Flow.Publisher<ByteBuffer> publisher = value.publisher();
      publisher.subscribe(first);
      publisher.subscribe(second);
    }
    first.end.join();
    second.end.join();
    assertEquals(0, db.pins().count());
    assertArrayEquals(VALUE, first.bytes());
    assertArrayEquals(VALUE, second.bytes());
  }

  @Test
  void aSubscriptionKeepsTheValueUntilItIsCancelled() {
    var waiting = new Collector() {
      @Override
      public void onNext(ByteBuffer piece) {
        pieces.add(piece);
      }
    };
    try (PinnedValue value = db.getPinned(KEY)) {
      value.publisher().subscribe(waiting);
    }
    assertEquals(1, waiting.pieces.size());
    assertEquals(1, db.pins().count());
    waiting.subscription.cancel();
    waiting.subscription.request(1);
    waiting.subscription.cancel();
    assertEquals(1, waiting.pieces.size());
    assertEquals(0, db.pins().count());
    assertFalse(waiting.end.isDone());
  }

  @Test
  void aSubscriberThatThrowsOrAsksWronglyIsToldAndLetsGo() {
    var throwing = new Collector() {
      @Override
      public void onNext(ByteBuffer piece) {
        throw new IllegalStateException("no more");
      }
    };
    var asking = new Collector() {
      @Override
      public void onSubscribe(Flow.Subscription subscription) {
        subscription.request(0);
      }
    };
    var refusing = new Collector() {
      @Override
      public void onSubscribe(Flow.Subscription subscription) {
        throw new IllegalStateException("not now");
      }
    };
    PinnedValue value = db.getPinned(KEY);
    value.publisher().subscribe(throwing);
    value.publisher().subscribe(asking);
    assertThrows(IllegalStateException.class, () -> value.publisher().subscribe(refusing));
    Flow.Publisher<ByteBuffer> late = value.publisher();
    value.close();
    assertEquals(0, db.pins().count());
    assertEquals("no more", assertThrows(CompletionException.class, throwing.end::join).getCause().getMessage());
    assertInstanceOf(
        IllegalArgumentException.class, assertThrows(CompletionException.class, asking.end::join).getCause());
    var tooLate = new Collector();
    late.subscribe(tooLate);
    assertInstanceOf(
        IllegalStateException.class, assertThrows(CompletionException.class, tooLate.end::join).getCause());
  }

  @Test
  void theHttpClientOfTheJdkSendsAValue() throws Exception {
    var received = new CompletableFuture<byte[]>();
    var server = com.sun.net.httpserver.HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext("/", exchange -> {
      received.complete(exchange.getRequestBody().readAllBytes());
      exchange.sendResponseHeaders(204, -1);
      exchange.close();
    });
    server.start();
    try (HttpClient client = HttpClient.newHttpClient();
        PinnedValue value = db.getPinned(KEY);
        Arena arena = Arena.ofShared()) {
      URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
      for (Flow.Publisher<ByteBuffer> publisher : List.of(value.publisher(), value.publisher(arena))) {
        var body = BodyPublishers.fromPublisher(publisher, value.size());
        var response = client.send(HttpRequest.newBuilder(uri).PUT(body).build(), BodyHandlers.discarding());
        assertEquals(204, response.statusCode());
        assertArrayEquals(VALUE, received.join());
      }
    } finally {
      server.stop(0);
    }
  }
}
