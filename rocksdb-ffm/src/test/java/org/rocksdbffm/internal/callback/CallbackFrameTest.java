/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.tools.MeetingThreads;

/** Tests that a thread finds its own frame among the recently used frames. */
class CallbackFrameTest {
  private static final int CALLBACKS = 10_000;

  private static CallbackFrame atPlace(Thread thread) {
    return CallbackFrame.RECENT[(int) thread.threadId() & CallbackFrame.RECENT.length - 1];
  }

  @Test
  void threadsOfOnePlaceFindTheirOwnAndSeldomTakeItFromEachOther() throws Exception {
    Thread here = Thread.currentThread();
    try (ExecutorService other = MeetingThreads.with(here, CallbackFrame.RECENT.length)) {
      CallbackFrame mine = CallbackFrame.next();
      CallbackFrame frame = other.submit(CallbackFrame::next).get();
      assertNotSame(mine, frame);
      int taken = 0;
      for (int i = 0; i < CALLBACKS; i++) {
        CallbackFrame before = atPlace(here);
        assertSame(mine, CallbackFrame.next());
        taken += before == atPlace(here) ? 0 : 1;
        before = atPlace(here);
        assertSame(frame, other.submit(CallbackFrame::next).get());
        taken += before == atPlace(here) ? 0 : 1;
      }
      assertTrue(0 < taken && taken < CALLBACKS / 100, taken + " times in " + CALLBACKS);
    }
  }
}
