/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.protocol;

import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * A log that never throws. Most warnings report that a resource ran out, which logging itself may need: without file
 * descriptors, the JDK's logging cannot read time zones, and its exception would end the event loop that logs.
 */
public final class Log {
  private static final Logger LOGGER = Logger.getLogger(Log.class.getPackageName());

  private static final long PAUSE_NANOS = 1_000_000_000;

  private static final AtomicLong last = new AtomicLong(System.nanoTime() - PAUSE_NANOS);
  private static final AtomicLong untold = new AtomicLong();

  private Log() {}

  /** Prepares the logs of the whole process, Netty's included: loads time zones early, and wraps the handlers. */
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

  /** Logs at most one warning per second, because clients may cause any number; the others are counted. */
  public static void warn(String message, Throwable thrown) {
    try {
      long now = System.nanoTime();
      long before = last.get();
      if (now - before < PAUSE_NANOS || !last.compareAndSet(before, now)) {
        untold.incrementAndGet();
      } else {
        long others = untold.getAndSet(0);
        LOGGER.log(Level.WARNING, others == 0 ? message
            : message + " (" + others + " warnings before were not told)", thrown);
      }
    } catch (Throwable e) {
      // It cannot be logged.
    }
  }

  /** Forwards log records; never throws. */
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
        // It cannot be logged.
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
