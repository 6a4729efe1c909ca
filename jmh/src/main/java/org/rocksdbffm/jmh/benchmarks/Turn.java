/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.benchmarks;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * The turns of this JVM, if several measure beside each other: each measures for a moment, and then the next does. So
 * whatever the machine does for a second or two, it does to all. A turn belongs to all threads of a JVM: the first that
 * comes asks for it, and the others sleep meanwhile, so that they take nothing from the JVM that measures.
 */
public final class Turn {
  /** The system property that names the socket of the conductor, which gives the turns; without it they are free. */
  public static final String SOCKET = "org.rocksdbffm.jmh.turns";

  /** The system property with the number of this JVM among the players. */
  public static final String PLAYER = "org.rocksdbffm.jmh.player";

  private final SocketChannel conductor; // null: nobody else plays
  private boolean isOn;

  private Turn(SocketChannel conductor) {
    this.conductor = conductor;
  }

  /** The turns that this JVM was started for. */
  static Turn ofThis() throws IOException {
    String socket = System.getProperty(SOCKET);
    return new Turn(socket == null ? null : join(socket, Integer.getInteger(PLAYER)));
  }

  /**
   * Connects to the conductor as one of the players that it expects.
   *
   * @param socket where the conductor listens
   * @return the connection, by which the player says that it is ready, and the conductor that it may go
   */
  public static SocketChannel join(String socket, int player) throws IOException {
    SocketChannel conductor = SocketChannel.open(StandardProtocolFamily.UNIX);
    conductor.connect(UnixDomainSocketAddress.of(socket));
    conductor.write(ByteBuffer.wrap(new byte[] {(byte) player}));
    return conductor;
  }

  /** Says that this JVM is ready, and waits until it is its turn. */
  synchronized void await() throws IOException {
    if (conductor != null && !isOn) {
      tell();
      if (conductor.read(ByteBuffer.allocate(1)) < 0) {
        throw new IOException("Nobody gives turns any more");
      }
      isOn = true;
    }
  }

  /** Ends the turn, if no other thread has: all of them have measured by then. */
  synchronized void end() throws IOException {
    if (conductor != null && isOn) {
      isOn = false;
      tell();
    }
  }

  private void tell() throws IOException {
    conductor.write(ByteBuffer.allocate(1));
  }
}
