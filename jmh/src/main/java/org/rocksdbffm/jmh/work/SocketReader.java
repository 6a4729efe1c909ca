/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** A Unix domain socket that reads and discards all data, each connection on a separate thread. */
public final class SocketReader implements AutoCloseable {
  private static final int BUFFER_SIZE = 256 << 10;

  private final Path path;
  private final ServerSocketChannel server;
  private final AtomicLong received = new AtomicLong();
  private final CountDownLatch ended = new CountDownLatch(1);

  public SocketReader(Path path) throws IOException {
    this.path = path;
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(path));
    start("accept", this::accept);
  }

  public Path path() {
    return path;
  }

  /** Returns the number of bytes received so far. */
  public long received() {
    return received.get();
  }

  private interface Task {
    void run() throws IOException;
  }

  private static void start(String name, Task task) {
    Thread.ofPlatform()
        .daemon()
        .name("drain-" + name)
        .start(
            () -> {
              try {
                task.run();
              } catch (IOException closed) {
                // The sender or the reader is closed.
              }
            });
  }

  private void accept() throws IOException {
    while (true) {
      SocketChannel connection = server.accept();
      start("read", () -> read(connection));
    }
  }

  private void read(SocketChannel connection) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);
    try (connection) {
      for (int size = connection.read(buffer); size >= 0; size = connection.read(buffer.clear())) {
        received.addAndGet(size);
      }
    } finally {
      ended.countDown();
    }
  }

  /** Waits until the first sender has closed its connection, and all its data was received. */
  public void awaitEnd() throws InterruptedException {
    ended.await();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
