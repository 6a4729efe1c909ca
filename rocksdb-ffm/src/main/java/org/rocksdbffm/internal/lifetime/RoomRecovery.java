/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.lifetime;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.internal.jfr.FlightRecords;
import org.rocksdbffm.internal.leak.ServiceThread;
import org.rocksdbffm.internal.loader.Warnings;

/**
 * Resumes the writes of a database after its disk was full, once there is room again. One thread tries to resume the
 * writes, at most once a second, and less often after failures, until this is ended.
 */
public final class RoomRecovery {
  private static final long SHORTEST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Subject subject;
  private final RecoveryWatch watch;
  private final long room;
  private final LongConsumer resumed;

  private boolean ended; // guarded by this

  // Used only by the recovery thread.
  private boolean isStopped;
  private long since;
  private long wait = SHORTEST_NANOS;

  /** A database whose writes may stop. */
  public interface Subject {
    String name();

    /** Returns the folders whose disks need room. */
    List<Path> folders();

    /**
     * Resumes writes.
     *
     * @throws RocksDbException the engine's reason
     * @throws IllegalStateException if writes cannot be resumed now, or the database is being closed
     */
    void resume();
  }

  private RoomRecovery(Subject subject, RecoveryWatch watch, long room, LongConsumer resumed) {
    this.subject = subject;
    this.watch = watch;
    this.room = room;
    this.resumed = resumed;
  }

  /**
   * Starts a recovery, which owns the watch, unless this fails.
   *
   * @param room the free bytes that each folder needs
   * @param resumed receives the time in nanoseconds during which writes were stopped
   */
  public static RoomRecovery start(Subject subject, RecoveryWatch watch, long room, LongConsumer resumed) {
    RoomRecovery recovery = new RoomRecovery(subject, watch, room, resumed);
    ServiceThread.start("recovery of " + subject.name(), recovery::run);
    return recovery;
  }

  private void run() {
    while (!isEndedWithin(wait)) {
      if (watch.takeWanted() && !isStopped) {
        isStopped = true;
        since = System.nanoTime();
        FlightRecords.diskFull(subject.name());
      }
      if (isStopped && hasRoom()) {
        tryToResume();
      }
    }
    watch.close();
  }

  private void tryToResume() {
    try {
      subject.resume();
      isStopped = false;
      wait = SHORTEST_NANOS;
      long stopped = System.nanoTime() - since;
      FlightRecords.resumed(subject.name(), stopped);
      resumed.accept(stopped);
    } catch (RocksDbException e) {
      if (e.code() == RocksDbException.Code.SHUTDOWN_IN_PROGRESS) {
        return; // the database is being closed, which ends this thread
      }
      isStopped = e.mayRetry();
      wait = isStopped ? Math.min(2 * wait, LONGEST_NANOS) : SHORTEST_NANOS;
      if (!isStopped) {
        Warnings.log(Level.WARNING, "the writes of " + subject.name() + " stay refused: open the database again", e);
      }
    } catch (IllegalStateException e) {
      return; // background work is paused, or the database is being closed, which ends this thread
    }
  }

  private boolean hasRoom() {
    try {
      for (Path folder : subject.folders()) {
        if (Files.getFileStore(folder).getUsableSpace() < room) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      return true; // unknown, so try
    }
  }

  private synchronized boolean isEndedWithin(long nanos) {
    long until = System.nanoTime() + nanos;
    for (long left = nanos; left > 0 && !ended; left = until - System.nanoTime()) {
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException e) {
        continue; // no thread interrupts this one
      }
    }
    return ended;
  }

  /** Ends the thread, which may still be resuming writes when this returns. */
  public synchronized void end() {
    ended = true;
    notifyAll();
  }
}
