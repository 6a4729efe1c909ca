/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jcstress;

import java.util.Arrays;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.rocksdbffm.RocksDb;

/** A database is closed while a get calls a comparator in Java. */
@JCStressTest
@State
@Outcome(id = "1, 1, 1, 0", expect = Expect.ACCEPTABLE, desc = "It was read, then closed.")
@Outcome(id = "1, 1, 1, 1", expect = Expect.ACCEPTABLE, desc = "The close waited for the comparator, and it was read.")
@Outcome(id = "2, 1, 1, 0", expect = Expect.ACCEPTABLE, desc = "It was closed, and said so.")
public class DatabaseCloseAgainstComparator {
  private final Meeting meeting = new Meeting();
  private final RocksDb db =
      CalledBack.open(
          (a, b) -> {
            meeting.callBack();
            return a.compareTo(b);
          },
          (key, value, operands) -> operands.getFirst().toArray());

  public DatabaseCloseAgainstComparator() {
    meeting.expect();
  }

  @Actor
  public void read(IIII_Result result) {
    result.r1 =
        RacedDatabases.outcome(() -> RacedDatabases.require(Arrays.equals(CalledBack.VALUE, db.get(CalledBack.KEY))));
  }

  @Actor
  public void close(IIII_Result result) {
    meeting.closing();
    db.close();
    result.r2 = meeting.isInside() ? -1 : 1;
  }

  @Arbiter
  public void closedForGood(IIII_Result result) {
    result.r3 = RacedDatabases.outcome(() -> db.get(CalledBack.KEY)) == 2 ? 1 : 0;
    result.r4 = meeting.met();
  }
}
