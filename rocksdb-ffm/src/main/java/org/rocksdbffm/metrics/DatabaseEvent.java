/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.RocksDbException;

/** Something that has happened in a database. A {@link DatabaseListener} is notified of it. */
public sealed interface DatabaseEvent {
  /**
   * A memtable takes no more writes: it is full, or is to be flushed.
   *
   * @param columnFamily whose it is
   * @param entries how many writes it has
   * @param deletions how many of them delete a key
   */
  record MemtableSealed(String columnFamily, long entries, long deletions) implements DatabaseEvent {
    /** Refuses null. */
    public MemtableSealed {
      requireNonNull(columnFamily, "columnFamily");
    }
  }

  /**
   * A table file was made a part of the database.
   *
   * @param columnFamily that has its rows now
   * @param from where it was
   * @param fileName the table's name in the database's folder
   * @param sequenceNumber the number of its rows, as of one write; 0 if they are behind all others
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
   * A flush begins.
   *
   * @param columnFamily whose memtables are written to a file
   */
  record FlushBegun(String columnFamily) implements DatabaseEvent {
    /** Refuses null. */
    public FlushBegun {
      requireNonNull(columnFamily, "columnFamily");
    }
  }

  /**
   * A flush has made a file.
   *
   * @param columnFamily whose memtables were written
   * @param fileName the table's name in the database's folder
   * @param written how large the table is
   * @param elapsed how long it took
   * @param slowsWrites whether there are so many files by now that writes are slowed down
   * @param stopsWrites whether there are so many that writes wait for compactions
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
   * A compaction begins.
   *
   * @param columnFamily whose files are rewritten
   * @param fromLevel the level of the first of them
   * @param toLevel the level of the new ones
   * @param inputFiles how many are rewritten
   */
  record CompactionBegun(String columnFamily, int fromLevel, int toLevel, long inputFiles) implements DatabaseEvent {
    /** Refuses null. */
    public CompactionBegun {
      requireNonNull(columnFamily, "columnFamily");
    }
  }

  /**
   * A compaction has ended.
   *
   * @param columnFamily whose files were rewritten
   * @param fromLevel the level of the first of them
   * @param toLevel the level of the new ones
   * @param inputFiles how many were rewritten
   * @param outputFiles how many there are instead
   * @param read how much was read
   * @param written how much was written
   * @param elapsed how long it took
   * @param failure why it failed; none if it went well
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
   * Work in the background has failed. {@link org.rocksdbffm.DatabaseMetrics#health} says whether writes are refused by that.
   *
   * @param work of which kind it was
   * @param failure why
   */
  record BackgroundError(Work work, RocksDbException failure) implements DatabaseEvent {
    /** Refuses null. */
    public BackgroundError {
      requireNonNull(work, "work");
      requireNonNull(failure, "failure");
    }
  }

  /**
   * Writes are held up in another way than before.
   *
   * @param columnFamily whose files or memtables are the reason
   * @param before how writes were held up
   * @param now how they are
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
   * Events were dropped, because too many waited for the listener.
   *
   * @param count how many
   */
  record Dropped(long count) implements DatabaseEvent {}

  /** The kinds of work that may fail in the background. */
  enum Work {
    /** A flush. */
    FLUSH,
    /** A compaction. */
    COMPACTION,
    /** A write, behind the log. */
    WRITE,
    /** The making of a memtable. */
    MEMTABLE,
    /** A write to the MANIFEST. */
    MANIFEST,
    /** The opening of a file. */
    FILE_OPENING,
    /** Work that this version of the library does not know. */
    UNKNOWN
  }

  /** How writes are held up. */
  enum Stall {
    /** Each is slowed down. */
    DELAYED,
    /** Each waits. */
    STOPPED,
    /** They are not held up. */
    NONE
  }
}
