/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.process;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MarkTest {
  private static final int MARKS = 3_000;
  private static final int FEW = 16;

  /** Tests that a thread that ends while its file is read does not fail the measurement. */
  @Test
  void threadsEndWhileAMarkIsTaken() throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    Thread starter =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!ended.get()) {
                    List<Thread> few = Stream.generate(() -> Thread.ofPlatform().start(() -> { })).limit(FEW).toList();
                    for (Thread each : few) {
                      awaitEnd(each); // a busy machine would have more threads than it permits
                    }
                  }
                });
    long last = 0;
    try {
      for (int i = 0; i < MARKS; i++) {
        last = Math.max(last, Mark.now().compileMillis());
      }
    } finally {
      ended.set(true);
      starter.join();
    }
    assertTrue(last > 0, "no compiler thread was found");
  }

  private static void awaitEnd(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
