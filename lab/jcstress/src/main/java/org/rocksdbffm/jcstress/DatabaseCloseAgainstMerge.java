/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jcstress;

import java.util.Arrays;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.rocksdbffm.ByteView;
import org.rocksdbffm.RocksDb;

/** A database is closed while a get calls a merge function in Java, whose own close is rejected. */
@JCStressTest
@State
@Outcome(id = "1, 1, 1, 0", expect = Expect.ACCEPTABLE, desc = "It was read, then closed.")
@Outcome(id = "1, 1, 1, 1", expect = Expect.ACCEPTABLE, desc = "The close waited for the merge, and it was read.")
@Outcome(id = "2, 1, 1, 0", expect = Expect.ACCEPTABLE, desc = "It was closed, and said so.")
public class DatabaseCloseAgainstMerge {
  private final Meeting meeting = new Meeting();
  private final RocksDb db = CalledBack.open((a, b) -> a.compareTo(b), this::merge);

  public DatabaseCloseAgainstMerge() {
    meeting.expect();
  }

  private byte[] merge(ByteView key, ByteView value, List<ByteView> operands) {
    try {
      db.close();
    } catch (IllegalStateException refused) {
      if (refused.getMessage()
          .endsWith("cannot be used by the merge operator 'merge in Java', which it calls and waits for")) {
        meeting.callBack();
        return operands.getFirst().toArray();
      }
    }
    return null; // fails the read
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
