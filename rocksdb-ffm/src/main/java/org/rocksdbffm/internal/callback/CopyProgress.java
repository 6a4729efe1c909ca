/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.Deque;
import java.util.function.LongConsumer;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.foreign.Upcalls;

/**
 * Counts the bytes that the engine has copied for a backup, and delivers the latest count; earlier counts may be
 * skipped. Thread-safe.
 */
public final class CopyProgress extends Callback implements AutoCloseable {
  private static final MemorySegment COPIED = Upcalls.to(MethodHandles.lookup(), "copied");

  private final long interval;
  private final Deliveries<Long> counts;
  private long bytes; // guarded by the deliveries

  private CopyProgress(long interval, LongConsumer listener) {
    super("listener", "of the progress of a backup");
    this.interval = interval;
    this.counts =
        new Deliveries<>(
            "progress of a backup", listener::accept, thrown -> report(thrown, "it gets the next count all the same"));
  }

  /** Makes a backup report to a listener after every {@code interval} bytes, until this is closed. */
  public static CopyProgress setIn(MemorySegment backupOptions, long interval, LongConsumer listener) {
    CopyProgress progress = new CopyProgress(interval, listener);
    RocksDbC.rocksdb_create_backup_options_set_progress_callback(backupOptions, progress.state(), COPIED);
    return progress;
  }

  @SuppressWarnings("unused") // the engine calls it
  private static void copied(long id) {
    CopyProgress progress = (CopyProgress) at(id);
    progress.counts.change(progress::count);
  }

  private void count(Deque<Long> waiting) {
    bytes += interval;
    waiting.clear();
    waiting.add(bytes);
  }

  /** Called after the engine's last call. The listener gets the last count; this method does not wait for it. */
  @Override
  public void close() {
    forget();
    counts.end();
  }
}
