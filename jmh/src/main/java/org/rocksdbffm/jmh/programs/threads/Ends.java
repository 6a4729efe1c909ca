/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.threads;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** Waits for the ends of a number of readers. The first failure of a reader ends the wait, and is thrown. */
final class Ends {
  private final CompletableFuture<Void> all = new CompletableFuture<>();
  private final AtomicInteger left;

  Ends(int readers) {
    left = new AtomicInteger(readers);
  }

  /** Runs a part of the work of a reader. */
  void run(Runnable work) {
    try {
      work.run();
    } catch (Throwable e) {
      all.completeExceptionally(e);
    }
  }

  void ended() {
    if (left.decrementAndGet() == 0) {
      all.complete(null);
    }
  }

  void await() throws InterruptedException, ExecutionException {
    all.get();
  }
}
