/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.rocksdbffm.jmh.benchmarks.MachineTurn;

/** Grants turns to JVMs that measure alternately, after all are ready, until all have ended. */
final class Conductor implements AutoCloseable {
  private final Path folder;
  private final ServerSocketChannel server;
  private final Thread conducting;

  /** Creates a conductor for a number of players, numbered from 0. */
  Conductor(int players) throws IOException {
    folder = Files.createTempDirectory("rocksdb-ffm-turns-");
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket()));
    conducting = Thread.ofPlatform().daemon().name("turns").start(() -> conduct(players));
  }

  Path socket() {
    return folder.resolve("socket");
  }

  private void conduct(int players) {
    try {
      List<SocketChannel> playing = gather(players);
      // The first turn waits until all are ready, because a player that warms up would disturb the others.
      playing.removeIf(player -> !isHeardFrom(player));
      while (!playing.isEmpty()) {
        playing.removeIf(player -> !plays(player));
      }
    } catch (IOException closed) {
      return; // no player waits for turns
    }
  }

  private List<SocketChannel> gather(int players) throws IOException {
    Map<Integer, SocketChannel> arrived = new TreeMap<>();
    while (arrived.size() < players) {
      SocketChannel player = server.accept();
      ByteBuffer number = ByteBuffer.allocate(1);
      if (player.read(number) < 0 || arrived.putIfAbsent((int) number.get(0), player) != null) {
        player.close();
      }
    }
    return new ArrayList<>(arrived.values());
  }

  /** Lets a ready player measure, and waits until it is ready again; false if it has ended. */
  private static boolean plays(SocketChannel player) {
    try {
      player.write(ByteBuffer.allocate(1));
    } catch (IOException ended) {
      return false;
    }
    return isHeardFrom(player) && isHeardFrom(player);
  }

  private static boolean isHeardFrom(SocketChannel player) {
    try {
      if (player.read(ByteBuffer.allocate(1)) > 0) {
        return true;
      }
      player.close();
      return false;
    } catch (IOException ended) {
      return false;
    }
  }

  /** Reports the end of a player, which may never have connected, so that the others do not wait for it. */
  void hasEnded(int player) {
    try {
      MachineTurn.join(socket().toString(), player).close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** To be called after all players have ended. */
  @Override
  public void close() throws IOException {
    server.close();
    Files.delete(socket());
    Files.delete(folder);
  }
}
