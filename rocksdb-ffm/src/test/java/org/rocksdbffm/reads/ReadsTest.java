/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reads;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests every kind of read of databases drawn at random against a sorted map. {@code -Drocksdbffm.reads.seconds} and {@code
 * .seed} set how long and from which seed on.
 */
class ReadsTest {
  private static final int CASES = 120;

  @TempDir Path folder;

  @Test
  void everyReadHasTheRowsOfASortedMap() throws IOException {
    long seed = Long.getLong("rocksdbffm.reads.seed", 1);
    long end = System.nanoTime() + Duration.ofSeconds(Integer.getInteger("rocksdbffm.reads.seconds", 0)).toNanos();
    long cases = 0;
    for (; cases < CASES || System.nanoTime() < end; cases++) {
      ReadsCase its = ReadsCase.random(seed + cases);
      if (its.failure(folder) != null) {
        ReadsCase smallest = its.shrink(folder, System.nanoTime() + Duration.ofMinutes(1).toNanos());
        Throwable failure = smallest.failure(folder);
        throw new AssertionError("seed " + (seed + cases) + "\n" + smallest + "\n" + failure, failure);
      }
    }
    System.out.println(cases + " cases from seed " + seed);
  }
}
