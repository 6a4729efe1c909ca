/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.protocol;

import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * A log that never throws. Most warnings say that something ran out, and then a log may need just that: without file
 * descriptors its time zones cannot be read, and what it throws ends the thread that logs, which is an event loop.
 */
public final class Log {
  private static final Logger LOGGER = Logger.getLogger(Log.class.getPackageName());

  private static final long PAUSE_NANOS = 1_000_000_000;

  private static final AtomicLong last = new AtomicLong(System.nanoTime() - PAUSE_NANOS);
  private static final AtomicLong untold = new AtomicLong();

  private Log() {}

  /** For the whole process, and so for Netty too: reads what a log needs while that can be read, and guards the rest. */
  public static void prepare() {
    LogRecord sample = new LogRecord(Level.WARNING, "a sample");
    sample.setThrown(new IllegalStateException());
    new SimpleFormatter().format(sample);
    Logger root = Logger.getLogger("");
    for (Handler handler : root.getHandlers()) {
      root.removeHandler(handler);
      root.addHandler(new Guarded(handler));
    }
  }

  /** One of these a second, for a client may bring about as many as it likes; the others are counted. */
  public static void warn(String message, Throwable thrown) {
    try {
      long now = System.nanoTime();
      long before = last.get();
      if (now - before < PAUSE_NANOS || !last.compareAndSet(before, now)) {
        untold.incrementAndGet();
      } else {
        long others = untold.getAndSet(0);
        LOGGER.log(Level.WARNING, others == 0 ? message : message + " (" + others + " warnings before were not told)", thrown);
      }
    } catch (Throwable e) {
      // It cannot be told.
    }
  }

  /** Passes on what is logged, and nothing that is thrown. */
  private static final class Guarded extends Handler {
    private final Handler handler;

    Guarded(Handler handler) {
      this.handler = handler;
      setLevel(handler.getLevel());
    }

    @Override
    public void publish(LogRecord message) {
      try {
        handler.publish(message);
      } catch (Throwable e) {
        // It cannot be told.
      }
    }

    @Override
    public void flush() {
      handler.flush();
    }

    @Override
    public void close() {
      handler.close();
    }
  }
}
