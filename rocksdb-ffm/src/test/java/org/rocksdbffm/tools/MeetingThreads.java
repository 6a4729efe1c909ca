/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.tools;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Threads that share a slot of a table that is indexed by thread ID. */
public final class MeetingThreads {
  private MeetingThreads() {}

  /**
   * Returns an executor with one thread, which has the same slot as another thread in a table with this number of
   * slots.
   */
  public static ExecutorService with(Thread other, int places) {
    return Executors.newSingleThreadExecutor(
        work -> {
          Thread thread = new Thread(work);
          while ((thread.threadId() - other.threadId()) % places != 0) {
            thread = new Thread(work);
          }
          return thread;
        });
  }
}
