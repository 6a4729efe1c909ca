/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests closes where calls stay taken, as they do where a full heap ends a method without its {@code finally}. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HandleTest {
  private final Handle handle = new Handle("it");

  @Test
  void aCloseWaitsForNoCallThatALivingThreadHasLeft() throws Exception {
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      Call lost = other.submit(() -> Call.enter(handle)).get();
      handle.close();
      lost.exit();
    }
  }

  @Test
  void aCloseWaitsForNoCallThatItsOwnThreadHasLeft() {
    Call lost = Call.enter(handle);
    handle.close();
    lost.exit();
  }

  @Test
  void aThreadIsTakenToBeWithinACallWhileTheLibraryIsOnItsStack() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    Thread other =
        Thread.ofVirtual()
            .start(
                () -> {
                  Call call = Call.enter(handle);
                  entered.countDown();
                  assertDoesNotThrow(() -> leave.await(60, TimeUnit.SECONDS));
                  call.exit();
                });
    entered.await();
    assertTrue(CallTable.anyIsWithin(handle.id));
    leave.countDown();
    other.join();
  }

  @Test
  void aThreadThatClosesFromACallbackIsTakenToBeWithinItsCall() {
    Call call = Call.enter(handle);
    assertTrue(assertDoesNotThrow(() -> CallTable.anyIsWithin(handle.id)), "as JUnit's code lies between");
    call.exit();
  }
}
