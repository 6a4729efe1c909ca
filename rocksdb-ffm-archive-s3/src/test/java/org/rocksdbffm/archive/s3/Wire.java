/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive.s3;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Forwards connections to a server on this machine, and cuts them when a rule requires it. */
public final class Wire implements AutoCloseable {
  /** Decides whether bytes are forwarded. */
  public interface Rule {
    /**
     * Returns whether bytes are passed on; otherwise the connection is cut.
     *
     * @param isRequest whether the client sends them
     * @param total the bytes of the connection in this direction so far
     */
    boolean passes(boolean isRequest, long total) throws InterruptedException;
  }

  private final ServerSocket door;
  private final int server;
  private volatile Rule rule = (isRequest, total) -> true;

  public Wire(int server) throws IOException {
    this.server = server;
    this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  public int port() {
    return door.getLocalPort();
  }

  public void rule(Rule next) {
    rule = next;
  }

  private void accept() {
    while (!door.isClosed()) {
      try {
        Socket client = door.accept();
        Socket target = new Socket(InetAddress.getLoopbackAddress(), server);
        Thread.ofVirtual().start(() -> pass(client, target, true));
        Thread.ofVirtual().start(() -> pass(target, client, false));
      } catch (IOException e) {
        continue; // the server is not running, or the test has ended
      }
    }
  }

  private void pass(Socket from, Socket to, boolean isRequest) {
    byte[] bytes = new byte[1 << 14];
    try (from; to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      long total = 0;
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        total += count;
        if (!rule.passes(isRequest, total)) {
          return;
        }
        out.write(bytes, 0, count);
      }
    } catch (IOException | InterruptedException e) {
      return; // the other direction was cut
    }
  }

  @Override
  public void close() throws IOException {
    door.close();
  }
}
