/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples.follower;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdbffm.DatabaseFiles;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;

/** Sends the writes of a database to its followers, on a separate thread for each. */
public final class Primary implements AutoCloseable {
  private static final long POLL_MILLIS = 5;

  private final RocksDb db;
  private final Path folder;
  private final ServerSocketChannel socket;
  private final AtomicInteger checkpoints = new AtomicInteger();

  /**
   * Starts to serve followers on the loopback interface.
   *
   * @param db the database, which the caller closes after this
   * @param folder the folder of the database; checkpoints are created next to it
   * @param port the port, or 0 for any free port
   */
  public Primary(RocksDb db, Path folder, int port) throws IOException {
    this.db = db;
    this.folder = folder;
    socket = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    Thread.ofPlatform().name("primary").daemon().start(this::accept);
  }

  public int port() {
    return socket.socket().getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        SocketChannel follower = socket.accept();
        Thread.ofPlatform().name("for a follower").daemon().start(() -> serve(follower));
      }
    } catch (ClosedChannelException closed) {
      return;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void serve(SocketChannel follower) {
    try (follower) {
      while (follower.isConnected()) {
        send(follower, Wire.readNumber(follower));
      }
    } catch (IOException closed) {
      return; // the follower connects again
    } catch (IllegalStateException closed) {
      return; // the database or this is closed
    }
  }

  /** Sends batches while the WAL contains the next write; otherwise a checkpoint. */
  private void send(SocketChannel follower, long next) throws IOException {
    if (next > 0 && next <= db.files().latestSequenceNumber() + 1) {
      try (DatabaseFiles.LogReader log = db.files().logSince(next)) {
        while (socket.isOpen()) {
          if (log.next()) {
            log.batch(bytes -> send(follower, bytes.asByteBuffer()));
          } else {
            pause();
          }
        }
        return;
      } catch (RocksDbException e) {
        if (e.code() != RocksDbException.Code.NOT_FOUND && e.code() != RocksDbException.Code.NOT_SUPPORTED) {
          throw e;
        }
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }
    CheckpointFiles.send(db,
        folder.resolveSibling(folder.getFileName() + ".checkpoint" + checkpoints.incrementAndGet()), follower);
  }

  /** Sends a batch from the engine's memory, without a copy in the heap. */
  private static Void send(SocketChannel follower, ByteBuffer bytes) {
    try {
      ByteBuffer header = ByteBuffer.allocate(1 + Integer.BYTES).put(Wire.BATCH).putInt(bytes.remaining()).flip();
      Wire.write(follower, header, bytes);
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void pause() {
    try {
      Thread.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stops serving followers. */
  @Override
  public void close() throws IOException {
    socket.close();
  }
}
