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
 * Reads a database that another process, or this one, has open: at one point in time, which {@link #catchUp} advances.
 * Its owner closes it. Thread-safe.
 *
 * <pre>{@code
 * try (Follower follower = Follower.open(Path.of("/data/orders"))) {
 *   byte[] before = follower.read(db -> db.get(key));
 *   follower.catchUp();
 *   byte[] now = follower.read(db -> db.get(key));
 * }
 * }</pre>
 *
 * <p>It sees all writes in the WAL or in tables, of all column families as of the same point in time. It writes no
 * files. Each catch-up that finds new writes opens the database again, which reads the WAL: set a {@link BlockCache},
 * which stays warm.
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

  /** The database at one point in time, <em>shared</em> by the follower and its readers. */
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
   * Opens a follower, with all column families of the database at each point in time.
   *
   * @param folder the database folder
   * @return the follower, which the caller <em>owns</em> and must close
   */
  public static Follower open(Path folder) {
    return RocksDb.at(folder).openFollower();
  }

  /**
   * Reads the database as of the last catch-up. Concurrent catch-ups do not affect a running read. The function is
   * called again with a newer state if the writer has deleted a file that it needs, which can happen to blob files
   * ({@link FamilyOptions#enableBlobFiles}), and to tables if {@code max_open_files} is set.
   *
   * @param <T> the type of the result
   * @param reading receives the database, <em>borrowed until</em> it returns, as are scans, cursors and snapshots that
   *     it opens; pinned values may be kept
   * @return the function's result
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
   * Advances to a state of the database that is not older than this call. If this fails, the follower keeps its state;
   * it fails with the code TRY_AGAIN if the writer changed its tables at each attempt to open them.
   *
   * @return whether there may have been writes since the last state
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

  /** Closes the follower; idempotent, from any thread. Running reads complete; the last one closes their state. */
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
