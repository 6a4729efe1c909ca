/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.benchmarks;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * The turns of this JVM, if several JVMs measure alternately, each for a short time, so that a disturbance of the
 * machine affects all of them. All threads of a JVM share its turns: the first thread requests each, and the others
 * sleep, so that they use no CPU time of the JVM that measures.
 */
public final class MachineTurn {
  /** The system property with the socket of the conductor, which grants turns; without it, this JVM never waits. */
  public static final String SOCKET = "org.rocksdbffm.jmh.turns";

  /** The system property with the number of this JVM among the players. */
  public static final String PLAYER = "org.rocksdbffm.jmh.player";

  private final SocketChannel conductor; // null if only this JVM measures
  private boolean isOn;

  private MachineTurn(SocketChannel conductor) {
    this.conductor = conductor;
  }

  /** Returns the turns of this JVM, from its system properties. */
  static MachineTurn ofThis() throws IOException {
    String socket = System.getProperty(SOCKET);
    return new MachineTurn(socket == null ? null : join(socket, Integer.getInteger(PLAYER)));
  }

  /**
   * Connects to the conductor as one of the expected players.
   *
   * @param socket where the conductor listens
   * @return the connection, on which the player reports that it is ready, and the conductor grants turns
   */
  public static SocketChannel join(String socket, int player) throws IOException {
    SocketChannel conductor = SocketChannel.open(StandardProtocolFamily.UNIX);
    conductor.connect(UnixDomainSocketAddress.of(socket));
    conductor.write(ByteBuffer.wrap(new byte[] {(byte) player}));
    return conductor;
  }

  /** Reports that this JVM is ready, and waits until the conductor lets it measure. */
  synchronized void await() throws IOException {
    if (conductor != null && !isOn) {
      notifyConductor();
      if (conductor.read(ByteBuffer.allocate(1)) < 0) {
        throw new IOException("Nobody gives turns any more");
      }
      isOn = true;
    }
  }

  /** Ends the turn, unless another thread has ended it. Called when all threads have finished measuring. */
  synchronized void end() throws IOException {
    if (conductor != null && isOn) {
      isOn = false;
      notifyConductor();
    }
  }

  private void notifyConductor() throws IOException {
    conductor.write(ByteBuffer.allocate(1));
  }
}
