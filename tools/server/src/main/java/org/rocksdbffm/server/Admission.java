/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import com.sun.management.UnixOperatingSystemMXBean;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.rocksdbffm.server.protocol.Log;

/**
 * Limits the number of connections, and contains the group of open connections. If the system runs out of file
 * descriptors, the server accepts no connections for a while, and then tries again.
 */
final class Admission extends ChannelInboundHandlerAdapter {
  private static final int PAUSE_SECONDS = 1;
  private static final byte[] REFUSAL = "-ERR max number of clients reached\r\n".getBytes(StandardCharsets.US_ASCII);

  private final int most;
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

  /** Reserves half of the free file descriptors for the database's files. */
  Admission(int most) {
    this.most = (int) Math.max(1, Math.min(most, freeDescriptors() / 2));
  }

  private static long freeDescriptors() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        ? system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount()
        : Long.MAX_VALUE;
  }

  int most() {
    return most;
  }

  ChannelGroup connections() {
    return connections;
  }

  /** Whether the connection is accepted; otherwise the client gets an error, and the connection is closed. */
  boolean admits(Channel client) {
    if (connections.size() >= most) {
      client.writeAndFlush(Unpooled.wrappedBuffer(REFUSAL)).addListener(ChannelFutureListener.CLOSE);
      return false;
    }
    connections.add(client);
    return true;
  }

  /** Pauses after a connection could not be accepted; the listening channel stays open. */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Channel listener = context.channel();
    if (listener.config().isAutoRead()) {
      listener.config().setAutoRead(false);
      context.executor().schedule(() -> listener.config().setAutoRead(true), PAUSE_SECONDS, TimeUnit.SECONDS);
      Log.warn("nobody can connect now", cause);
    }
  }
}
