/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.Test;

/** Where among the recent frames a thread finds its own. */
class FramePlaceTest {
  private static final int CALLBACKS = 10_000;

  private static Frame atPlace(Thread thread) {
    return Frame.RECENT[(int) thread.threadId() & Frame.RECENT.length - 1];
  }

  @Test
  void threadsOfOnePlaceFindTheirOwnAndSeldomTakeItFromEachOther() throws Exception {
    Thread here = Thread.currentThread();
    try (ExecutorService other = MeetingThreads.with(here, Frame.RECENT.length)) {
      Frame mine = Frame.next();
      Frame its = other.submit(Frame::next).get();
      assertNotSame(mine, its);
      int taken = 0;
      for (int i = 0; i < CALLBACKS; i++) {
        Frame before = atPlace(here);
        assertSame(mine, Frame.next());
        taken += before == atPlace(here) ? 0 : 1;
        before = atPlace(here);
        assertSame(its, other.submit(Frame::next).get());
        taken += before == atPlace(here) ? 0 : 1;
      }
      assertTrue(0 < taken && taken < CALLBACKS / 100, taken + " times in " + CALLBACKS);
    }
  }
}
