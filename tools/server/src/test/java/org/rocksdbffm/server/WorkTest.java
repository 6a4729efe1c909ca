/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.redis.RedisEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.server.commands.Commands;
import org.rocksdbffm.server.commands.ScanCursors;
import org.rocksdbffm.server.protocol.RequestDecoder;
import org.rocksdbffm.server.protocol.RequestMemory;
import org.rocksdbffm.server.store.ValueStore;

/** Tests a connection with a store that fails or would wait; the test decides when other threads run. */
class WorkTest {
  /** A store in which each value equals its key. It can be set to fail, or to report that it would wait. */
  private static final class StrangeStore implements ValueStore {
    Supplier<Error> failure;
    boolean waits;
    int asked;

    private void ask(boolean mayWait) {
      asked++;
      if (waits && !mayWait) {
        throw new WouldWait(null);
      }
      if (failure != null) {
        sneak(failure.get());
      }
    }

    private static void sneak(Error e) {
      if (e instanceof StackOverflowError) {
        recurse(1);
      }
      throw e;
    }

    private static int recurse(int depth) {
      return recurse(depth + 1) + 1;
    }

    @Override
    public ByteBuf get(ByteBuf key, boolean mayWait) {
      ask(mayWait);
      return Unpooled.copiedBuffer(key);
    }

    @Override
    public long getInto(ByteBuf key, ByteBuf target, Consumer<ByteBuf> otherwise) {
      ask(false);
      target.writeBytes(key, key.readerIndex(), key.readableBytes());
      return key.readableBytes();
    }

    @Override
    public long size(ByteBuf key, boolean mayWait) {
      ask(mayWait);
      return key.readableBytes();
    }

    @Override
    public void put(ByteBuf key, ByteBuf value, boolean mayWait) {
      ask(mayWait);
    }

    @Override
    public boolean delete(ByteBuf key) {
      ask(true);
      return true;
    }

    @Override
    public void keys(byte[] from, Predicate<byte[]> more) {
      ask(true);
    }

    @Override
    public long estimatedCount() {
      return 0;
    }

    @Override
    public long pins() {
      return 0;
    }

    @Override
    public long pinnedBytes() {
      return 0;
    }

    @Override
    public void close() {}
  }

  private final StrangeStore store = new StrangeStore();
  private final Queue<Runnable> background = new ArrayDeque<>();
  private final RequestMemory memory = new RequestMemory(1 << 20);
  private final EmbeddedChannel channel = channel(background::add);

  private EmbeddedChannel channel(Executor threads) {
    var options = ServerOptions.of(Path.of("nowhere"));
    var commands = new Commands(store, new ScanCursors(1000), 1000, () -> "");
    return new EmbeddedChannel(
        new RedisEncoder(),
        new RequestDecoder(options.limits(), memory),
        new Connection(commands, threads, options));
  }

  @AfterEach
  void everythingIsGivenBack() {
    channel.finishAndReleaseAll();
    assertEquals(0, memory.bytes());
  }

  private void send(String text) {
    channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
  }

  private void sendCommand(String... words) {
    var text = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      text.append("$").append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    send(text.toString());
  }

  /** Runs the tasks of other threads, and returns the replies. */
  private String answer() {
    var all = new StringBuilder();
    do {
      for (Runnable work = background.poll(); work != null; work = background.poll()) {
        work.run();
      }
      channel.runPendingTasks();
      channel.runScheduledPendingTasks();
      for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
        all.append(part.toString(StandardCharsets.US_ASCII));
        part.release();
      }
    } while (!background.isEmpty() || channel.runScheduledPendingTasks() != -1);
    return all.toString();
  }

  private static final String[] COMMANDS = {
    "GET a", "MGET a", "EXISTS a b", "STRLEN a", "SET a b", "DEL a b", "UNLINK a", "SCAN 0 COUNT 1",
  };

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anErrorIsAnAnswerAsAnExceptionIs(boolean waits) {
    store.waits = waits;
    List<Supplier<Error>> failures =
        List.of(() -> new OutOfMemoryError("no heap"), StackOverflowError::new, () -> new NoClassDefFoundError("x"));
    for (Supplier<Error> failure : failures) {
      for (String command : COMMANDS) {
        store.failure = failure;
        sendCommand(command.split(" "));
        String answer = answer();
        String error = command.startsWith("MGET") ? answer.replace("*1\r\n", "") : answer;
        assertTrue(error.matches("-(OOM|ERR) [^\r\n]*\r\n"), () -> command + ": " + answer);
        store.failure = null;
        sendCommand("GET", "a");
        assertEquals("$1\r\na\r\n", answer(), "it goes on after " + command);
      }
    }
  }

  @Test
  void aValueThatCannotBeReadIsAnErrorAmongTheOthers() {
    store.waits = true;
    sendCommand("MGET", "a", "b", "c");
    background.remove().run();
    store.failure = () -> new OutOfMemoryError("no heap");
    channel.runPendingTasks();
    background.remove().run();
    store.failure = null;
    assertEquals(
        "*3\r\n$1\r\na\r\n-OOM the server is out of memory: try again\r\n$1\r\nc\r\n", answer());
  }

  @Test
  void noCommandKeepsAnEventLoopForLong() {
    channel.freezeTime(); // pauses end only when the test advances the time
    String[] words = new String[10_000];
    Arrays.fill(words, "k");
    words[0] = "EXISTS";
    sendCommand(words);
    int before = store.asked;
    assertTrue(before <= 2 * Connection.STEPS_AT_A_TIME, () -> before + " steps at once");
    int rounds = 0;
    while (store.asked < 9_999) {
      int asked = store.asked;
      channel.advanceTimeBy(1, TimeUnit.NANOSECONDS);
      channel.runScheduledPendingTasks();
      assertTrue(store.asked - asked <= 2 * Connection.STEPS_AT_A_TIME);
      assertTrue(++rounds < 10_000);
    }
    channel.unfreezeTime();
    assertEquals(":9999\r\n", answer());
  }

  @Test
  void commandsThatArePausedForStayInOrder() {
    var commands = new StringBuilder();
    var expected = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      commands.append("*2\r\n$3\r\nGET\r\n$4\r\n").append(1000 + i).append("\r\n");
      expected.append("$4\r\n").append(1000 + i).append("\r\n");
      if (i % 7 == 0) {
        commands.append("*3\r\n$6\r\nEXISTS\r\n$1\r\na\r\n$1\r\nb\r\n");
        expected.append(":2\r\n");
      }
    }
    send(commands.toString());
    assertEquals(expected.toString(), answer());
  }

  @Test
  void aClientThatGoesWhileItsCommandIsAsideIsForgottenWhenItComesBack() {
    store.waits = true;
    sendCommand("MGET", "a", "b");
    sendCommand("GET", "c");
    channel.close();
    assertEquals("*2\r\n", answer(), "what was answered before");
    assertEquals(1, store.asked - 1, "the second key of the first command is not asked for");
  }

  @Test
  void whatTheBackgroundRefusesIsAnError() {
    EmbeddedChannel refused =
        channel(
            work -> {
              throw new java.util.concurrent.RejectedExecutionException("full");
            });
    store.waits = true;
    refused.writeInbound(Unpooled.copiedBuffer("GET a\r\nPING\r\n", StandardCharsets.US_ASCII));
    var all = new StringBuilder();
    for (ByteBuf part = refused.readOutbound(); part != null; part = refused.readOutbound()) {
      all.append(part.toString(StandardCharsets.US_ASCII));
      part.release();
    }
    assertEquals("-BUSY too many commands wait for the disk: try again\r\n+PONG\r\n", all.toString());
    refused.finishAndReleaseAll();
  }
}
