/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.rocksdb.WriteBatch;

/**
 * Tests for holds that nobody gives back. Where the heap is full, the JVM may end a method without its finally; here a
 * thread ends in the middle of one.
 */
@Timeout(60)
class LostHoldTest {
  @Test
  void anObjectIsUsedAndClosedAfterTheThreadThatHeldItHasEnded() throws Exception {
    try (WriteBatch batch = new WriteBatch()) {
      Thread lost = new Thread(() -> Guard.use(UpstreamFields.guard(batch), null));
      lost.start();
      lost.join();
      batch.put(new byte[1], new byte[1]);
      assertEquals(1, batch.count());
    }
    WriteBatch closed = new WriteBatch();
    Thread lost = new Thread(() -> Guard.use(UpstreamFields.guard(closed), null));
    lost.start();
    lost.join();
    closed.close();
    assertFalse(closed.isOwningHandle());
  }

  @Test
  void aHoldIsNotTakenFromAThreadThatLives() throws Exception {
    WriteBatch batch = new WriteBatch();
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    Thread holder =
        new Thread(() -> {
          Object used = Guard.use(UpstreamFields.guard(batch), null);
          held.countDown();
          try {
            over.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          } finally {
            Guard.leave(used);
          }
        });
    holder.start();
    held.await();
    CountDownLatch closed = new CountDownLatch(1);
    Thread closer =
        new Thread(() -> {
          batch.close();
          closed.countDown();
        });
    closer.start();
    assertFalse(closed.await(3, TimeUnit.SECONDS), "closed under a method");
    over.countDown();
    assertTrue(closed.await(10, TimeUnit.SECONDS));
    holder.join();
    closer.join();
  }
}
