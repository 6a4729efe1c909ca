/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.WorkPauses;
import org.rocksdbffm.internal.files.StorageInfo;
import org.rocksdbffm.internal.upkeep.FileWork;
import org.rocksdbffm.internal.upkeep.NativePause;

/** The files of a database, and the work that it does on them by itself. Thread-safe; good as long as the database is open. */
public final class DatabaseFiles {
  private static final Duration MOST = Duration.ofDays(365);

  private final Database database;

  DatabaseFiles(Database database) {
    this.database = database;
  }

  /**
   * Holds all files that a copy of the database needs, as it is now. The memtables are written to files first.
   *
   * @return the files, which the caller <em>owns</em> and must close
   */
  public FileHold hold() {
    return hold(true);
  }

  /**
   * Holds all files that a copy of the database needs, as it is now.
   *
   * @param flushFirst whether the memtables are written to files first. Without it the logs are among the files. A database
   *     with transactions flushes in any case, and so does one in which anything was written without the log
   * @return the files, which the caller <em>owns</em> and must close
   */
  public FileHold hold(boolean flushFirst) {
    NativePause deletions = NativePause.begin(database, WorkPauses.Kind.FILE_DELETIONS);
    try {
      return new FileHold(
          deletions,
          database.token(),
          () -> StorageInfo.of(database, flushFirst).stream().map(HeldFile::of).toList());
    } catch (Throwable e) {
      deletions.close();
      throw e;
    }
  }

  /**
   * The files of the write-ahead log that have rows, from the oldest on, those among them that are kept for readers of the
   * log alone. It reads the beginning of each.
   *
   * @return the files
   */
  public List<LogFile> logs() {
    return FileWork.logs(database).stream()
        .map(
            log ->
                new LogFile(
                    log.number(), log.archived(), log.firstSequence(), ByteSize.bytes(log.size()), log.path()))
        .toList();
  }

  /**
   * Reads all table and blob files and holds each against the checksum of the whole file that it was written with; throws
   * {@link RocksDbException} if one is damaged. A database that is opened with the option {@code file_checksum_gen_factory}
   * set to {@code FileChecksumGenCrc32cFactory} writes such checksums, and one that is not fails with the code
   * INVALID_ARGUMENT. Files that were written without are passed over; {@link RocksDb#verifyChecksums} looks at the checksums
   * of blocks, which all have.
   */
  public void verifyFileChecksums() {
    FileWork.verifyFileChecksums(database);
  }

  /**
   * Pauses all flushes and compactions that the database does by itself, once those that are running have ended: for work
   * that needs the disk, or files that stay as they are. Reads go on, and so do writes, until the memtables are full: then
   * they wait. So a pause ends by itself after some time, and when the database is closed. Meanwhile flushes, compactions,
   * waits for them, checkpoints, backups, ingestions and whatever else needs a flush are refused.
   *
   * @param atMost how long it lasts unless it is closed before; up to 365 days
   * @return the pause, which the caller <em>owns</em> and must close
   */
  public Pause pauseWork(Duration atMost) {
    if (requireNonNull(atMost, "atMost").isNegative() || atMost.isZero() || atMost.compareTo(MOST) > 0) {
      throw new IllegalArgumentException("atMost: " + atMost + ", but it is longer than nothing, and up to " + MOST);
    }
    return pause(NativePause.ofWork(database, atMost.toNanos()));
  }

  /**
   * Stops the compactions of ranges that are running because somebody {@linkplain KeySpace#compact asked} for them, which
   * throw {@link RocksDbException} with the code INCOMPLETE, and refuses others until the pause is closed. A compaction of
   * {@linkplain KeySpace#compactFiles chosen files} that is running goes on to its end: the engine does not stop it.
   *
   * @return the pause, which the caller <em>owns</em> and must close
   */
  public Pause pauseManualCompactions() {
    return pause(NativePause.begin(database, WorkPauses.Kind.MANUAL_COMPACTIONS));
  }

  private Pause pause(NativePause begun) {
    try {
      return new Pause(begun, database.token());
    } catch (Throwable e) {
      begun.close();
      throw e;
    }
  }
}
