/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class UseTest {
  private static final long ONE = 1;
  private static final long OTHER = 2;

  private final Use use = new Use();

  @Test
  void oneThreadUsesTheObject() {
    assertTrue(use.tryBegin(ONE));
    assertFalse(use.tryBegin(OTHER));
    assertTrue(use.isBy(ONE));
    use.end();
    assertFalse(use.isInUse());
    assertTrue(use.tryBegin(OTHER));
  }

  @Test
  void anEndedObjectIsNotUsed() {
    assertTrue(use.awaitEnd());
    assertFalse(use.awaitEnd());
    assertFalse(use.tryBegin(ONE));
    assertFalse(use.awaitBegin(ONE));
    assertFalse(use.isInUse());
  }

  @Test
  void theEndWithinAUseLasts() {
    assertTrue(use.tryBegin(ONE));
    use.endObject();
    use.end();
    assertTrue(use.isEnding());
    assertFalse(use.tryBegin(OTHER));
    assertFalse(use.awaitEnd());
  }

  @Test
  void aWaitingEndRefusesOtherUses() throws Exception {
    assertTrue(use.tryBegin(ONE));
    try (var pool = Executors.newSingleThreadExecutor()) {
      Future<Boolean> ended = pool.submit(use::awaitEnd);
      while (!use.isEnding()) {
        Thread.onSpinWait();
      }
      assertFalse(use.awaitBegin(OTHER));
      assertTrue(use.isInUse());
      assertFalse(ended.isDone());
      use.end();
      assertTrue(ended.get());
    }
  }

  @Test
  void oneOfTwoThreadsEndsAnObjectThatOthersUse() throws Exception {
    for (int round = 0; round < 200; round++) {
      Use raced = new Use();
      List<Future<Boolean>> ends = new ArrayList<>();
      try (var pool = Executors.newFixedThreadPool(3)) {
        pool.submit(() -> {
          for (int i = 0; i < 100 && raced.awaitBegin(ONE); i++) {
            raced.end();
          }
        });
        ends.add(pool.submit(raced::awaitEnd));
        ends.add(pool.submit(raced::awaitEnd));
      }
      assertEquals(1, ends.stream().filter(end -> end.resultNow()).count());
      assertFalse(raced.tryBegin(ONE));
    }
  }
}
