/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.rocksdbffm.PinnedValues;

/** The values of a multi-get are released while another thread reads them. */
@JCStressTest
@State
@Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "It was used, then closed.")
@Outcome(id = "2, 1, 1", expect = Expect.ACCEPTABLE, desc = "It was closed, and said so.")
public class CloseAgainstMultiGetView {
  private final PinnedValues values =
      RacedDatabases.SHARED.multiGet().add(RacedDatabases.KEY).add(RacedDatabases.KEY).get();


  @Actor
  public void use(III_Result result) {
    result.r1 = RacedDatabases.outcome(() -> {
      RacedDatabases.require(values.get(1).length == RacedDatabases.SIZE);
    });
  }

  @Actor
  public void close(III_Result result) {
    values.close();
    result.r2 = 1;
  }

  @Arbiter
  public void closedForGood(III_Result result) {
    result.r3 = RacedDatabases.outcome(() -> values.get(0)) == 2 ? 1 : 0;
  }
}
