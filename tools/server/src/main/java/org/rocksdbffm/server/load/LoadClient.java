/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import javax.net.SocketFactory;

/**
 * A connection that requests values of one size and discards them. It uses little CPU time, so that the server is
 * measured: requests are prepared in advance, and replies, whose length is known, are skipped.
 */
public final class LoadClient implements AutoCloseable {
  private static final int KEYS_WRITTEN = 1024;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final byte[] scratch = new byte[256 << 10];
  private final byte[][] requests = new byte[KEYS_WRITTEN][];
  private int pipelined;
  private long answerSize;

  LoadClient(InetSocketAddress address, SocketFactory sockets) throws IOException {
    socket = sockets.createSocket(address.getAddress(), address.getPort());
    socket.setTcpNoDelay(true);
    in = socket.getInputStream();
    out = socket.getOutputStream();
  }

  /** Prepares the requests. */
  void prepare(LoadRows data, int pipelined) {
    for (int i = 0; i < requests.length; i++) {
      requests[i] = request(data.size(), data.keys(), pipelined);
    }
    this.pipelined = pipelined;
    answerSize = ("$" + data.size() + "\r\n\r\n").length() + data.size();
  }

  /** Repeats the requests until a time; returns the number of requests. */
  long run(long end) throws IOException {
    long count = 0;
    for (int i = 0; System.nanoTime() < end; i++) {
      out.write(requests[i % requests.length]);
      skip(pipelined * answerSize);
      count += pipelined;
    }
    return count;
  }

  private static byte[] request(int size, int keys, int pipelined) {
    var text = new StringBuilder();
    for (int i = 0; i < pipelined; i++) {
      String key = LoadRows.key(size, ThreadLocalRandom.current().nextInt(keys));
      text.append("*2\r\n$3\r\nGET\r\n$").append(key.length()).append("\r\n").append(key).append("\r\n");
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private void skip(long bytes) throws IOException {
    for (long left = bytes; left > 0; ) {
      int count = in.read(scratch, 0, (int) Math.min(left, scratch.length));
      if (count < 0) {
        throw new IOException("the server closed the connection");
      }
      if (left == bytes && scratch[0] != '$') {
        throw new IOException("the server says " + new String(scratch, 0, count, StandardCharsets.UTF_8));
      }
      left -= count;
    }
  }

  /** Returns a number from the server's INFO. */
  long info(String name) throws IOException {
    return infos(name)[0];
  }

  /** Returns numbers from one INFO of the server. */
  long[] infos(String... names) throws IOException {
    out.write("*1\r\n$4\r\nINFO\r\n".getBytes(StandardCharsets.US_ASCII));
    String answer = new String(scratch, 0, in.read(scratch), StandardCharsets.UTF_8);
    long[] numbers = new long[names.length];
    for (int i = 0; i < names.length; i++) {
      int at = answer.indexOf(names[i] + ":") + names[i].length() + 1;
      numbers[i] = Long.parseLong(answer.substring(at, answer.indexOf('\r', at)));
    }
    return numbers;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
