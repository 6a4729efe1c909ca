/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A JVM survives {@link HostileClient}; {@code -Drocksdbffm.hostile.seconds} and {@code .seed} set how long and which. */
final class HostileClientTest {
  private static final int SECONDS = Integer.getInteger("rocksdbffm.hostile.seconds", 60);
  private static final int OPERATIONS_A_SECOND = 1_000_000 / 60;

  @Test
  void aHostileClientGetsRightAnswersOrDocumentedExceptions() {
    long seed = Long.getLong("rocksdbffm.hostile.seed", System.nanoTime());
    ChildJvm.Finished child =
        ChildJvm.of(HostileClient.class)
            .with("-Xmx1g", "-Dorg.rocksdbffm.leaks=all")
            .within(Duration.ofSeconds(SECONDS + 120))
            .run(String.valueOf(SECONDS), String.valueOf(seed))
            .assertExit(0);
    System.out.println(child.output());
    assertTrue(child.output().contains("no native object is left"), child.output());
    assertTrue(!child.output().contains(" was forgotten: "), child.output());
    long operations = Long.parseLong(child.output().replaceAll("(?s).*?(\\d+) operations.*", "$1"));
    assertTrue(operations > (long) SECONDS * OPERATIONS_A_SECOND / 4, child.output());
  }
}
