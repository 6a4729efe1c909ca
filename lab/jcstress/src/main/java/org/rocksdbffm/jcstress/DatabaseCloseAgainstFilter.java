/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jcstress;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.rocksdbffm.RocksDb;

/** A database is closed while a compaction on the engine's thread calls a filter in Java. */
@JCStressTest
@State
@Outcome(id = "1, 1, 1, 0", expect = Expect.ACCEPTABLE, desc = "It was flushed, then closed; the rows are whole.")
@Outcome(id = "1, 1, 1, 1", expect = Expect.ACCEPTABLE, desc = "The close waited for the filter; the rows are whole.")
@Outcome(id = "2, 1, 1, 0", expect = Expect.ACCEPTABLE, desc = "It was closed, and said so; the rows are whole.")
public class DatabaseCloseAgainstFilter {
  private static final AtomicInteger STATES = new AtomicInteger();

  private final Meeting meeting = new Meeting();

  // The filter is called long after the start of the flush; a patient close waits for the callback first.
  private final boolean patient = STATES.getAndIncrement() % 2 == 0;
  private final Path folder = RacedDatabases.newFolder();
  private final RocksDb db =
      CalledBack.open(
          folder,
          (level, key, value) -> {
            meeting.callBack();
            return CalledBack.change();
          });

  public DatabaseCloseAgainstFilter() {
    meeting.expect();
  }

  @Actor
  public void flush(IIII_Result result) {
    result.r1 = RacedDatabases.outcome(db::flush);
  }

  @Actor
  public void close(IIII_Result result) {
    if (patient) {
      meeting.awaitCallback();
    }
    meeting.closing();
    db.close();
    result.r2 = meeting.isInside() ? -1 : 1;
  }

  @Arbiter
  public void nothingIsTorn(IIII_Result result) {
    result.r3 = CalledBack.isWhole(folder) ? 1 : 0;
    result.r4 = meeting.met();
    RacedDatabases.delete(folder);
  }
}
