/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jcstress;

import java.lang.foreign.ValueLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.rocksdbffm.PinnedValue;

/** A pinned value is released while another thread opens a view of it. */
@JCStressTest
@State
@Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "It was used, then closed.")
@Outcome(id = "2, 1, 1", expect = Expect.ACCEPTABLE, desc = "It was closed, and said so.")
public class ReleaseAgainstView {
  private final PinnedValue pinned = RacedDatabases.SHARED.getPinned(RacedDatabases.KEY);


  @Actor
  public void use(III_Result result) {
    result.r1 = RacedDatabases.outcome(() -> {
      try (PinnedValue.View view = pinned.view()) {
        RacedDatabases.require(view.segment().get(ValueLayout.JAVA_BYTE, RacedDatabases.SIZE - 1) == 0);
      }
    });
  }

  @Actor
  public void close(III_Result result) {
    pinned.close();
    result.r2 = 1;
  }

  @Arbiter
  public void closedForGood(III_Result result) {
    result.r3 = RacedDatabases.outcome(pinned::view) == 2 ? 1 : 0;
  }
}
