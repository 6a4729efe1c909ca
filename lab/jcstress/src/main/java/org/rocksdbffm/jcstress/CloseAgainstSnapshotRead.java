/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.rocksdbffm.Snapshot;

/** A snapshot is closed while it is read. */
@JCStressTest
@State
@Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "It was used, then closed.")
@Outcome(id = "2, 1, 1", expect = Expect.ACCEPTABLE, desc = "It was closed, and said so.")
public class CloseAgainstSnapshotRead {
  private final Snapshot snapshot = Databases.SHARED.snapshot();


  @Actor
  public void use(III_Result result) {
    result.r1 = Databases.outcome(() -> {
      Databases.require(snapshot.get(Databases.KEY).length == Databases.SIZE);
    });
  }

  @Actor
  public void close(III_Result result) {
    snapshot.close();
    result.r2 = 1;
  }

  @Arbiter
  public void closedForGood(III_Result result) {
    result.r3 = Databases.outcome(() -> snapshot.get(Databases.KEY)) == 2 ? 1 : 0;
  }
}
