/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.function.LongConsumer;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.foreign.Upcalls;

/**
 * Counts how much the engine has copied for a backup, and tells a listener on a thread of its own, of the newest count and
 * not of each: so the listener may take its time, and the engine waits for none of it. Thread-safe.
 */
public final class CopyProgress extends Callback implements AutoCloseable {
  private static final MemorySegment COPIED = Upcalls.to(MethodHandles.lookup(), "copied");

  private final long interval;
  private final LongConsumer listener;

  // Under the lock of this object.
  private long bytes;
  private boolean ended;

  private CopyProgress(long interval, LongConsumer listener) {
    super("listener", "of the progress of a backup");
    this.interval = interval;
    this.listener = listener;
  }

  /** Has a backup with these options tell a listener, each time that so many bytes were copied, until this is closed. */
  public static CopyProgress setIn(MemorySegment backupOptions, long interval, LongConsumer listener) {
    CopyProgress progress = new CopyProgress(interval, listener);
    try {
      ServiceThread.start("progress of a backup", progress::tell);
      RocksDbC.rocksdb_create_backup_options_set_progress_callback(backupOptions, progress.state(), COPIED);
      return progress;
    } catch (Throwable e) {
      progress.close();
      throw e;
    }
  }

  @SuppressWarnings("unused") // the engine calls it
  private static void copied(long id) {
    ((CopyProgress) at(id)).add();
  }

  private synchronized void add() {
    bytes += interval;
    notifyAll();
  }

  private void tell() {
    long told = 0;
    while (true) {
      told = awaitMore(told);
      if (told < 0) {
        return;
      }
      try {
        listener.accept(told);
      } catch (Throwable e) {
        tell(e, "it is told of what comes next all the same");
      }
    }
  }

  /** The count when it is more than was told; below zero when there will be none. */
  private synchronized long awaitMore(long told) {
    while (bytes == told && !ended) {
      try {
        wait();
      } catch (InterruptedException e) {
        continue; // by the listener itself, if by anybody
      }
    }
    return bytes == told ? -1 : bytes;
  }

  /** The engine does not call it any more; the listener is told of the last count, and is not waited for. */
  @Override
  public void close() {
    forget();
    synchronized (this) {
      ended = true;
      notifyAll();
    }
  }
}
