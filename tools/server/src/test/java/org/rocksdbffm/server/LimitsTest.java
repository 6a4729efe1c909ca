/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.server.commands.ScanCursors;
import org.rocksdbffm.server.protocol.ServerLimits;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.resps.ScanResult;

/** Tests that no request uses more resources than the limits allow. */
class LimitsTest {
  private static final int PATIENCE_MILLIS = 60_000;
  private static final byte[] KEY = bytes("key");
  private static final byte[] LARGE = new byte[3 << 20];

  @TempDir Path folder;

  private Server server(ServerLimits limits) throws Exception {
    return new Server(ServerOptions.of(folder.resolve("db")).with(limits));
  }

  private static Jedis connect(Server server) {
    return new Jedis(server.address().getHostString(), server.address().getPort(), PATIENCE_MILLIS);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The value exceeds the limit of pinned bytes, so every command that reads the value fails. */
  @Test
  void existsAndStrlenReadNoValue() throws Exception {
    try (Server server = server(ServerLimits.DEFAULT.with("--max-pinned", 1 << 20));
        Jedis client = connect(server)) {
      client.set(KEY, LARGE);
      assertThrows(JedisDataException.class, () -> client.get(KEY));
      byte[][] names = new byte[9_000][];
      Arrays.fill(names, KEY);
      assertEquals(9_000, client.exists(names));
      assertEquals(LARGE.length, client.strlen(KEY));
      assertEquals(0, client.strlen(bytes("key\0"))); // the successor of the key
      assertTrue(!client.exists(bytes("ke")));
      assertEquals(1, client.del(KEY));
      assertTrue(!client.exists(KEY));
    }
  }

  /**
   * The values together are many times larger than the limit of pinned bytes, and than the direct memory of this JVM.
   */
  @Test
  void anMgetHasFewOfItsValuesOnTheirWayAtOnce() throws Exception {
    try (Server server = server(ServerLimits.DEFAULT.with("--max-pinned", 16 << 20));
        Jedis client = connect(server)) {
      client.set(KEY, LARGE);
      byte[][] names = new byte[30][];
      Arrays.fill(names, KEY);
      names[7] = bytes("none");
      List<byte[]> values = client.mget(names);
      for (int i = 0; i < names.length; i++) {
        if (i == 7) {
          assertNull(values.get(i));
        } else {
          assertArrayEquals(LARGE, values.get(i));
        }
      }
    }
  }

  @Test
  void aKeyThatIsTooLongIsRefusedAndTheConnectionGoesOn() throws Exception {
    try (Server server = server(ServerLimits.DEFAULT.with("--max-key", 100));
        Jedis client = connect(server)) {
      var e = assertThrows(JedisDataException.class, () -> client.set(new byte[101], KEY));
      assertEquals(
          "ERR a value has at most 67108864 bytes, any other argument 100, and all others of a command together as "
              + "many as"
              + " a value",
          e.getMessage());
      assertEquals("OK", client.set(new byte[100], LARGE));
    }
  }

  @Test
  void aScanGoesOnBetweenLongKeysThatAreMuchAlike() throws Exception {
    try (Server server = server(ServerLimits.DEFAULT.with("--max-cursors", 100_000));
        Jedis client = connect(server)) {
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        String key = "k".repeat(50_000) + (char) ('0' + i);
        client.set(key, "v");
        expected.add(key);
      }
      List<String> found = new ArrayList<>();
      String cursor = "0";
      do {
        ScanResult<String> part = client.scan(cursor, new ScanParams().count(3));
        found.addAll(part.getResult());
        cursor = part.getCursor();
      } while (!cursor.equals("0"));
      assertEquals(expected, found);
      ScanResult<String> large = client.scan("0", new ScanParams().count(1000));
      assertTrue(large.getResult().size() < 25, "an answer has about a mebibyte");
    }
  }

  @Test
  void cursorsKeepLittleHoweverManyThereAre() {
    var cursors = new ScanCursors(10_000);
    long first = cursors.between(bytes("a"), "b".repeat(1 << 20).getBytes());
    assertArrayEquals(bytes("b"), cursors.place(first), "as much as makes it different");
    assertArrayEquals(bytes("ab"), cursors.place(cursors.between(bytes("a"), bytes("abcd"))));
    assertArrayEquals(bytes("aac"), cursors.place(cursors.between(bytes("aab"), bytes("aacd"))));
    for (int i = 0; i < 20_000; i++) {
      cursors.between(bytes("a"), bytes("b"));
    }
    assertTrue(cursors.bytes() <= 10_000);
    assertNull(cursors.place(first), "the oldest are forgotten");
    byte[] alike = "x".repeat(20_000).getBytes();
    assertEquals(0, cursors.between(alike, Arrays.copyOf(alike, 20_001)), "more than may be remembered at all");
  }

  /** Simulates that the system has no free file descriptors. */
  @Test
  void nobodyIsAcceptedForAWhileWhereThatFails() {
    var listener = new EmbeddedChannel(new Admission(10));
    listener.freezeTime();
    for (int i = 0; i < 3; i++) {
      listener.pipeline().fireExceptionCaught(new IOException("Too many open files"));
      assertTrue(!listener.config().isAutoRead());
      listener.checkException(); // handled here
    }
    listener.advanceTimeBy(1, TimeUnit.SECONDS);
    listener.runScheduledPendingTasks();
    assertTrue(listener.config().isAutoRead());
    assertTrue(listener.isOpen());
  }

  @Test
  void limitsAreTold() throws Exception {
    try (Server server = server(ServerLimits.DEFAULT.with("--max-key", 99).with("--idle", 7));
        Jedis client = connect(server)) {
      String info = client.info();
      for (String limit :
          List.of("max_key_bytes:99", "max_idle_seconds:7", "max_value_bytes:67108864", "request_bytes:0",
              "maxclients:")) {
        assertTrue(info.contains(limit), info);
      }
    }
  }
}
