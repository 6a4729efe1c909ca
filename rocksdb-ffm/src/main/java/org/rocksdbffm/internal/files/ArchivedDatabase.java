/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;

/**
 * The part of an open database, of the core or the drop-in, that an archiver uses. Thread-safe. Each method throws {@link
 * IllegalStateException} if the database is closed, and {@link org.rocksdbffm.RocksDbException} if the engine fails.
 */
public interface ArchivedDatabase {
  /** Ends a pause of file deletions, or a hold. Idempotent; does nothing after the close of the database. */
  interface End extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Files that are not deleted until the end of the hold.
   *
   * @param sequence the number of the last write when the files were listed, or negative if it is unknown; after a flush,
   *     the tables have each write up to this number that skipped the WAL
   */
  record Hold(List<? extends File> files, long sequence, End end) implements AutoCloseable {
    @Override
    public void close() {
      end.close();
    }
  }

  /** A file that a copy of the database needs. */
  interface File {
    String name();

    Path path();

    boolean isLog();

    boolean isManifest();

    /** Returns how many bytes to copy. */
    long size();

    /** Whether the file is immutable and copied whole. */
    boolean isWhole();

    /** Opens a stream of the bytes to copy. */
    InputStream open() throws IOException;
  }

  /** Returns the folder, as the program named it. */
  String path();

  /** Returns the ID of the database. */
  String identity();

  long latestSequenceNumber();

  /** Writes the buffered part of the WAL to its file. */
  void flushWal();

  /** Retains the files that the database no longer needs. */
  End pauseDeletions();

  /** Holds the files of the current state, after a flush of the memtables, or with the WAL. */
  Hold hold(boolean flushFirst);

  /** Ends a pause of background work that the program leaves open at the close, because a hold waits for a flush. */
  default void resumeWork() {}

  /** Runs an operation on files with the keys of an encrypted database. */
  <T, E extends Throwable> T useKeys(ScopedValue.CallableOp<T, E> operation) throws E;
}
