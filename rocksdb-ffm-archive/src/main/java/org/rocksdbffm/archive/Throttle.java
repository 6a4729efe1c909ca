/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/** Limits how many bytes per second are read from streams. Thread-safe. */
final class Throttle {
  private static final int STEP = 64 << 10;

  private final long bytesPerSecond; // 0: no limit
  private long free = System.nanoTime(); // when the next bytes may be read; guarded by this

  Throttle(long bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  InputStream limit(InputStream in) {
    return bytesPerSecond == 0 ? in : new Limited(in);
  }

  private void take(long bytes) throws InterruptedIOException {
    long pause;
    synchronized (this) {
      long now = System.nanoTime();
      free = Math.max(free, now) + bytes * TimeUnit.SECONDS.toNanos(1) / bytesPerSecond;
      pause = free - now;
    }
    try {
      TimeUnit.NANOSECONDS.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("stopped");
    }
  }

  private final class Limited extends FilterInputStream {
    Limited(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      take(1);
      return in.read();
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int count = in.read(bytes, from, Math.min(length, STEP));
      if (count > 0) {
        take(count);
      }
      return count;
    }
  }
}
