/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.db.WorkPauses;
import org.rocksdbffm.internal.files.Checkpoint;
import org.rocksdbffm.internal.files.NativeLog;
import org.rocksdbffm.internal.files.StorageInfo;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.upkeep.FileWork;
import org.rocksdbffm.internal.upkeep.Flushes;
import org.rocksdbffm.internal.upkeep.NativePause;

/** The files of a database, and the work that it does on them by itself. Thread-safe; good as long as the database is open. */
public final class DatabaseFiles extends FamilyFiles {
  private static final Duration MOST = Duration.ofDays(365);

  private final Database database;

  DatabaseFiles(Database database, NativeFamily defaultFamily, RocksDb db) {
    super(defaultFamily, db);
    this.database = database;
  }

  /**
   * Makes a copy of the database as it is now, which can be opened like any other. On the same disk, its tables are links to
   * those of this one and take no room until this one does without them. The memtables are written to files first. If
   * it is cut off, nothing is there under the name of the copy. A database whose logs are elsewhere ({@code wal_dir}) has
   * them in the copy's folder: the copy is opened with {@link DatabaseOptions#replaceWalDir}.
   *
   * @param folder does not exist, or is empty; beside it, a folder of its name with {@code .tmp} behind is in use
   *     meanwhile
   */
  public void checkpoint(Path folder) {
    Checkpoint.create(database, FolderPath.of(folder));
  }

  /**
   * The number that distinguishes the database from those created elsewhere. Checkpoints and restored backups have
   * that of the database that they are copies of.
   *
   * @return the text of the file IDENTITY
   */
  public String identity() {
    return FileWork.identity(database);
  }

  /**
   * The table files that the database has at the moment, of all column families.
   *
   * @return the files
   */
  public List<FamilyFiles.LiveFile> live() {
    return FileWork.live(database).stream().map(FamilyFiles.LiveFile::new).toList();
  }

  /**
   * Reads all table files and looks at the checksums of their blocks; throws {@link RocksDbException} if one is damaged.
   */
  public void verifyChecksums() {
    FileWork.verifyChecksums(database);
  }

  /**
   * Reads from the log what is written from a number on.
   *
   * @param sequenceNumber of the first write that is wanted; {@link #latestSequenceNumber} plus 1 for those to come
   * @return a reader, which the caller <em>owns</em> and must close
   */
  public LogReader logSince(long sequenceNumber) {
    if (sequenceNumber < 0) {
      throw new IllegalArgumentException("sequenceNumber: " + sequenceNumber + " is below zero");
    }
    return new LogReader(NativeLog.open(database, sequenceNumber), database.token());
  }

  /**
   * The number of the last write.
   *
   * @return the sequence number
   */
  public long latestSequenceNumber() {
    return database.latestSequenceNumber();
  }

  /** Writes the part of the log that is buffered to the log's file, and does not wait for the disk. */
  public void flushWal() {
    Flushes.flushWal(database, false);
  }

  /** Writes the part of the log that is buffered to the log's file, and waits until the disk has it. */
  public void syncWal() {
    Flushes.flushWal(database, true);
  }

  /**
   * Waits until no flush and no compaction is due any more.
   *
   * @param timeout how long at most, after which this throws {@link RocksDbException} with the code TIMED_OUT
   */
  public void waitForCompact(Duration timeout) {
    if (requireNonNull(timeout, "timeout").isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("timeout: " + timeout + ", but it must be longer than nothing");
    }
    FileWork.waitForCompact(database, timeout);
  }

  /**
   * Holds all files that a copy of the database needs, as it is now. The memtables are written to files first.
   *
   * @return the files, which the caller <em>owns</em> and must close
   */
  public Hold hold() {
    return hold(true);
  }

  /**
   * Holds all files that a copy of the database needs, as it is now, the logs among them: memtables are not flushed. A
   * database with transactions flushes in any case, and so does one in which anything was written without the log.
   *
   * @return the files, which the caller <em>owns</em> and must close
   */
  public Hold holdWithLogs() {
    return hold(false);
  }

  private Hold hold(boolean flushFirst) {
    return LeakWatch.owner(
        NativePause.begin(database, WorkPauses.Kind.FILE_DELETIONS),
        deletions ->
            new Hold(
                deletions,
                database.token(),
                () -> StorageInfo.of(database, flushFirst).stream().map(HeldFile::new).toList()));
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
   * INVALID_ARGUMENT. Files that were written without are passed over; {@link #verifyChecksums} looks at the checksums
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
      throw new IllegalArgumentException("atMost: " + atMost + ", but it must be longer than nothing, and up to " + MOST);
    }
    return pause(NativePause.ofWork(database, atMost.toNanos()));
  }

  /**
   * Stops the compactions of ranges that are running because somebody {@linkplain KeySpace#compact asked} for them, which
   * throw {@link RocksDbException} with the code INCOMPLETE, and refuses others until the pause is closed. A compaction of
   * {@linkplain FamilyFiles#compact(List, int) chosen files} that is running is not stopped by the engine.
   *
   * @return the pause, which the caller <em>owns</em> and must close
   */
  public Pause pauseManualCompactions() {
    return pause(NativePause.begin(database, WorkPauses.Kind.MANUAL_COMPACTIONS));
  }

  private Pause pause(NativePause begun) {
    return LeakWatch.owner(begun, its -> new Pause(its, database.token()));
  }

  /**
   * Work that a database does not do until this is closed: see {@link DatabaseFiles}. There may be several of a kind, and the
   * last one that ends ends the pause. Its owner closes it; its database closes it at the latest. Thread-safe.
   *
   * <p>A close ends the pause.
   */
  public static final class Pause extends Resource {
    private final NativePause pause;

    @SuppressWarnings({"unused", "FieldCanBeLocal"}) // the database is not forgotten while its work is paused
    private final Object databaseToken;

    Pause(NativePause pause, Object databaseToken) {
      super(pause);
      this.pause = pause;
      this.databaseToken = databaseToken;
    }

    /**
     * Whether it still holds: it was not closed, and its time is not over.
     *
     * @return false once it has ended
     */
    public boolean isInEffect() {
      return pause.isInEffect();
    }
  }

  /**
   * The files of a database at one moment, none of which is deleted until this is closed: for a copier of your own. The
   * database is written to meanwhile, and keeps the files that it would do without. Its owner closes it; its database closes
   * it at the latest. Thread-safe.
   *
   * <pre>{@code
   * try (Hold hold = db.files().hold()) {
   *   for (HeldFile file : hold.files()) {
   *     try (InputStream in = file.open()) {
   *       Files.copy(in, copy.resolve(file.name()));
   *     }
   *   }
   * }
   * }</pre>
   *
   * <p>A close lets the database delete the files that it does without.
   */
  public static final class Hold extends Resource {
    private final List<HeldFile> files;

    @SuppressWarnings({"unused", "FieldCanBeLocal"}) // the database is not forgotten while its files are held
    private final Object databaseToken;

    Hold(NativePause deletions, Object databaseToken, Supplier<List<HeldFile>> listing) {
      super(deletions);
      this.databaseToken = databaseToken;
      try {
        this.files = listing.get();
      } catch (Throwable e) {
        close(); // or the watch does, if a full stack has no room for that
        throw e;
      }
    }

    /**
     * All files that a copy of the database needs, which is opened like any other when it has them in one folder. A database
     * whose logs are elsewhere ({@code wal_dir}) has them in the copy's folder: the copy is opened with
     * {@link DatabaseOptions#replaceWalDir}.
     *
     * @return the files
     */
    public List<HeldFile> files() {
      return files;
    }
  }

  /** A file that a copy of a database needs, and how much of it. */
  public static final class HeldFile {
    private final StorageInfo.Entry entry;

    /** The kinds of files that a database needs. */
    public enum Kind {
      /** Rows in order. */
      TABLE,
      /** Large values that tables refer to. */
      BLOB,
      /** The rows that no table has yet. */
      LOG,
      /** Which tables there are. */
      MANIFEST,
      /** The name of the MANIFEST. */
      CURRENT,
      /** The options. */
      OPTIONS,
      /** Another one. */
      OTHER
    }

    HeldFile(StorageInfo.Entry entry) {
      this.entry = entry;
    }

    /**
     * The name that it has in a copy.
     *
     * @return the file's name, without a folder
     */
    public String name() {
      return entry.name();
    }

    /**
     * Where it is.
     *
     * @return its path
     */
    public Path path() {
      return entry.path();
    }

    /**
     * The kind of file.
     *
     * @return the kind
     */
    public Kind kind() {
      return switch (entry.type()) {
        case 0 -> Kind.LOG;
        case 2 -> Kind.TABLE;
        case 3 -> Kind.MANIFEST;
        case 4 -> Kind.CURRENT;
        case 9 -> Kind.OPTIONS;
        case 10 -> Kind.BLOB;
        default -> Kind.OTHER;
      };
    }

    /**
     * How much is to be copied: the file may be longer by now.
     *
     * @return the size of the copy
     */
    public ByteSize size() {
      return ByteSize.bytes(entry.size());
    }

    /**
     * Whether the file does not change any more, so that a link to it does as a copy.
     *
     * @return false for one of which a beginning is copied, or other contents
     */
    public boolean isWhole() {
      return !entry.grows() && entry.contents() == null;
    }

    /**
     * The contents that a copy has in the place of the file's, which may be others by now.
     *
     * @return a copy of the contents, for the file CURRENT alone
     */
    public Optional<byte[]> contents() {
      return Optional.ofNullable(entry.contents()).map(byte[]::clone);
    }

    /**
     * The CRC-32C of the whole file, as {@link java.util.zip.CRC32C} computes it: of a table or blob file that was written with
     * the option {@code file_checksum_gen_factory}.
     *
     * @return the checksum, if there is one
     */
    public OptionalLong checksum() {
      return entry.checksum() < 0 ? OptionalLong.empty() : OptionalLong.of(entry.checksum());
    }

    /**
     * Opens what is to be copied, and nothing behind it.
     *
     * @return a stream of {@link #size} bytes, which the caller <em>owns</em> and must close; one that finds the file
     *     shorter throws {@link java.io.EOFException}
     * @throws IOException if the file cannot be opened, as when the hold was closed and the file has gone
     */
    public InputStream open() throws IOException {
      return entry.contents() != null
          ? new ByteArrayInputStream(entry.contents())
          : new FileBeginning(Files.newInputStream(path()), entry.size(), path());
    }

    @Override
    public String toString() {
      return path() + ", " + kind() + ", " + size();
    }
  }

  /**
   * A file of a database's write-ahead log, as it was when it was asked for; it may be gone since.
   *
   * @param number of the file; a later file has a higher one
   * @param archived whether its rows are in tables, and it is kept for readers of the log alone
   * @param firstSequenceNumber of the first write in it; 0 if there is none yet
   * @param size how large it is
   * @param path where it is
   */
  public record LogFile(long number, boolean archived, long firstSequenceNumber, ByteSize size, Path path) {
    /** Made by the library alone. */
    public LogFile {
      requireNonNull(size, "size");
      requireNonNull(path, "path");
    }
  }

  /**
   * Reads what is written to a database from its log, batch by batch, in order, also what is written later. Its owner
   * closes it; its database closes it at the latest. One thread at a time.
   *
   * <p>The engine deletes a log when its rows are in tables, unless {@code WAL_ttl_seconds} or {@code WAL_size_limit_MB} keep
   * it. Where the log has gone, or rows were written without it, {@link #next} throws {@link RocksDbException} with the code
   * NOT_FOUND, and does so each time: who follows the database begins again from a {@link DatabaseFiles#checkpoint checkpoint}.
   * So it does with the code NOT_SUPPORTED where a transaction was {@linkplain Transaction#prepare prepared}: its rows get
   * their numbers when it is committed, which the engine's reader does not follow.
   *
   * <p>A close ends the reader.
   */
  public static final class LogReader extends Resource {
    private final NativeLog log;

    @SuppressWarnings({"unused", "FieldCanBeLocal"}) // the database is not forgotten while its log is read
    private final Object databaseToken;

    LogReader(NativeLog log, Object databaseToken) {
      super(log);
      this.log = log;
      this.databaseToken = databaseToken;
    }

    /**
     * Goes to the next batch. A log that is buffered ({@code manual_wal_flush}) is written to its file first.
     *
     * @return false if nothing more has been written yet; may be called again then
     */
    public boolean next() {
      return log.next();
    }

    /**
     * The batch that the reader is at: as it was written, but for records that carry no rows.
     *
     * @return a new batch, to be visited, turned to bytes, or written to another database that has the same column
     *     families
     */
    public WriteBatch batch() {
      return log.look(WriteBatch::from);
    }

    /**
     * Shows the batch that the reader is at where the engine has it, in the engine's own form: to be written to a socket or
     * a file, say, without a copy. {@link WriteBatch#from} reads it.
     *
     * @param look gets the bytes, read-only, for the length of the call; it must not use this reader
     * @param <R> what it makes of them
     * @return what the function returned
     */
    public <R> R batch(Function<? super MemorySegment, R> look) {
      return log.look(requireNonNull(look, "look"));
    }

    /**
     * The number of the first write of the batch that the reader is at.
     *
     * @return the sequence number
     */
    public long sequenceNumber() {
      return log.sequence();
    }

    /**
     * The number of the first write behind all batches read so far: another reader continues there.
     *
     * @return the sequence number
     */
    public long nextSequenceNumber() {
      return log.nextSequence();
    }
  }
}
