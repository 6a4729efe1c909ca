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
import org.rocksdbffm.jmh.benchmarks.Turn;

/** Gives turns to JVMs that measure beside each other, as soon as all are ready, until all have gone. */
final class Conductor implements AutoCloseable {
  private final Path folder;
  private final ServerSocketChannel server;
  private final Thread conducting;

  /** Expects the players from 0 to a number. */
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
      // A player that is still warming up would disturb the others, so the first turn waits until all are ready.
      playing.removeIf(player -> !isHeardFrom(player));
      while (!playing.isEmpty()) {
        playing.removeIf(player -> !plays(player));
      }
    } catch (IOException closed) {
      return; // nobody waits for turns any more
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

  /** Lets a player that is ready measure, and waits until it is ready again; false once it has gone. */
  private static boolean plays(SocketChannel player) {
    try {
      player.write(ByteBuffer.allocate(1));
    } catch (IOException gone) {
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
    } catch (IOException gone) {
      return false;
    }
  }

  /** Says that a player has ended, which may never have come: the others need not wait for it. */
  void hasEnded(int player) {
    try {
      Turn.join(socket().toString(), player).close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Once all players have ended. */
  @Override
  public void close() throws IOException {
    server.close();
    Files.delete(socket());
    Files.delete(folder);
  }
}
