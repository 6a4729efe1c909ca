/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.upkeep;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.internal.db.Child;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.foreign.RecoveryCalls;
import org.rocksdbffm.internal.foreign.RecoveryWatch;
import org.rocksdbffm.internal.leak.ServiceThread;
import org.rocksdbffm.internal.loader.Warnings;

/**
 * Resumes the writes of a database after its disk was full, once there is room again. A child of its database; one thread
 * tries it, at most once a second, and less often after failures.
 */
public final class DiskRecovery extends Child {
  private static final long SHORTEST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Database database;
  private final RecoveryWatch watch;
  private final long room;
  private final List<Path> folders;
  private final LongConsumer resumed;

  private boolean ended; // guarded by this

  // Of the thread alone.
  private boolean isStopped;
  private long since;
  private long wait = SHORTEST_NANOS;

  private DiskRecovery(Database database, RecoveryWatch watch, long room, List<Path> folders, LongConsumer resumed) {
    this.database = database;
    this.watch = watch;
    this.room = room;
    this.folders = folders;
    this.resumed = resumed;
  }

  /**
   * Starts a recovery, which owns the watch, unless this fails.
   *
   * @param room the free bytes that each folder needs
   * @param tables the folders of tables
   * @param resumed receives for how many nanoseconds writes were stopped
   */
  public static void start(Database database, RecoveryWatch watch, long room, List<Path> tables, LongConsumer resumed) {
    List<Path> folders = new ArrayList<>(tables);
    folders.add(database.folder());
    folders.add(database.logFolder());
    DiskRecovery recovery = new DiskRecovery(database, watch, room, folders, resumed);
    ServiceThread.start("recovery of " + database.name(), recovery::run);
    database.register(recovery);
  }

  /** Resumes writes now; throws the engine's reason if that is not possible. */
  public static void resume(Database database) {
    database.requireOpen();
    database.requireWritable();
    database.pauses().requireWork();
    database.within(
        (db, arena, error) -> {
          RecoveryCalls.resume(db.address(), error.address());
          return null;
        },
        "resuming the writes of " + database.name());
  }

  private void run() {
    while (!isEndedWithin(wait)) {
      if (watch.takeWanted() && !isStopped) {
        isStopped = true;
        since = System.nanoTime();
      }
      if (isStopped && hasRoom()) {
        tryToResume();
      }
    }
    watch.close();
  }

  private void tryToResume() {
    try {
      resume(database);
      isStopped = false;
      wait = SHORTEST_NANOS;
      resumed.accept(System.nanoTime() - since);
    } catch (RocksDbException e) {
      isStopped = e.mayRetry();
      wait = isStopped ? Math.min(2 * wait, LONGEST_NANOS) : SHORTEST_NANOS;
      if (!isStopped) {
        Warnings.log(Level.WARNING, "the writes of " + database.name() + " stay refused: open the database again", e);
      }
    } catch (IllegalStateException e) {
      return; // background work is paused, or the database is being closed, which ends this thread
    }
  }

  private boolean hasRoom() {
    try {
      for (Path folder : folders) {
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

  @Override
  public synchronized void closeByParent() {
    ended = true;
    notifyAll();
  }
}
