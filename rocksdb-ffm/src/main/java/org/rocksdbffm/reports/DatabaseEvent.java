/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reports;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.RocksDbException;

/** An event in a database, of which a {@link DatabaseListener} is notified. */
public sealed interface DatabaseEvent {
  /**
   * A memtable became read-only: it is full, or about to be flushed.
   *
   * @param columnFamily the name of its column family
   * @param entries the number of its entries
   * @param deletions how many of the entries are deletions
   */
  record MemtableSealed(String columnFamily, long entries, long deletions) implements DatabaseEvent {
    /** Refuses null. */
    public MemtableSealed {
      requireNonNull(columnFamily, "columnFamily");
    }
  }

  /**
   * A table file was ingested.
   *
   * @param columnFamily the name of the column family that contains its rows now
   * @param from the path of the ingested file
   * @param fileName the file's name in the database folder
   * @param sequenceNumber the sequence number of its rows; 0 if they are older than all other rows
   */
  record FileIngested(String columnFamily, String from, String fileName, long sequenceNumber) implements DatabaseEvent {
    /** Refuses null. */
    public FileIngested {
      requireNonNull(columnFamily, "columnFamily");
      requireNonNull(from, "from");
      requireNonNull(fileName, "fileName");
    }
  }

  /**
   * A flush has started.
   *
   * @param columnFamily the name of the column family whose memtables are flushed
   */
  record FlushStarted(String columnFamily) implements DatabaseEvent {
    /** Refuses null. */
    public FlushStarted {
      requireNonNull(columnFamily, "columnFamily");
    }
  }

  /**
   * A flush has written a file.
   *
   * @param columnFamily the name of the column family whose memtables were flushed
   * @param fileName the file's name in the database folder
   * @param written the size of the file
   * @param elapsed the duration of the flush
   * @param slowsWrites whether the number of files now delays writes
   * @param stopsWrites whether the number of files now stops writes until a compaction has ended
   */
  record FlushEnded(
      String columnFamily, String fileName, ByteSize written, Duration elapsed, boolean slowsWrites, boolean stopsWrites)
      implements DatabaseEvent {
    /** Refuses null. */
    public FlushEnded {
      requireNonNull(columnFamily, "columnFamily");
      requireNonNull(fileName, "fileName");
      requireNonNull(written, "written");
      requireNonNull(elapsed, "elapsed");
    }
  }

  /**
   * A compaction has started.
   *
   * @param columnFamily the name of the column family whose files are compacted
   * @param fromLevel the first level of the input files
   * @param toLevel the level of the output files
   * @param inputFiles the number of input files
   */
  record CompactionStarted(String columnFamily, int fromLevel, int toLevel, long inputFiles) implements DatabaseEvent {
    /** Refuses null. */
    public CompactionStarted {
      requireNonNull(columnFamily, "columnFamily");
    }
  }

  /**
   * A compaction has ended.
   *
   * @param columnFamily the name of the column family whose files were compacted
   * @param fromLevel the first level of the input files
   * @param toLevel the level of the output files
   * @param inputFiles the number of input files
   * @param outputFiles the number of output files
   * @param read the bytes read
   * @param written the bytes written
   * @param elapsed the duration of the compaction
   * @param failure the reason if the compaction failed; otherwise empty
   */
  record CompactionEnded(
      String columnFamily,
      int fromLevel,
      int toLevel,
      long inputFiles,
      long outputFiles,
      ByteSize read,
      ByteSize written,
      Duration elapsed,
      Optional<RocksDbException> failure)
      implements DatabaseEvent {
    /** Refuses null. */
    public CompactionEnded {
      requireNonNull(columnFamily, "columnFamily");
      requireNonNull(read, "read");
      requireNonNull(written, "written");
      requireNonNull(elapsed, "elapsed");
      requireNonNull(failure, "failure");
    }
  }

  /**
   * Background work has failed. {@link org.rocksdbffm.DatabaseMetrics#health} says whether writes are refused since
   * then.
   *
   * @param work the kind of work
   * @param failure the reason, and its severity
   */
  record BackgroundError(Work work, RocksDbException failure) implements DatabaseEvent {
    /** Refuses null. */
    public BackgroundError {
      requireNonNull(work, "work");
      requireNonNull(failure, "failure");
    }
  }

  /**
   * Writes are accepted again after the disk was full; see {@link org.rocksdbffm.DatabaseOptions#resumeWithRoom}.
   *
   * @param stopped for how long they were refused, to the second
   */
  record WritesResumed(Duration stopped) implements DatabaseEvent {
    /** Refuses null. */
    public WritesResumed {
      requireNonNull(stopped, "stopped");
    }
  }

  /**
   * The write stall condition of a column family has changed.
   *
   * @param columnFamily the name of the column family whose files or memtables stall writes
   * @param before the previous condition
   * @param now the current condition
   */
  record StallChanged(String columnFamily, Stall before, Stall now) implements DatabaseEvent {
    /** Refuses null. */
    public StallChanged {
      requireNonNull(columnFamily, "columnFamily");
      requireNonNull(before, "before");
      requireNonNull(now, "now");
    }
  }

  /**
   * Events were dropped, because the queue of the listener was full.
   *
   * @param count the number of dropped events
   */
  record Dropped(long count) implements DatabaseEvent {}

  /** The kinds of background work that may fail. */
  enum Work {
    /** A flush. */
    FLUSH,
    /** A compaction. */
    COMPACTION,
    /** A write, after it was added to the WAL. */
    WRITE,
    /** The creation of a memtable. */
    MEMTABLE,
    /** A write to the MANIFEST. */
    MANIFEST,
    /** Opening a file. */
    FILE_OPENING,
    /** Work of an unknown kind. */
    UNKNOWN
  }

  /** The conditions of writes. */
  enum Stall {
    /** Writes are delayed. */
    DELAYED,
    /** Writes wait until the condition changes. */
    STOPPED,
    /** Writes are not stalled. */
    NONE
  }
}
