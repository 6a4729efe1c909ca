/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.internal.loader.NativeLibrary;
import org.rocksdbffm.tools.MeetingThreads;

/** Tests which slot of the table of calls a thread uses. */
class CallPlaceTest {
  private final Handle handle = new Handle("what is used");

  @BeforeAll
  static void load() {
    NativeLibrary.load();
  }

  private Call enterAndExit() {
    Call call = Call.enter(handle);
    call.exit();
    return call;
  }

  @Test
  void aThreadThatMeetsAnotherGoesElsewhereAndStaysThere() throws Exception {
    try (ExecutorService other = MeetingThreads.with(Thread.currentThread(), Call.all().length)) {
      Call own = Call.enter(handle);
      Call itsCall = other.submit(this::enterAndExit).get();
      assertNotSame(own, itsCall);
      own.exit();
      assertSame(itsCall, other.submit(this::enterAndExit).get());
      assertSame(own, enterAndExit());
    }
  }

  @Test
  void aThreadThatMeetsItselfKeepsItsPlace() {
    Call outer = Call.enter(handle);
    Call inner = enterAndExit();
    outer.exit();
    assertNotSame(outer, inner);
    assertSame(outer, enterAndExit());
  }
}
