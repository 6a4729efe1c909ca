/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.internal.files.FolderMoment;
import org.rocksdbffm.internal.options.DatabaseKind;

/**
 * Reads a database that another process has open, or this one, at one moment, and at a later one after
 * {@link #catchUp}. Its owner closes it. Thread-safe.
 *
 * <pre>{@code
 * try (Follower follower = Follower.open(Path.of("/data/orders"))) {
 *   byte[] before = follower.read(db -> db.get(key));
 *   follower.catchUp();
 *   byte[] now = follower.read(db -> db.get(key));
 * }
 * }</pre>
 *
 * <p>It sees what was written to the log or to tables, in all column families up to the same moment. It writes no file.
 * Each catching up that finds something new opens the database again, which reads the log: give the options a
 * {@link BlockCache}, which stays warm.
 */
public final class Follower implements AutoCloseable {
  private static final int ATTEMPTS = 20;

  private final Opening opening;
  private final Object catchingUp = new Object();
  private volatile Moment latest;
  private volatile boolean closed;

  Follower(Opening opening) {
    this.opening = opening;
    this.latest = opened();
  }

  /** The database at one moment, which the follower and those who read <em>share</em>. */
  private static final class Moment {
    final RocksDb db;
    final FolderMoment files;
    private final AtomicInteger shares = new AtomicInteger(1);

    Moment(Opened opened) {
      files = opened.moment;
      db = new RocksDb(opened);
    }

    boolean share() {
      return shares.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
    }

    void release() {
      if (shares.decrementAndGet() == 0) {
        db.close();
      }
    }
  }

  /**
   * Opens a database, with all the column families that it has at each moment.
   *
   * @param folder where it lives
   * @return the follower, which the caller <em>owns</em> and must close
   */
  public static Follower open(Path folder) {
    return RocksDb.at(folder).openFollower();
  }

  /**
   * Reads the database at the moment of the last catching up. Others may catch up meanwhile: the reading stays at its
   * moment. It runs again at a newer one where the writer has deleted a file that it needs, as it may with those of
   * values ({@link FamilyOptions#enableBlobFiles}), and with tables where {@code max_open_files} is set.
   *
   * @param <T> what it results in
   * @param reading gets the database, <em>borrowed until</em> it returns; so are the scans, cursors and snapshots that
   *     it opens, but for pinned values
   * @return what it returned
   */
  public <T> T read(Function<? super RocksDb, T> reading) {
    requireNonNull(reading, "reading");
    for (int left = ATTEMPTS;; left--) {
      Moment moment = shared();
      try {
        return reading.apply(moment.db);
      } catch (RocksDbException e) {
        if (e.code() != Code.IO_ERROR || left == 0 || moment == latest && !catchUp()) {
          throw e;
        }
      } finally {
        moment.release();
      }
    }
  }

  private Moment opened() {
    return opening.into(DatabaseKind.FOR_READING, Map.of(), Moment::new);
  }

  private Moment shared() {
    Moment moment = latest;
    while (!closed) {
      if (moment.share()) {
        return moment;
      }
      moment = latest;
    }
    throw closedException();
  }

  private IllegalStateException closedException() {
    return new IllegalStateException("follower of " + latest.db + " is closed");
  }

  /**
   * Moves to a moment of the database that is not before this call. If it fails, the follower stays at its moment; it does
   * so with the code TRY_AGAIN where the writer has changed its tables each time that they were opened.
   *
   * @return whether anything may have been written since the last moment
   */
  public boolean catchUp() {
    synchronized (catchingUp) {
      if (closed) {
        throw closedException();
      }
      Moment before = latest;
      if (before.files.isLatest(opening.moment())) {
        return false;
      }
      latest = opened();
      before.release();
      return true;
    }
  }

  /** Closes the follower; idempotent, from any thread. Readings in progress end at their moment, which is closed then. */
  @Override
  public void close() {
    synchronized (catchingUp) {
      if (!closed) {
        closed = true;
        latest.release();
      }
    }
  }

  @Override
  public String toString() {
    return "follower of " + latest.db;
  }
}
