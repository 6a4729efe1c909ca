/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.tools;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Threads that share a place in a table whose places go by the number of the thread. */
public final class MeetingThreads {
  private MeetingThreads() {}

  /** An executor of one thread, which has the same slot of a table of that size as another thread. */
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
