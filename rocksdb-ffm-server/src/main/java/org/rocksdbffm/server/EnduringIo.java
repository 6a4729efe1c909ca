/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import org.rocksdbffm.server.protocol.Log;

/**
 * An event loop's sockets, which outlive an Error: Netty's transports throw it out of the loop, whose thread then ends, for
 * the lack of memory of one client. Some socket has missed an event by it, and which one is not known, so the loop is told
 * to close those of its clients, and again until it could.
 */
final class EnduringIo implements IoHandler {
  private final IoHandler sockets;
  private final Runnable missed;
  private boolean hasMissed;

  private EnduringIo(IoHandler sockets, Runnable missed) {
    this.sockets = sockets;
    this.missed = missed;
  }

  /** The same sockets; what a loop does after an Error is run on its thread. */
  static IoHandlerFactory of(IoHandlerFactory factory, Runnable missed) {
    return executor -> new EnduringIo(factory.newHandler(executor), missed);
  }

  @Override
  public int run(IoHandlerContext context) {
    try {
      if (hasMissed) {
        missed.run();
        hasMissed = false;
      }
      return sockets.run(context);
    } catch (Error e) {
      hasMissed = true;
      Log.warn("an event loop goes on, and closes its connections", e);
      return 0;
    }
  }

  @Override
  public void initialize() {
    sockets.initialize();
  }

  @Override
  public void prepareToDestroy() {
    sockets.prepareToDestroy();
  }

  @Override
  public void destroy() {
    sockets.destroy();
  }

  @Override
  public IoRegistration register(IoHandle handle) throws Exception {
    return sockets.register(handle);
  }

  @Override
  public void wakeup() {
    sockets.wakeup();
  }

  @Override
  public boolean isCompatible(Class<? extends IoHandle> type) {
    return sockets.isCompatible(type);
  }
}
