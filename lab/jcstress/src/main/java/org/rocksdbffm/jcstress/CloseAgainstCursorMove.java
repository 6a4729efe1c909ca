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

/** A cursor is closed while it moves. */
@JCStressTest
@State
@Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "It was used, then closed.")
@Outcome(id = "2, 1, 1", expect = Expect.ACCEPTABLE, desc = "It was closed, and said so.")
public class CloseAgainstCursorMove {
  private final Cursor cursor = RacedDatabases.SHARED.cursor();


  @Actor
  public void use(III_Result result) {
    result.r1 = RacedDatabases.outcome(() -> {
      RacedDatabases.require(cursor.first() && cursor.keySize() == 1);
    });
  }

  @Actor
  public void close(III_Result result) {
    cursor.close();
    result.r2 = 1;
  }

  @Arbiter
  public void closedForGood(III_Result result) {
    result.r3 = RacedDatabases.outcome(cursor::first) == 2 ? 1 : 0;
  }
}
