/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.server.protocol.ClientRequest;
import org.rocksdbffm.server.protocol.RefusedRequest;
import org.rocksdbffm.server.protocol.RequestDecoder;
import org.rocksdbffm.server.protocol.RequestMemory;
import org.rocksdbffm.server.protocol.ServerLimits;

class RequestDecoderTest {
  private static final ServerLimits LIMITS =
      ServerLimits.DEFAULT.with("--max-argument", 10_000).with("--max-key", 100).with("--max-arguments", 20);

  private final RequestMemory memory = new RequestMemory(15_000);
  private final EmbeddedChannel channel = new EmbeddedChannel(new RequestDecoder(LIMITS, memory));

  @AfterEach
  void everythingIsGivenBack() {
    channel.finishAndReleaseAll();
    assertEquals(0, memory.bytes());
  }

  private void send(String text) {
    channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
  }

  /** Returns the next command as words, or the reason why it was refused. */
  private String next() {
    ClientRequest command = channel.readInbound();
    if (command == null) {
      return null;
    }
    List<String> words = new ArrayList<>();
    for (ByteBuf argument : command.arguments()) {
      words.add(argument.toString(StandardCharsets.US_ASCII));
    }
    command.release();
    return command.refusal() != null ? command.refusal() : String.join(" ", words);
  }

  private static String command(String... words) {
    var text = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      text.append("$").append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 64, 5_000, 100_000})
  void commandsAreTheSameInWhateverPiecesTheyCome(int most) {
    var random = new Random(most);
    List<String> expected = new ArrayList<>();
    var sent = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      String value = "v".repeat(random.nextInt(4) == 0 ? random.nextInt(4_000) : random.nextInt(10));
      switch (random.nextInt(5)) {
        case 0 -> {
          sent.append("\r\n\nget key").append(i).append(random.nextBoolean() ? "\n" : "\r\n");
          expected.add("get key" + i);
        }
        case 1 -> {
          sent.append(command("SET", "key" + i, value + "x".repeat(10_001 - value.length())));
          expected.add(
              "ERR a value has at most 10000 bytes, any other argument 100, and all others of a command together as"
                  + " many as a value");
        }
        default -> {
          sent.append(command("SET", "", value));
          expected.add("SET  " + value);
        }
      }
    }
    byte[] all = sent.toString().getBytes(StandardCharsets.US_ASCII);
    List<String> received = new ArrayList<>();
    for (int at = 0; at < all.length; ) {
      int length = Math.min(1 + random.nextInt(most), all.length - at);
      channel.writeInbound(Unpooled.directBuffer().writeBytes(all, at, length));
      at += length;
      for (String next = next(); next != null; next = next()) {
        received.add(next);
      }
    }
    assertEquals(expected, received);
    assertEquals(0, memory.bytes());
  }

  @Test
  void whatWasOnlyAnnouncedReservesNothing() {
    send("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$10000\r\nabc");
    assertNull(next());
    assertTrue(memory.bytes() < 10_000 + 3 * RequestDecoder.ARGUMENT_COST + 10, () -> memory.bytes() + " bytes");
  }

  @Test
  void halfACommandKeepsNoBufferOfARead() {
    ByteBuf read = Unpooled.directBuffer(10_000).writeBytes("*3\r\n$3\r\nGET\r\n$1\r\nk\r\n".getBytes());
    channel.writeInbound(read);
    assertEquals(0, read.refCnt());
    assertEquals("GET".length() + "k".length() + 2 * RequestDecoder.ARGUMENT_COST, memory.bytes());
    send("$1\r\nv\r\n");
    assertEquals("GET k v", next());
  }

  @Test
  void whatAllClientsKeepTogetherHasALimit() {
    EmbeddedChannel other = new EmbeddedChannel(new RequestDecoder(LIMITS, memory));
    other.writeInbound(
        Unpooled.copiedBuffer("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$9000\r\n" + "x".repeat(8_000),
            StandardCharsets.US_ASCII));
    long held = memory.bytes();
    assertTrue(held > 8_000);
    send("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$9000\r\n" + "y".repeat(8_000));
    assertNull(next());
    assertEquals(held, memory.bytes());
    send("y".repeat(1_000) + "\r\nping\r\n");
    String refusal = next();
    assertTrue(refusal.matches("BUSY the requests of all clients have \\d+ bytes, and 15000 is the limit: try again"),
        refusal);
    assertEquals("ping", next());
    other.finishAndReleaseAll();
    send("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$9000\r\n" + "y".repeat(8_000));
    send("y".repeat(1_000) + "\r\n");
    assertEquals("SET k " + "y".repeat(9_000), next());
  }

  @Test
  void allButTheValueOfSetAreKeys() {
    String key = "k".repeat(101);
    for (String[] words :
        new String[][] {{"GET", key}, {"SET", key, "v"}, {"ECHO", key}, {key}, {"SET", "a", "b", key},
            {"MGET", "a", key}}) {
      send(command(words) + "ping\r\n");
      String refusal = next();
      assertTrue(refusal.startsWith("ERR a value has at most "), refusal);
      assertEquals("ping", next());
    }
    send(command("set", "k", "v".repeat(10_000)));
    assertEquals(10_006, next().length());
  }

  @Test
  void whatBreaksTheProtocolEndsIt() {
    for (String wrong :
        new String[] {
          "*0\r\n", "*-1\r\n", "*21\r\n", "*99999999999\r\n", "*9999999999\r\n", "*1\r\n*", "*1\r\n$-1\r\n",
              "*1\r\n$x\r\n",
          "*1\r\n$536870913\r\n", "$3", "\0", ":5", "+OK", "-x", "*1\n", "*1\r\n$1\n", "*1\r\n$1\r\nab",
              "*1\r\n$1\r\na\r\r",
          "*" + "1".repeat(33), "*1\r\n$" + "1".repeat(40), "get " + "k".repeat(97), "POST / HTTP/1.1\r\n",
              "Host: x\r\n",
        }) {
      EmbeddedChannel channel = new EmbeddedChannel(new RequestDecoder(LIMITS, memory));
      assertThrows(
          RefusedRequest.class,
          () -> channel.writeInbound(Unpooled.copiedBuffer(wrong, StandardCharsets.US_ASCII)),
          wrong);
      channel.writeInbound(Unpooled.copiedBuffer("ping\r\n", StandardCharsets.US_ASCII));
      assertNull(channel.readInbound(), "nothing more is looked at");
      channel.finishAndReleaseAll();
    }
  }
}
