/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import org.rocksdbffm.server.protocol.Log;

/**
 * Keeps an event loop running after an Error: Netty's transports throw it out of the loop, so that its thread would end
 * because memory ran out for one client. Some socket has missed an event, but it is unknown which one, so all
 * connections of the loop are closed; the close is repeated until it succeeds.
 */
final class EnduringIo implements IoHandler {
  private final IoHandler sockets;
  private final Runnable missed;
  private boolean hasMissed;

  private EnduringIo(IoHandler sockets, Runnable missed) {
    this.sockets = sockets;
    this.missed = missed;
  }

  /** Wraps a factory; after an Error, the task runs on the loop's thread. */
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
