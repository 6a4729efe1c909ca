/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;

/** A block cache is closed while its capacity is read. */
@JCStressTest
@State
@Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "It was used, then closed.")
@Outcome(id = "2, 1, 1", expect = Expect.ACCEPTABLE, desc = "It was closed, and said so.")
public class CloseAgainstCacheUse {
  private final BlockCache cache = BlockCache.lru(ByteSize.kib(64));


  @Actor
  public void use(III_Result result) {
    result.r1 = RacedDatabases.outcome(() -> {
      RacedDatabases.require(cache.capacity().equals(ByteSize.kib(64)));
    });
  }

  @Actor
  public void close(III_Result result) {
    cache.close();
    result.r2 = 1;
  }

  @Arbiter
  public void closedForGood(III_Result result) {
    result.r3 = RacedDatabases.outcome(cache::usage) == 2 ? 1 : 0;
  }
}
