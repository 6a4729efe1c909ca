/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reads;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.tools.Sweeps;

/** Compares every kind of read of random databases with a sorted map; {@link Sweeps} determines for how long. */
class ReadsTest {
  private static final int CASES = 40;

  @TempDir Path folder;

  @Test
  void everyReadHasTheRowsOfASortedMap() throws IOException {
    long seed = Sweeps.seed();
    long end = System.nanoTime() + Duration.ofSeconds(Sweeps.of(0, 600)).toNanos();
    long cases = 0;
    for (; cases < CASES || System.nanoTime() < end; cases++) {
      ReadsCase reads = ReadsCase.random(seed + cases);
      if (reads.failure(folder) != null) {
        ReadsCase smallest = reads.shrink(folder, System.nanoTime() + Duration.ofMinutes(1).toNanos());
        Throwable failure = smallest.failure(folder);
        throw new AssertionError("seed " + (seed + cases) + "\n" + smallest + "\n" + failure, failure);
      }
    }
    System.out.println(cases + " cases from seed " + seed);
  }
}
