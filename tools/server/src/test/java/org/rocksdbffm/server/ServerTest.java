/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.rocksdbffm.server.ServerOptions.StoreKind;
import org.rocksdbffm.server.commands.Glob;
import org.rocksdbffm.server.load.Certificate;
import org.rocksdbffm.server.protocol.ServerLimits;
import org.rocksdbffm.server.store.ValueStore;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.resps.ScanResult;

/** Tests the value server with a third-party Redis client. */
@SuppressWarnings("deprecation") // the client's shorter method for a socket factory
class ServerTest {
  private static final ServerLimits SMALL =
      ServerLimits.DEFAULT
          .with("--max-argument", 1 << 20)
          .with("--max-arguments", 100)
          .with("--max-pipelined", 50)
          .with("--max-connections", 3);

  private static final int PATIENCE_MILLIS = 60_000;

  @TempDir Path folder;

  private ServerOptions options() {
    return ServerOptions.of(folder.resolve("db"));
  }

  private static Jedis connect(Server server) {
    return new Jedis(server.address().getHostString(), server.address().getPort(), PATIENCE_MILLIS);
  }

  private static DefaultJedisClientConfig.Builder patient() {
    return DefaultJedisClientConfig.builder().timeoutMillis(PATIENCE_MILLIS);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  static Stream<Arguments> ways() {
    return Arrays.stream(Transport.values())
        .flatMap(
            transport ->
                Arrays.stream(StoreKind.values())
                    .flatMap(
                        store ->
                            Stream.of(Arguments.of(transport, store, false), Arguments.of(transport, store, true))));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void aClientReadsWhatItWrote(Transport transport, StoreKind store, boolean tls) throws Exception {
    assumeTrue(transport.isAvailable());
    var certificate = tls ? new Certificate(folder) : null;
    ServerOptions options = options().with(transport).with(store);
    try (Server server = new Server(tls ? options.withTls(certificate.certificate, certificate.key) : options);
        Jedis client =
            new Jedis(
                new redis.clients.jedis.HostAndPort("127.0.0.1", server.address().getPort()),
                tls
                    ? patient().ssl(true).sslSocketFactory(certificate.clients()).build()
                    : patient().build())) {
      assertEquals("PONG", client.ping());
      assertNull(client.get(bytes("none")));
      for (int size : new int[] {0, 1, 100, 1024, 1025, 65_536, 3 << 20}) {
        byte[] key = bytes("key" + size);
        assertEquals("OK", client.set(key, random(size)));
        assertArrayEquals(random(size), client.get(key));
        assertEquals(size, client.strlen(key));
        assertTrue(client.exists(key));
      }
      List<byte[]> many = client.mget(bytes("key100"), bytes("none"), bytes("key65536"), bytes("key1025"));
      assertArrayEquals(random(100), many.get(0));
      assertNull(many.get(1));
      assertArrayEquals(random(65_536), many.get(2));
      assertArrayEquals(random(1025), many.get(3));
      assertEquals(2, client.exists("key0", "key1", "none"));
      assertEquals(2, client.del("key0", "key1", "none"));
      assertNull(client.get("key0"));
      assertEquals(0, client.strlen("key0"));
      assertTrue(client.info().contains("values:" + store));
      awaitNoPins(server);
    }
  }

  /**
   * Small values are written together, larger ones separately, and the length of a header depends on the size in it.
   */
  @ParameterizedTest
  @EnumSource(StoreKind.class)
  void manyAnswersAtOnceComeInOrderWhateverTheirSizes(StoreKind store) throws Exception {
    int[] sizes = {9, 10, 99, 100, 999, 0, 1000, 1024, 5, 1025, 3, 16_000, 16_384, 99, 70_000, 9, 15_000, 15_990,
        100_000};
    var random = new Random(1);
    try (Server server = new Server(options().with(store));
        Jedis client = connect(server)) {
      for (int size : sizes) {
        client.set(bytes("key" + size), random(size));
      }
      for (int round = 0; round < 200; round++) {
        List<byte[]> expected = new ArrayList<>();
        List<Response<byte[]>> answers = new ArrayList<>();
        var pipeline = client.pipelined();
        boolean isOfSmallOnes = round % 2 == 0;
        for (int i = random.nextInt(300); i >= 0; i--) {
          int size = sizes[random.nextInt(isOfSmallOnes ? 9 : sizes.length)];
          boolean isThere = random.nextInt(5) != 0;
          expected.add(isThere ? random(size) : null);
          answers.add(pipeline.get(bytes(isThere ? "key" + size : "none")));
          if (random.nextInt(50) == 0) {
            pipeline.strlen(bytes("key0"));
          }
        }
        pipeline.sync();
        for (int i = 0; i < expected.size(); i++) {
          assertArrayEquals(expected.get(i), answers.get(i).get());
        }
      }
      awaitNoPins(server);
    }
  }

  private static void awaitNoPins(Server server) throws InterruptedException {
    for (int i = 0; i < 6000 && server.pins() != 0; i++) {
      Thread.sleep(10);
    }
    assertEquals(0, server.pins());
  }

  @Test
  void whatIsNotThereIsRefusedClearly() throws Exception {
    try (Server server = new Server(options());
        Jedis client = connect(server)) {
      assertRefused("ERR SETEX: nothing expires here; use SET", () ->
          client.sendCommand(Protocol.Command.SETEX, "key", "1", "value"));
      assertRefused(
          "ERR SET takes a key and a value here: nothing expires, and there are no conditions",
          () -> client.set("key", "value", redis.clients.jedis.params.SetParams.setParams().ex(1)));
      assertRefused("ERR unknown command 'LPUSH'", () -> client.lpush("key", "value"));
      assertRefused(
          "ERR wrong number of arguments for 'get' command",
          () -> client.sendCommand(Protocol.Command.GET, "a", "b"));
      assertRefused("ERR no password is configured", () -> client.auth("secret"));
      assertRefused("ERR value is not an integer or out of range", () -> client.scan("x"));
      assertRefused("ERR the cursor is unknown or too old: begin again with 0", () -> client.scan("77"));
      assertEquals("PONG", client.ping());
    }
  }

  private static void assertRefused(String message, org.junit.jupiter.api.function.Executable command) {
    assertEquals(message, assertThrows(JedisDataException.class, command).getMessage());
  }

  @Test
  void aScanFindsEveryKeyOnce() throws Exception {
    try (Server server = new Server(options());
        Jedis client = connect(server)) {
      Set<String> expected = new HashSet<>();
      for (int i = 0; i < 1000; i++) {
        client.set("key:" + i, "value");
        client.set("other:" + i, "value");
        expected.add("key:" + i);
      }
      Set<String> found = new HashSet<>();
      String cursor = "0";
      do {
        ScanResult<String> part = client.scan(cursor, new ScanParams().match("k?y:[0-9]*").count(100));
        for (String key : part.getResult()) {
          assertTrue(found.add(key), key);
        }
        cursor = part.getCursor();
      } while (!cursor.equals("0"));
      assertEquals(expected, found);
    }
  }

  @Test
  void pipelinedCommandsAreAnsweredInTheirOrder() throws Exception {
    try (Server server = new Server(options());
        Jedis client = connect(server)) {
      Pipeline pipeline = client.pipelined();
      List<Response<?>> answers = new ArrayList<>();
      for (int i = 0; i < 2000; i++) {
        pipeline.set(bytes("key" + i), random(10 + i));
        answers.add(pipeline.get(bytes("key" + i)));
        pipeline.del("none");
      }
      pipeline.sync();
      for (int i = 0; i < 2000; i++) {
        assertArrayEquals(random(10 + i), (byte[]) answers.get(i).get());
      }
    }
  }

  @Test
  void whatLiesOnDiskAloneIsReadAside() throws Exception {
    try (Server server = new Server(options());
        Jedis client = connect(server)) {
      for (int i = 0; i < 100; i++) {
        client.set(bytes("key" + i), random(20_000 + i));
      }
    }
    try (Server server = new Server(options());
        Jedis client = connect(server)) {
      assertThrows(
          ValueStore.WouldWait.class,
          () -> server.store().get(io.netty.buffer.Unpooled.wrappedBuffer(bytes("key0")), false));
      for (int i = 0; i < 100; i++) {
        assertArrayEquals(random(20_000 + i), client.get(bytes("key" + i)));
      }
      assertArrayEquals(random(20_000), client.mget(bytes("key0")).getFirst());
    }
  }

  @Test
  void nobodyIsServedWithoutThePassword() throws Exception {
    try (Server server = new Server(options().withPassword("secret"));
        Jedis client = connect(server)) {
      assertRefused("NOAUTH Authentication required.", () -> client.get("key"));
      assertRefused(
          "WRONGPASS invalid username-password pair or user is disabled.", () -> client.auth("wrong"));
      assertRefused("NOAUTH Authentication required.", () -> client.set("key", "value"));
      assertEquals("OK", client.auth("secret"));
      assertEquals("OK", client.set("key", "value"));
    }
  }

  /** Sends bytes, and reads the reply until the server closes the connection. */
  private static String answer(Server server, byte[] sent) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", server.address().getPort())) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(sent);
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void hostileInputGetsAnErrorAndCostsItsConnectionAlone() throws Exception {
    try (var netty = new NettyWarnings();
        Server server = new Server(options().with(SMALL.with("--max-connections", 100)));
        Jedis client = connect(server)) {
      client.set("key", "value");
      for (String hostile :
          List.of(
              "*1\r\n*1\r\n",
              "*0\r\n",
              "*-1\r\n",
              "*101\r\n",
              "*9223372036854775807\r\n",
              "*99999999999999999999\r\n",
              "$3\r\nGET\r\n",
              "*1\r\n$-1\r\n",
              "*1\r\n$-5\r\n",
              "*1\r\n$536870913\r\n",
              "*2\r\n$3\r\nGET\r\n$1\r\nabc",
              "*1\r\n:5\r\n",
              "*1\r\n\n",
              "*\r\n",
              "$\r\n",
              "\0\0\0\0")) {
        String answer = answer(server, bytes(hostile));
        assertTrue(answer.startsWith("-ERR Protocol error: ") && answer.endsWith("\r\n"), hostile + " got " + answer);
        assertEquals("value", client.get("key"));
      }
      assertEquals(
          "-ERR unknown command 'a  +OK'\r\n+OK\r\n",
          answer(server, bytes("*1\r\n$6\r\na\r\n+OK\r\n*1\r\n$4\r\nQUIT\r\n")),
          "a name cannot forge an answer");
      byte[] noise = new byte[100_000];
      for (int seed = 0; seed < 50; seed++) {
        new Random(seed).nextBytes(noise);
        noise[0] = (byte) "*$+-:".charAt(seed % 5);
        try {
          answer(server, noise);
        } catch (IOException reset) {
          // The server has closed the connection before it read all bytes.
        }
        assertEquals("value", client.get("key"));
      }
      awaitNoPins(server);
      assertEquals(List.of(), netty.all());
    }
  }

  @Test
  void halfACommandReservesNothing() throws Exception {
    try (Server server = new Server(options());
        Jedis client = connect(server)) {
      List<Socket> sockets = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        Socket socket = new Socket("127.0.0.1", server.address().getPort());
        socket.getOutputStream().write(bytes("*2\r\n$3\r\nGET\r\n$60000000\r\nabc"));
        sockets.add(socket);
      }
      assertEquals("PONG", client.ping());
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  @Test
  void connectionsHaveALimit() throws Exception {
    try (Server server = new Server(options().with(SMALL));
        Jedis first = connect(server);
        Jedis second = connect(server);
        Jedis third = connect(server)) {
      for (Jedis client : List.of(first, second, third)) {
        client.ping();
      }
      try (Socket fourth = new Socket("127.0.0.1", server.address().getPort())) {
        assertEquals(
            "-ERR max number of clients reached\r\n",
            new String(fourth.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
      }
      assertEquals("PONG", first.ping());
    }
  }

  @Test
  void anIdleClientIsClosed() throws Exception {
    try (Server server = new Server(options().with(ServerLimits.DEFAULT.with("--idle", 1)))) {
      long start = System.nanoTime();
      try (Socket idle = new Socket("127.0.0.1", server.address().getPort())) {
        assertEquals(-1, idle.getInputStream().read());
        assertTrue(System.nanoTime() - start > 100_000_000, "not immediately");
      }
    }
  }

  @Test
  void aClientThatDoesNotReadPinsLittle() throws Exception {
    try (Server server = new Server(options().with(StoreKind.PINNED));
        Jedis client = connect(server)) {
      client.set(bytes("large"), random(1 << 20));
      try (Socket slow = new Socket("127.0.0.1", server.address().getPort())) {
        byte[] get = bytes("*2\r\n$3\r\nGET\r\n$5\r\nlarge\r\n");
        for (int i = 0; i < 500; i++) {
          slow.getOutputStream().write(get);
        }
        Thread.sleep(300);
        assertTrue(server.pins() <= 5, () -> server.pins() + " pins");
        InputStream in = slow.getInputStream();
        assertEquals(500 * ("$1048576\r\n\r\n".length() + (1L << 20)), skip(in, 500 * ((1L << 20) + 12)));
      }
      assertEquals("PONG", client.ping());
      awaitNoPins(server);
    }
  }

  private static long skip(InputStream in, long count) throws IOException {
    in.skipNBytes(count);
    return count;
  }

  @Test
  void tooMuchOnItsWayOutIsRefused() throws Exception {
    try (Server server = new Server(options().with(ServerLimits.DEFAULT.with("--max-pinned", 100_000)));
        Jedis client = connect(server)) {
      client.set(bytes("large"), random(100_001));
      client.set(bytes("small"), random(50_000));
      assertRefused("BUSY too much is on its way out: try again", () -> client.get(bytes("large")));
      assertArrayEquals(random(50_000), client.get(bytes("small")));
    }
  }

  @Test
  void patternsAreThoseOfRedis() {
    assertTrue(new Glob(bytes("*")).matches(bytes("")));
    assertTrue(new Glob(bytes("h?llo*")).matches(bytes("hallo world")));
    assertTrue(new Glob(bytes("h[ae]llo")).matches(bytes("hello")));
    assertTrue(!new Glob(bytes("h[^e]llo")).matches(bytes("hello")));
    assertTrue(new Glob(bytes("[a-c][z-x]")).matches(bytes("by")));
    assertTrue(new Glob(bytes("a\\*b")).matches(bytes("a*b")));
    assertTrue(!new Glob(bytes("a\\*b")).matches(bytes("axb")));
    assertTrue(new Glob(bytes("*a*b*")).matches(bytes("xxaxxbxx")));
    assertTrue(!new Glob(bytes("*a*b")).matches(bytes("xxaxxbxx")));
    assertTrue(!new Glob(bytes("a")).matches(bytes("")));
    assertTrue(!new Glob(bytes("[")).matches(bytes("[")));
    String stars = "*a".repeat(50);
    assertTrue(!new Glob(bytes(stars + "b")).matches(bytes("a".repeat(10_000))), "in reasonable time");
  }

  @Test
  void aCommandLineThatIsWrongIsExplained() {
    for (String wrong :
        List.of("", "--dir", "--dir x --port x", "--dir x --port 70000", "--dir x --tls a", "--dir x --transport y",
            "-x")) {
      String[] arguments = wrong.isEmpty() ? new String[0] : wrong.split(" ");
      assertThrows(IllegalArgumentException.class, () -> ServerOptions.parse(arguments));
    }
    ServerOptions parsed =
        ServerOptions.parse("--dir", "x", "--port", "0", "--copy", "--max-argument", "5", "--idle", "7");
    assertEquals(StoreKind.JNI, parsed.store());
    assertEquals(5, parsed.limits().valueBytes());
    assertEquals("127.0.0.1", parsed.host());
    assertEquals(Duration.ofSeconds(7), parsed.limits().idle());
  }
}
