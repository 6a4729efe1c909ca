/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import io.netty.buffer.PooledByteBufAllocator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Collects the warnings that Netty logs until this is closed: leaked buffers, and failed tasks. */
final class NettyWarnings extends Handler implements AutoCloseable {
  private final Logger logger = Logger.getLogger("io.netty");
  private final List<String> warnings = new CopyOnWriteArrayList<>();

  NettyWarnings() {
    logger.addHandler(this);
  }

  /** Returns the warnings, after a garbage collection and a check of Netty's leak detector. */
  List<String> all() throws InterruptedException {
    for (int i = 0; i < 10; i++) {
      System.gc();
      Thread.sleep(20);
      PooledByteBufAllocator.DEFAULT.directBuffer().release();
      PooledByteBufAllocator.DEFAULT.compositeBuffer().release();
    }
    return warnings;
  }

  @Override
  public void publish(LogRecord message) {
    if (message.getLevel().intValue() >= Level.WARNING.intValue()) {
      warnings.add(message.getMessage() + (message.getThrown() == null ? "" : ": " + message.getThrown()));
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
