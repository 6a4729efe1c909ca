/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples.server;

import io.netty.buffer.PooledByteBufAllocator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What Netty's leak detector says meanwhile. */
final class LeakReports extends Handler implements AutoCloseable {
  private final Logger logger = Logger.getLogger("io.netty.util.ResourceLeakDetector");
  private final List<String> reports = new CopyOnWriteArrayList<>();

  LeakReports() {
    logger.addHandler(this);
  }

  /** The reports, after the collector found what there is, and the detector was made to look. */
  List<String> all() throws InterruptedException {
    for (int i = 0; i < 10; i++) {
      System.gc();
      Thread.sleep(20);
      PooledByteBufAllocator.DEFAULT.directBuffer().release();
      PooledByteBufAllocator.DEFAULT.compositeBuffer().release();
    }
    return reports;
  }

  @Override
  public void publish(LogRecord message) {
    if (message.getMessage().contains("LEAK")) {
      reports.add(message.getMessage());
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
