/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.lifetime;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class RefCountedTest {
  private final RefCounted count = new RefCounted();

  @Test
  void onlyTheLastHolderDestroys() {
    count.retain();
    assertFalse(count.release());
    assertTrue(count.release());
  }

  @Test
  void nobodyHoldsAnObjectAfterTheLastRelease() {
    assertTrue(count.release());
    assertFalse(count.tryRetain());
    assertThrows(IllegalStateException.class, count::retain);
    assertThrows(IllegalStateException.class, count::release);
  }

  @Test
  void noReleaseIsLostAmongManyThreads() throws Exception {
    int threads = 8;
    CountDownLatch started = new CountDownLatch(threads);
    List<Future<Boolean>> last = new ArrayList<>();
    try (var pool = Executors.newFixedThreadPool(threads)) {
      for (int i = 0; i < threads; i++) {
        count.retain();
        last.add(pool.submit(() -> {
          started.countDown();
          started.await();
          return count.release();
        }));
      }
    }
    assertTrue(count.release(), "the creator still holds it");
    for (Future<Boolean> future : last) {
      assertFalse(future.get());
    }
  }
}
