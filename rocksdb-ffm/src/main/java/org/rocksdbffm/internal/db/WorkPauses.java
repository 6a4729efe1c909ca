/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.db;

import java.lang.foreign.MemorySegment;
import java.util.function.BiConsumer;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.call.Uninterrupted;
import org.rocksdbffm.internal.foreign.RecoveryCalls;

/**
 * Counts the active pauses of background work. Operations that would wait for the end of a pause are refused.
 * Thread-safe.
 */
public final class WorkPauses {
  private final String database;

  // Guarded by this.
  private int ofWork;
  private int ofManualCompactions;
  private int ofCompactions;
  private int copies; // that flush
  private long stops;

  /** The kinds of work that can be paused. */
  public enum Kind {
    /** Flushes and compactions. */
    BACKGROUND_WORK(
        "pause of the background work of ",
        RocksDbC::rocksdb_pause_background_work,
        RocksDbC::rocksdb_continue_background_work),
    /** Manual compactions. */
    MANUAL_COMPACTIONS(
        "pause of the manual compactions of ",
        (db, error) -> RocksDbC.rocksdb_disable_manual_compaction(db),
        (db, error) -> RocksDbC.rocksdb_enable_manual_compaction(db)),
    /** Compactions, also running ones. */
    COMPACTIONS(
        "pause of the compactions of ",
        (db, error) -> RecoveryCalls.abortCompactions(db.address()),
        (db, error) -> RecoveryCalls.resumeCompactions(db.address())),
    /** Deletion of files that the database no longer needs. */
    FILE_DELETIONS(
        "hold of the files of ", RocksDbC::rocksdb_disable_file_deletions, RocksDbC::rocksdb_enable_file_deletions);

    /** The start of a pause's name in messages; the database follows. */
    public final String pause;
    private final BiConsumer<MemorySegment, MemorySegment> start;
    private final BiConsumer<MemorySegment, MemorySegment> end;

    Kind(String pause, BiConsumer<MemorySegment, MemorySegment> start, BiConsumer<MemorySegment, MemorySegment> end) {
      this.pause = pause;
      this.start = start;
      this.end = end;
    }

    public void begin(MemorySegment db, MemorySegment error) {
      start.accept(db, error);
    }

    public void end(MemorySegment db, MemorySegment error) {
      end.accept(db, error);
    }
  }

  /** The time in which a copy flushes; pauses of background work wait for its end. Any thread may end it, repeatedly. */
  public final class CopyFlush implements AutoCloseable {
    private boolean isOver; // guarded by WorkPauses.this

    private CopyFlush() {}

    @Override
    public void close() {
      synchronized (WorkPauses.this) {
        if (!isOver) {
          isOver = true;
          copies--;
          WorkPauses.this.notifyAll();
        }
      }
    }
  }

  WorkPauses(String database) {
    this.database = database;
  }

  /**
   * Starts a pause. If it is of background work, waits for the flushes of copies, which block writes without WAL, and so
   * perhaps the owner of the pause; except while compactions are paused, because a flush may wait for these.
   */
  public synchronized void begin(Kind kind) {
    while (kind == Kind.BACKGROUND_WORK && copies > 0 && ofCompactions == 0) {
      Uninterrupted.await(() -> {
        wait();
        return null;
      });
    }
    count(kind, 1);
  }

  public synchronized void end(Kind kind) {
    count(kind, -1);
  }

  private void count(Kind kind, int more) {
    switch (kind) {
      case BACKGROUND_WORK -> ofWork += more;
      case MANUAL_COMPACTIONS, COMPACTIONS -> {
        ofManualCompactions += more;
        ofCompactions += kind == Kind.COMPACTIONS ? more : 0;
        notifyAll();
        stops += more > 0 ? 1 : 0;
      }
      case FILE_DELETIONS -> { } // nothing waits for deletions
    }
  }

  /** Whether a write may wait for the end of a pause. */
  synchronized boolean mayStopWrites() {
    return ofWork > 0 || ofCompactions > 0;
  }

  /** Throws while background work is paused, because a flush or compaction would wait for the end of the pause. */
  public synchronized void requireWork() {
    if (ofWork > 0) {
      throw new IllegalStateException(
          "the background work of " + database + " is paused, and this would wait for its end: close the pause first");
    }
  }

  /** As {@link #requireWork}, for a copy that flushes until the result is closed. */
  public synchronized CopyFlush startCopy() {
    requireWork();
    CopyFlush flush = new CopyFlush();
    copies++;
    return flush;
  }

  /** Throws while manual compactions are paused; returns a number for {@link #requireNotStopped}. */
  public synchronized long requireManualCompactions() {
    if (ofManualCompactions > 0) {
      throw new IllegalStateException(
          "the manual compactions of " + database + " are paused: close the pause first");
    }
    return stops;
  }

  /** Throws if manual compactions were stopped since {@code since}; the engine does not report that it stopped one. */
  public void requireNotStopped(long since, String where) {
    synchronized (this) {
      if (stops == since) {
        return;
      }
    }
    Status.fail(
        "Result incomplete: Manual compaction paused: another thread has stopped the manual compactions", where);
  }
}
