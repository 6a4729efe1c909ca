/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.Snapshot;

/** Two threads close the same cursor, snapshot and pinned value: each close returns, and each is released once. */
@JCStressTest
@State
@Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "Closed once.")
public class TwoClosers {
  private final Cursor cursor = RacedDatabases.SHARED.cursor();
  private final Snapshot snapshot = RacedDatabases.SHARED.snapshot();
  private final PinnedValue pinned = RacedDatabases.SHARED.getPinned(RacedDatabases.KEY);

  private void closeAll() {
    cursor.close();
    snapshot.close();
    pinned.close();
  }

  @Actor
  public void first(III_Result result) {
    closeAll();
    result.r1 = 1;
  }

  @Actor
  public void second(III_Result result) {
    closeAll();
    result.r2 = 1;
  }

  @Arbiter
  public void allAreClosed(III_Result result) {
    boolean closed =
        RacedDatabases.outcome(cursor::first) == 2
            && RacedDatabases.outcome(() -> snapshot.get(RacedDatabases.KEY)) == 2
            && RacedDatabases.outcome(pinned::view) == 2;
    result.r3 = closed ? 1 : 0;
  }
}
