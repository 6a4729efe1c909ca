/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A server that gives the same response to all requests, except that it reports every object as existing. It closes
 * connections without reading a body.
 */
final class Refusal implements AutoCloseable {
  private static final String EXISTS = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

  private final ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final String answer;

  Refusal(int status, String body) throws IOException {
    this.answer =
        "HTTP/1.1 " + status + " Refused\r\nContent-Type: application/xml\r\nContent-Length: " + body.length()
            + "\r\nConnection: close\r\n\r\n" + body;
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return door.getLocalPort();
  }

  private void accept() {
    while (!door.isClosed()) {
      try (Socket client = door.accept()) {
        String head = head(client.getInputStream());
        client.getOutputStream().write((head.startsWith("HEAD ") ? EXISTS : answer).getBytes(UTF_8));
        client.getOutputStream().flush();
      } catch (IOException e) {
        continue; // the client has closed the connection first, or the test has ended
      }
    }
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("closed");
      }
      head.append((char) next);
    }
    return head.toString();
  }

  @Override
  public void close() throws IOException {
    door.close();
  }
}
