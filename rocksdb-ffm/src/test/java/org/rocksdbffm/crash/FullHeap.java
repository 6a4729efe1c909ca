/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.crash;

import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** A separate thread that repeatedly fills the heap and releases it. */
final class FullHeap implements AutoCloseable {
  private static final int LARGEST = 1 << 19;

  private final Random random;
  private final Thread thread = new Thread(this::run, "full heap");
  private volatile boolean closed;
  private volatile Object hoard;
  private volatile int fillings;

  FullHeap(long seed) {
    random = new Random(seed);
    thread.start();
  }

  /** Returns the number of times that the heap was full. */
  int fillings() {
    return fillings;
  }

  private void run() {
    LockSupport.parkNanos(1); // before the heap is full, because a first call may itself need heap
    while (!closed) {
      fill();
      fillings++;
      LockSupport.parkNanos(random.nextInt(30_000_000));
      hoard = null;
      LockSupport.parkNanos(random.nextInt(20_000_000));
    }
    hoard = null;
  }

  /** Fills the heap until not even a small object fits. */
  private void fill() {
    for (int size = LARGEST; size > 8 && !closed; size /= 2) {
      try {
        while (!closed) {
          hoard = new Object[] {hoard, new byte[size]};
        }
      } catch (OutOfMemoryError full) {
        continue;
      }
    }
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.join();
  }
}
