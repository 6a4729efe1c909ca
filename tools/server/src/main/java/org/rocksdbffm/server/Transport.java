/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;

/** Netty's transports: the kernel interfaces for its sockets. */
public enum Transport {
  NIO(NioServerSocketChannel.class) {
    @Override
    boolean isAvailable() {
      return true;
    }

    @Override
    IoHandlerFactory factory() {
      return NioIoHandler.newFactory();
    }
  },
  EPOLL(EpollServerSocketChannel.class) {
    @Override
    boolean isAvailable() {
      return Epoll.isAvailable();
    }

    @Override
    IoHandlerFactory factory() {
      return EpollIoHandler.newFactory();
    }
  },
  IO_URING(IoUringServerSocketChannel.class) {
    @Override
    boolean isAvailable() {
      return IoUring.isAvailable();
    }

    @Override
    IoHandlerFactory factory() {
      return IoUringIoHandler.newFactory();
    }
  };

  final Class<? extends ServerSocketChannel> server;

  Transport(Class<? extends ServerSocketChannel> server) {
    this.server = server;
  }

  abstract boolean isAvailable();

  abstract IoHandlerFactory factory();
}
