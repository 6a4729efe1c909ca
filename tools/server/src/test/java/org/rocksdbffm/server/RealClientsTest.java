/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the requests of real Redis clients, byte for byte as taken from the wire, and the answers to them. */
class RealClientsTest {
  @TempDir Path folder;
  private Server server;

  @BeforeEach
  void start() throws Exception {
    server = new Server(ServerOptions.of(folder.resolve("db")));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket("127.0.0.1", server.address().getPort());
    socket.setSoTimeout(60_000);
    return socket;
  }

  /** Reads up to a text and including it; throws if the server sends nothing more before it. */
  private static String readTo(Socket client, String end) throws IOException {
    var read = new StringBuilder();
    while (read.indexOf(end) < 0) {
      int next = client.getInputStream().read();
      assertTrue(next >= 0, () -> "closed after " + read);
      read.append((char) next);
    }
    return read.toString();
  }

  private static void assertAnswer(Socket client, String sent, String expected) throws IOException {
    client.getOutputStream().write(sent.getBytes(StandardCharsets.ISO_8859_1));
    byte[] answer = client.getInputStream().readNBytes(expected.length());
    assertEquals(expected, new String(answer, StandardCharsets.ISO_8859_1));
  }

  private static String command(String... words) {
    var text = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      text.append("$").append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    return text.toString();
  }

  /** redis-py 8.1.0, {@code redis.Redis(port=6380)}. */
  @Test
  void redisPyBeginsWithTheThirdVersionOfTheProtocol() throws IOException {
    try (Socket client = connect()) {
      client.getOutputStream().write(command("HELLO", "3").getBytes());
      String greeting = readTo(client, "$7\r\nmodules\r\n*0\r\n");
      assertEquals("%7\r\n$6\r\nserver\r\n$11\r\nrocksdb-ffm\r\n", greeting.substring(0, 34));
      assertAnswer(
          client,
          command("CLIENT", "MAINT_NOTIFICATIONS", "ON", "moving-endpoint-type", "internal-fqdn"),
          "-ERR unknown subcommand of CLIENT\r\n"); // the client expects this error from older servers
      assertAnswer(client, command("CLIENT", "SETINFO", "LIB-NAME", "redis-py"), "+OK\r\n");
      assertAnswer(client, command("CLIENT", "SETINFO", "LIB-VER", "8.1.0"), "+OK\r\n");
      assertAnswer(client, command("PING"), "+PONG\r\n");
      assertAnswer(client, command("GET", "none"), "_\r\n");
      assertAnswer(client, command("MGET", "none", "none"), "*2\r\n_\r\n_\r\n");
      assertAnswer(client, command("CONFIG", "GET", "save"), "%1\r\n$4\r\nsave\r\n$0\r\n\r\n");
      assertAnswer(client, command("HELLO", "4"), "-NOPROTO unsupported protocol version\r\n");
    }
  }

  /** {@code redis-cli --pipe} 7.0.15 adds an empty line and an ECHO of random bytes to its input. */
  @Test
  void redisCliEndsItsPipeWithAnEmptyLine() throws IOException {
    try (Socket client = connect()) {
      String echoed = "!.)\u0013\u00f3\u00adiw\u0015 Aa$\u00b6\u009f\u00d6\u0081\u0007R\u00f5";
      assertAnswer(
          client,
          command("SET", "a", "b") + "\r\n" + command("ECHO", echoed),
          "+OK\r\n$20\r\n" + echoed + "\r\n");
    }
  }

  /** {@code redis-benchmark} 7.0.15 requests the server's configuration, and starts with an inline command. */
  @Test
  void redisBenchmarkSendsLines() throws IOException {
    try (Socket client = connect()) {
      assertAnswer(
          client,
          command("CONFIG", "GET", "save") + command("CONFIG", "GET", "appendonly"),
          "*2\r\n$4\r\nsave\r\n$0\r\n\r\n*2\r\n$10\r\nappendonly\r\n$3\r\nyes\r\n");
      assertAnswer(client, "PING\r\n", "+PONG\r\n");
      assertAnswer(client, command("SET", "key:__rand_int__", "VXK"), "+OK\r\n");
      assertAnswer(client, command("GET", "key:__rand_int__"), "$3\r\nVXK\r\n");
    }
  }

  /** The first commands of an interactive {@code redis-cli} 7.0.15. */
  @Test
  void redisCliAsksForTheDocumentationOfCommands() throws IOException {
    try (Socket client = connect()) {
      assertAnswer(client, command("COMMAND", "DOCS"), "*0\r\n");
      assertAnswer(client, command("SELECT", "0"), "+OK\r\n");
      assertAnswer(client, command("SELECT", "1"), "-ERR DB index is out of range: there is 0\r\n");
      assertAnswer(client, command("DBSIZE"), ":0\r\n");
    }
  }
}
