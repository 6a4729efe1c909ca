/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.ingest.Ingestion;
import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.settings.NativeEncryption;
import org.rocksdbffm.internal.upkeep.FileWork;
import org.rocksdbffm.internal.upkeep.Flushes;
import org.rocksdbffm.internal.upkeep.NativePause;

/** The files of a database, and its background work. Thread-safe; usable while the database is open. */
public final class DatabaseFiles extends FamilyFiles {
  private static final Duration MOST = Duration.ofDays(365);

  private final Database database;

  DatabaseFiles(Database database, NativeFamily defaultFamily, RocksDb db) {
    super(defaultFamily, db);
    this.database = database;
  }

  /**
   * Creates a copy of the database in its current state, which can be opened like any other database. On the same disk,
   * its tables are hard links, which need no space until the original deletes its own. Memtables are flushed first. If
   * it is interrupted, no folder appears under the target's name. The WAL is copied to the same folder even if {@code
   * wal_dir} is set: open the copy with {@link DatabaseOptions#replaceWalDir}.
   *
   * @param folder must not exist, or be empty; during the call, a folder with its name and {@code .tmp} appended is in
   * use next to it
   * @throws RocksDbException if the folder is not empty, or the engine fails
   * @throws IllegalStateException if the database is closed, or its background work is paused
   */
  public void checkpoint(Path folder) {
    Checkpoint.create(database, FolderPath.of(folder));
  }

  /**
   * Atomically ingests table files that {@link TableWriter}s have finished into several column families: after a crash,
   * and for all readers that take a snapshot later, all families have the rows of their files, or none has. Otherwise as {@link
   * FamilyFiles#ingest(List, IngestOptions)}.
   *
   * @param files for each family its files, from the oldest to the newest, each only once
   * @param options options of the ingestion into each family
   * @throws IllegalArgumentException if a family belongs to another database, or has no files
   * @throws RocksDbException if a file is refused, or the engine fails
   * @throws IllegalStateException if the database or a family is closed, its background work is paused, or it has open
   *     transactions
   */
  public void ingest(Map<ColumnFamily, List<Path>> files, IngestOptions options) {
    StackRoom.require(); // a class that is initialized at the end of a stack stays unusable
    requireNonNull(options, "options");
    requireNonNull(files, "files");
    database.requireOpen();
    Map<NativeFamily, List<Path>> byFamily = new LinkedHashMap<>();
    files.forEach((family, ofFamily) -> {
      requireNonNull(family, "files: a family is null").sourceOf(database, "files");
      byFamily.put(family.nativeFamily(), paths(ofFamily));
    });
    if (byFamily.isEmpty()) {
      throw new IllegalArgumentException("files: there are none to be ingested");
    }
    Ingestion.run(database, byFamily, options.settings);
  }

  /**
   * Returns the id of the database, which is unique. Checkpoints and restored backups have the id of the original.
   *
   * @return the content of the file IDENTITY
   */
  public String identity() {
    return FileWork.identity(database);
  }

  /**
   * Returns the current table files of all column families.
   *
   * @return the files
   */
  public List<FamilyFiles.LiveFile> live() {
    return FileWork.live(database).stream().map(FamilyFiles.LiveFile::new).toList();
  }

  /**
   * Reads all table files, and verifies the checksums of their blocks.
   *
   * @throws RocksDbException if a block is damaged
   */
  public void verifyChecksums() {
    FileWork.verifyChecksums(database);
  }

  /**
   * Opens a reader of the WAL at a sequence number. If the number is within a batch, the reader starts with the whole batch:
   * {@link LogReader#sequenceNumber} is then lower than the number, and a merge that the caller has already applied would
   * count twice. The numbers that {@link LogReader#nextSequenceNumber} returns are never within a batch.
   *
   * @param sequenceNumber the first write to read; {@link #latestSequenceNumber} plus 1 for future writes only
   * @return a reader, which the caller <em>owns</em> and must close
   * @throws IllegalArgumentException if the number is negative
   * @throws RocksDbException if the database is read-only (NOT_SUPPORTED)
   * @throws IllegalStateException if the database is closed
   */
  public LogReader logSince(long sequenceNumber) {
    if (sequenceNumber < 0) {
      throw new IllegalArgumentException("sequenceNumber: " + sequenceNumber + " is below zero");
    }
    return new LogReader(NativeLog.open(database, sequenceNumber), database.token());
  }

  /**
   * Returns the sequence number of the last write.
   *
   * @return the sequence number
   */
  public long latestSequenceNumber() {
    return database.latestSequenceNumber();
  }

  /**
   * Runs an operation on files with the keys of the database, as {@link EncryptionKeys#use} does; without keys if the
   * database is not encrypted.
   *
   * @param <T> the type of the result
   * @param <E> the type of exceptions
   * @param operation the operation, which may last longer than the database
   * @return the operation's result
   * @throws E if the operation does
   * @throws IllegalStateException if the database is closed
   */
  public <T, E extends Throwable> T useKeys(ScopedValue.CallableOp<T, E> operation) throws E {
    requireNonNull(operation, "operation");
    NativeEncryption keys =
        database.within((db, arena, error) -> database.encryption() == null ? null : database.encryption().share());
    return keys == null ? operation.call() : keys.during(operation);
  }

  /** Writes the buffered part of the WAL to its file, without a sync. */
  public void flushWal() {
    Flushes.flushWal(database, false);
  }

  /** Writes the buffered part of the WAL to its file, and syncs it. */
  public void syncWal() {
    Flushes.flushWal(database, true);
  }

  /**
   * Waits until no flush and no compaction is pending.
   *
   * @param timeout the longest wait; afterwards this throws {@link RocksDbException} with the code TIMED_OUT
   */
  public void waitForCompact(Duration timeout) {
    if (requireNonNull(timeout, "timeout").isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("timeout: " + timeout + ", but it must be longer than nothing");
    }
    FileWork.waitForCompact(database, timeout);
  }

  /**
   * Holds all files that a copy of the database in its current state needs. Memtables are flushed first.
   *
   * @return the files, which the caller <em>owns</em> and must close
   * @throws RocksDbException if the engine fails, or the database is read-only (NOT_SUPPORTED)
   * @throws IllegalStateException if the database is closed, or its background work is paused
   */
  public Hold hold() {
    return hold(true);
  }

  /**
   * Holds all files that a copy of the database in its current state needs, including the WAL, so that memtables are
   * not flushed. Databases with transactions are flushed in any case, and so are databases with writes that skipped the
   * WAL.
   *
   * @return the files, which the caller <em>owns</em> and must close
   * @throws RocksDbException if the engine fails, or the database is read-only (NOT_SUPPORTED)
   * @throws IllegalStateException if the database is closed, or its background work is paused
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
                () -> StorageInfo.onDisk(database, flushFirst)));
  }

  /**
   * Returns the WAL files that contain rows, the oldest first, including archived files that are kept only for readers
   * of the WAL. Reads the start of each file.
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
   * Reads all table and blob files, and verifies the checksum of each whole file. Needs a database that was opened with
   * the option {@code file_checksum_gen_factory} set to {@code FileChecksumGenCrc32cFactory}, which writes such
   * checksums; otherwise fails with the code INVALID_ARGUMENT. Skips files without a checksum; {@link #verifyChecksums}
   * verifies the checksums of blocks, which all files have.
   *
   * @throws RocksDbException if a file is damaged
   */
  public void verifyFileChecksums() {
    FileWork.verifyFileChecksums(database);
  }

  /**
   * Pauses all flushes and automatic compactions, after the running ones, and the flushes of holds, checkpoints and
   * backups that other threads have started, have ended: for work that needs the disk, or files that do not change.
   * Reads continue, and so do writes until the memtables are full; then writes wait. So a pause ends after a time limit,
   * and when the database is closed. During the pause, flushes, compactions, waits for them, checkpoints, backups,
   * ingestions and all other operations that need a flush are refused.
   *
   * @param atMost the time limit; at most 365 days
   * @return the pause, which the caller <em>owns</em> and must close
   * @throws RocksDbException if the database is read-only (NOT_SUPPORTED)
   * @throws IllegalStateException if the database is closed
   */
  public Pause pauseWork(Duration atMost) {
    return pause(WorkPauses.Kind.BACKGROUND_WORK, atMost);
  }

  /**
   * Stops running manual {@linkplain KeySpace#compact compactions of ranges}, which throw {@link RocksDbException} with
   * the code INCOMPLETE, and refuses new ones until the pause is closed. The engine does not stop a running compaction
   * of {@linkplain FamilyFiles#compact(List, int) chosen files}.
   *
   * @return the pause, which the caller <em>owns</em> and must close
   * @throws RocksDbException if the database is read-only (NOT_SUPPORTED)
   * @throws IllegalStateException if the database is closed
   */
  public Pause pauseManualCompactions() {
    return pause(NativePause.begin(database, WorkPauses.Kind.MANUAL_COMPACTIONS));
  }

  /**
   * Retains all files that the database no longer needs, including WAL files whose rows are in tables, until the pause is
   * closed: for copying the WAL without {@code WAL_ttl_seconds}. The retained files use disk space.
   *
   * @return the pause, which the caller <em>owns</em> and must close
   * @throws RocksDbException if the database is read-only (NOT_SUPPORTED)
   * @throws IllegalStateException if the database is closed
   */
  public Pause pauseDeletions() {
    return pause(NativePause.begin(database, WorkPauses.Kind.FILE_DELETIONS));
  }

  /**
   * Stops running compactions, manual and automatic ones, after at most some thousand rows, and starts no others until
   * the pause ends: when the disk is needed now. Their work so far is lost. Manual compactions throw {@link
   * RocksDbException} with the code INCOMPLETE, and new ones are refused. Flushes and writes continue, until they have
   * written so many files that writes wait. So a pause ends after a time limit, and when the database is closed.
   *
   * @param atMost the time limit; at most 365 days
   * @return the pause, which the caller <em>owns</em> and must close
   * @throws RocksDbException if the database is read-only (NOT_SUPPORTED)
   * @throws IllegalStateException if the database is closed
   */
  public Pause abortCompactions(Duration atMost) {
    return pause(WorkPauses.Kind.COMPACTIONS, atMost);
  }

  private Pause pause(WorkPauses.Kind kind, Duration atMost) {
    if (requireNonNull(atMost, "atMost").isNegative() || atMost.isZero() || atMost.compareTo(MOST) > 0) {
      throw new IllegalArgumentException("atMost: " + atMost + ", but it must be longer than nothing, and up to " + MOST);
    }
    return pause(NativePause.ofAtMost(database, kind, atMost.toNanos()));
  }

  private Pause pause(NativePause started) {
    return LeakWatch.owner(started, pause -> new Pause(pause, database.token()));
  }

  /**
   * A handle that pauses one kind of background work until it is closed. Pauses of a kind may overlap; the work resumes
   * when the last one is closed. Its owner closes it; its database closes it at the latest. Thread-safe.
   *
   * <p>Closing ends the pause.
   */
  public static final class Pause extends Resource {
    private final NativePause pause;

    Pause(NativePause pause, Object databaseToken) {
      super(pause, databaseToken);
      this.pause = pause;
    }

    /**
     * Returns whether the pause has neither been closed nor reached its time limit.
     *
     * @return false once it has ended
     */
    public boolean isInEffect() {
      return pause.isInEffect();
    }
  }

  /**
   * The files of a database at one point in time, which are not deleted until this is closed, for copying them. The
   * database can still be written, and retains files that it no longer needs. Its owner closes it; its database closes
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
   * <p>Closing lets the database delete files that it no longer needs.
   */
  public static final class Hold extends Resource {
    private final List<HeldFile> files;
    private final long sequenceNumber;

    Hold(NativePause deletions, Object databaseToken, Supplier<StorageInfo.Listing> listing) {
      super(deletions, databaseToken);
      try {
        StorageInfo.Listing listed = listing.get();
        this.files = listed.files().stream().map(HeldFile::new).toList();
        this.sequenceNumber = listed.sequence();
      } catch (Throwable e) {
        close(); // if this lacks stack, the leak watch ends the hold
        throw e;
      }
    }

    /**
     * Returns all files that a copy of the database needs. The copy can be opened when all of them are in one folder;
     * if {@code wal_dir} is set, open it with {@link DatabaseOptions#replaceWalDir}, because the WAL is in the same
     * folder.
     *
     * @return the files
     */
    public List<HeldFile> files() {
      return files;
    }

    /**
     * Returns the number of the last write when the files were listed. The held tables have each write up to this number
     * that skipped the WAL; each other write is in the tables or in the WAL.
     *
     * @return the sequence number
     */
    public long sequenceNumber() {
      return sequenceNumber;
    }
  }

  /** A file that a copy of a database needs, and the size to copy. */
  public static final class HeldFile {
    private final StorageInfo.Entry entry;

    /** The kinds of files in a database. */
    public enum Kind {
      /** Sorted rows. */
      TABLE,
      /** Large values that tables refer to. */
      BLOB,
      /** Write-ahead log: rows that are not in a table yet. */
      LOG,
      /** The list of tables. */
      MANIFEST,
      /** The name of the MANIFEST. */
      CURRENT,
      /** The options. */
      OPTIONS,
      /** Other files. */
      OTHER
    }

    HeldFile(StorageInfo.Entry entry) {
      this.entry = entry;
    }

    /**
     * Returns the name that the file must have in a copy.
     *
     * @return the file's name, without a folder
     */
    public String name() {
      return entry.name();
    }

    /**
     * Returns the path of the file.
     *
     * @return its path
     */
    public Path path() {
      return entry.path();
    }

    /**
     * Returns the kind of file.
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
     * Returns the size to copy: the file may have grown since.
     *
     * @return the size in the copy
     */
    public ByteSize size() {
      return ByteSize.bytes(entry.size());
    }

    /**
     * Returns whether the file is immutable, so that a hard link can replace a copy.
     *
     * @return false if only the start of the file is copied, or {@link #contents} instead
     */
    public boolean isWhole() {
      return entry.isWhole();
    }

    /**
     * Returns the contents to copy instead of the file's, which may have changed since; encrypted if the file is.
     *
     * @return a copy of the contents; only for the file CURRENT
     */
    public Optional<byte[]> contents() {
      return Optional.ofNullable(entry.contents()).map(byte[]::clone);
    }

    /**
     * Returns the CRC-32C of the whole file, as {@link java.util.zip.CRC32C} computes it, for table and blob files that
     * were written with the option {@code file_checksum_gen_factory}.
     *
     * @return the checksum, if there is one
     */
    public OptionalLong checksum() {
      return entry.checksum() < 0 ? OptionalLong.empty() : OptionalLong.of(entry.checksum());
    }

    /**
     * Opens a stream of the bytes to copy.
     *
     * @return a stream of {@link #size} bytes, which the caller <em>owns</em> and must close; it throws {@link
     *     java.io.EOFException} if the file is shorter
     * @throws IOException if the file cannot be opened, for example because the hold was closed and the file deleted
     */
    public InputStream open() throws IOException {
      return entry.open();
    }

    @Override
    public String toString() {
      return path() + ", " + kind() + ", " + size();
    }
  }

  /**
   * A WAL file of a database, at the time of the call; it may have been deleted since.
   *
   * @param number the file number; later files have higher numbers
   * @param archived whether its rows are in tables, and it is kept only for readers of the WAL
   * @param firstSequenceNumber the sequence number of its first write; 0 if it has none yet
   * @param size the size of the file
   * @param path the path of the file
   */
  public record LogFile(long number, boolean archived, long firstSequenceNumber, ByteSize size, Path path) {
    /** Created by the library. */
    public LogFile {
      requireNonNull(size, "size");
      requireNonNull(path, "path");
    }
  }

  /**
   * Reads the writes of a database from its WAL, batch by batch, in order, including future writes. Its owner closes
   * it; its database closes it at the latest. Used by one thread at a time.
   *
   * <p>The engine deletes a WAL file when its rows are in tables, unless {@code WAL_ttl_seconds} or {@code
   * WAL_size_limit_MB} retain it. If a needed file is deleted, or rows were written without WAL, {@link #next} throws
   * {@link RocksDbException} with the code NOT_FOUND, every time: a program that follows the database must start again
   * from a {@link DatabaseFiles#checkpoint checkpoint}. The same applies to the code NOT_SUPPORTED, after a transaction
   * was {@linkplain Transaction#prepare prepared}: its rows get their sequence numbers at the commit, which the
   * engine's reader does not support. It also applies after another program, such as one on rocksdbjni, has deleted an empty
   * range: the engine may give its number to another write as well. This library writes no empty range.
   *
   * <p>The WAL does not contain table files that were {@linkplain FamilyFiles#ingest ingested} or {@linkplain
   * FamilyFiles#deleteWithin deleted}, nor column families that were created, imported or dropped: a program that follows the
   * database must learn of these by other means.
   *
   * <p>Closing ends the reader.
   */
  public static final class LogReader extends Resource {
    private final NativeLog log;

    LogReader(NativeLog log, Object databaseToken) {
      super(log, databaseToken);
      this.log = log;
    }

    /**
     * Moves to the next batch. A buffered WAL ({@code manual_wal_flush}) is written to its file first.
     *
     * @return false if nothing more has been written yet; call it again later
     * @throws RocksDbException if the WAL does not contain the next write (NOT_FOUND), or cannot be followed
     *     (NOT_SUPPORTED)
     * @throws IllegalStateException if the reader or the database is closed
     */
    public boolean next() {
      return log.next();
    }

    /**
     * Returns the current batch, without records that carry no rows.
     *
     * @return a new batch, which can be visited, serialized, or written to another database with the same column
     *     families
     * @throws IllegalStateException if the reader is at no batch, or is closed
     */
    public WriteBatch batch() {
      return log.look(WriteBatch::from);
    }

    /**
     * Passes the serialized current batch to a function without a copy, for example to write it to a socket or a file.
     * {@link WriteBatch#from} reads it.
     *
     * @param look receives the bytes, read-only, <em>borrowed until</em> it returns; must not use this reader
     * @param <R> the type of the function's result
     * @return the function's result
     * @throws IllegalStateException if the reader is at no batch, or is closed
     */
    public <R> R batch(Function<? super MemorySegment, R> look) {
      return log.look(requireNonNull(look, "look"));
    }

    /**
     * Returns the sequence number of the first write in the current batch: lower than the number given to {@link
     * DatabaseFiles#logSince} if that is within the batch.
     *
     * @return the sequence number
     * @throws IllegalStateException if the reader is at no batch, or is closed
     */
    public long sequenceNumber() {
      return log.sequence();
    }

    /**
     * Returns the sequence number after all batches read so far, at which another reader continues.
     *
     * @return the sequence number
     */
    public long nextSequenceNumber() {
      return log.nextSequence();
    }
  }

  @Override
  public String toString() {
    return "files of " + database.handle();
  }
}
