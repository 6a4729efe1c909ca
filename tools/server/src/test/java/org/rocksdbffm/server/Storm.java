/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.server.load.LoadFolder;

/**
 * Clients that request values and disconnect at random times: before, during or after the reply, or within a command,
 * with or without QUIT. Also a program: {@code Storm REQUESTS TRANSPORT SEED [closed]}.
 */
final class Storm {
  private static final int[] SIZES = {50, 2_000, 5_000, 30_000, 200_000};
  private static final int CLIENTS = 8;

  private final Server server;
  private final InetSocketAddress address;
  private final long requests;
  private final long seed;
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();

  Storm(Server server, long requests, long seed) {
    this.server = server;
    this.seed = seed;
    this.address = server.address();
    this.requests = requests;
  }

  static void fill(Path folder) {
    try (RocksDb db = RocksDb.open(folder)) {
      for (int i = 0; i < 100; i++) {
        byte[] value = new byte[SIZES[i % SIZES.length]];
        new Random(i).nextBytes(value);
        db.put(("key" + i).getBytes(StandardCharsets.US_ASCII), value);
      }
      db.flush();
    }
  }

  /** Runs all requests, and {@code half} after half of them; then waits until no value is pinned. */
  void run(Runnable half) throws InterruptedException {
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Random random = new Random(CLIENTS * seed + i);
      clients.add(Thread.ofPlatform().start(() -> client(random)));
    }
    while (sent.get() < requests / 2) {
      Thread.sleep(1);
    }
    half.run();
    for (Thread client : clients) {
      client.join();
    }
    for (int i = 0; i < 6000 && server.pins() != 0; i++) {
      Thread.sleep(10);
    }
  }

  long answered() {
    return answered.get();
  }

  private void client(Random random) {
    while (sent.get() < requests) {
      try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
        socket.setSoTimeout(60_000);
        if (random.nextInt(4) == 0) {
          socket.setSoLinger(true, 0); // the close resets the connection
        }
        for (int i = random.nextInt(4); i >= 0 && sent.get() < requests; i--) {
          talk(socket, random);
        }
      } catch (IOException e) {
        // The server has closed the connection first.
      }
    }
  }

  private void talk(Socket socket, Random random) throws IOException {
    var request = new ByteArrayOutputStream();
    int count = 1 + random.nextInt(50);
    for (int i = 0; i < count; i++) {
      String key = "key" + random.nextInt(101); // one of these keys is missing
      String command =
          random.nextInt(10) == 0
              ? "*3\r\n$4\r\nMGET\r\n$4\r\nkey7\r\n$" + key.length() + "\r\n" + key + "\r\n"
              : "*2\r\n$3\r\nGET\r\n$" + key.length() + "\r\n" + key + "\r\n";
      request.writeBytes(command.getBytes(StandardCharsets.US_ASCII));
    }
    boolean half = random.nextInt(10) == 0;
    socket.getOutputStream().write(request.toByteArray(), 0, half ? request.size() - 7 : request.size());
    sent.addAndGet(count);
    switch (random.nextInt(4)) {
      case 0 -> throw new IOException("gone at once");
      case 1 -> {
        socket.setSoTimeout(100); // the replies of a closed database are short
        socket.getInputStream().skipNBytes(random.nextInt(100_000) % 3000);
        throw new IOException("gone in the middle");
      }
      default -> {
        if (half) {
          throw new IOException("gone within a command");
        }
        for (int i = 0; i < count; i++) {
          readAnswer(socket.getInputStream());
          answered.incrementAndGet();
        }
      }
    }
  }

  private static void readAnswer(InputStream in) throws IOException {
    String line = readLine(in);
    switch (line.charAt(0)) {
      case '-' -> {}
      case '$' -> {
        int size = Integer.parseInt(line.substring(1));
        if (size >= 0) {
          in.skipNBytes(size + 2);
        }
      }
      case '*' -> {
        for (int i = Integer.parseInt(line.substring(1)); i > 0; i--) {
          readAnswer(in);
        }
      }
      default -> throw new AssertionError("the server says " + line);
    }
  }

  private static String readLine(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int c = in.read(); c != '\r'; c = in.read()) {
      if (c < 0) {
        throw new IOException("closed");
      }
      line.append((char) c);
    }
    in.skipNBytes(1);
    return line.toString();
  }

  /**
   * Runs the given number of requests twice. In the second run, which is the only one with {@code closed}, the database
   * is closed after half of them.
   */
  public static void main(String[] arguments) throws Exception {
    long requests = Long.parseLong(arguments[0]);
    Transport transport = Transport.valueOf(arguments[1]);
    long seed = Long.parseLong(arguments[2]);
    boolean closedAlone = arguments.length > 3 && arguments[3].equals("closed");
    try (LoadFolder folder = LoadFolder.create()) {
      run(folder.path(), requests, transport, seed, closedAlone);
    }
  }

  private static void run(Path folder, long requests, Transport transport, long seed,
      boolean closedAlone) throws Exception {
    fill(folder);
    for (boolean close : closedAlone ? new boolean[] {true} : new boolean[] {false, true}) {
      long begin = System.nanoTime();
      try (var netty = new NettyWarnings();
          Server server = new Server(ServerOptions.of(folder).with(transport))) {
        var storm = new Storm(server, requests, seed);
        storm.run(close ? server.store()::close : () -> {});
        System.out.printf(
            "%s%s: %d requests, %d answered, %d pins left, %d warnings of Netty's, %d s%n",
            transport,
            close ? " with the database closed in the middle" : "",
            storm.sent.get(),
            storm.answered(),
            server.pins(),
            netty.all().size(),
            (System.nanoTime() - begin) / 1_000_000_000);
      }
      RocksDb.open(folder).close();
    }
  }
}
