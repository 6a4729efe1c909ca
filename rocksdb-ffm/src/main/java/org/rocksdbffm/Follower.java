/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.files.FolderState;
import org.rocksdbffm.internal.lifetime.RefCounted;
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
 *
 * <p>It finds the folder that the writer has set as {@code wal_dir}, and reads the WAL there. An opening is refused if
 * that folder is missing, or does not name its database: set {@code wal_dir}, or, for a copy,
 * {@link DatabaseOptions#replaceWalDir}.
 */
public final class Follower implements AutoCloseable {
  private static final int ATTEMPTS = 20;
  private static final String REPLACED = "Operation failed. Try again.: its folder became another database during each reading";

  private final Opening opening;
  private final Object catchingUp = new Object();
  private volatile State latest;
  private volatile boolean closed;

  Follower(Opening opening) {
    this.opening = opening;
    this.latest = opened();
  }

  /** The database at one point in time, <em>shared</em> by the follower and its readers. */
  private final class State {
    final RocksDb db;
    final FolderState files;
    private final boolean opensFilesLate;
    private final RefCounted holders = new RefCounted();

    State(DatabaseParts opened) {
      files = opened.state;
      db = new RocksDb(opened, Follower.this);
      opensFilesLate = opening.opensFilesLate(opened.database);
    }

    /** Whether a read may have opened a file of another database, because the path now leads there. */
    boolean mayBeMixed() {
      return opensFilesLate && files.isReplaced(opening.folders());
    }

    boolean share() {
      return holders.tryRetain();
    }

    void release() {
      if (holders.release()) {
        db.database().close();
      }
    }
  }

  /**
   * Opens a follower, with all column families of the database at each point in time.
   *
   * @param folder the database folder
   * @return the follower, which the caller <em>owns</em> and must close
   * @throws RocksDbException if the database cannot be opened
   */
  public static Follower open(Path folder) {
    return RocksDb.at(folder).openFollower();
  }

  /**
   * Reads the database as of the last catch-up. Concurrent catch-ups do not affect a running read. With blob files
   * ({@link FamilyOptions#enableBlobFiles}) or {@code max_open_files}, files are opened when they are read: the function is
   * called again with a newer state, as {@link #catchUp} finds it, if the writer has deleted a file that it needs, or if the
   * path leads to another database by now.
   *
   * @param <T> the type of the result
   * @param reading receives the database, <em>borrowed until</em> it returns, as are scans, cursors and snapshots that
   *     it opens; pinned values may be kept. Only the follower closes the database.
   * @return the function's result
   * @throws RocksDbException if the function throws it, or there is no newer state to read: with the code TRY_AGAIN if the
   *     writer changed its tables at each attempt to open them, or the path led to another database after each call
   */
  public <T> T read(Function<? super RocksDb, T> reading) {
    requireNonNull(reading, "reading");
    RuntimeException failure = null;
    for (int left = ATTEMPTS; left > 0; left--) {
      State state = shared();
      failure = null;
      try {
        T result = reading.apply(state.db);
        if (!state.mayBeMixed()) {
          return result;
        }
      } catch (RuntimeException e) {
        boolean isGone = e instanceof RocksDbException engineFailure && engineFailure.code() == Code.IO_ERROR;
        if (!isGone && !state.mayBeMixed()) {
          throw e;
        }
        failure = e;
      } finally {
        state.release();
      }
      if (!moveOn(state, failure) && failure != null) {
        break;
      }
    }
    throw failure != null ? failure : Status.parse(REPLACED, toString());
  }

  /** Advances after a failed read; returns whether there is a newer state than {@code state}. */
  private boolean moveOn(State state, RuntimeException failure) {
    try {
      return state != latest || catchUp();
    } catch (RuntimeException e) {
      if (failure != null) {
        e.addSuppressed(failure);
      }
      throw e;
    }
  }

  private State opened() {
    return opening.into(DatabaseKind.FOR_READING, Map.of(), State::new);
  }

  private State shared() {
    State state = latest;
    while (!closed) {
      if (state.share()) {
        return state;
      }
      state = latest;
    }
    throw closedException();
  }

  private IllegalStateException closedException() {
    return new IllegalStateException("follower of " + latest.db + " is closed");
  }

  /**
   * Advances to a state of the database that is not older than this call. If the path leads to another database by now,
   * because a symbolic link or a name was changed, the follower moves to that database. If this fails, it keeps its state.
   *
   * @return whether there may have been writes since the last state
   * @throws RocksDbException if the database cannot be opened in its current state; with the code TRY_AGAIN if the
   * writer changed its tables at each attempt to open them
   */
  public boolean catchUp() {
    synchronized (catchingUp) {
      if (closed) {
        throw closedException();
      }
      State before = latest;
      if (before.files.isLatest(opening.state(before.files))) {
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
