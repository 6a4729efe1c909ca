/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.internal.files.NativeBackups;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.settings.NativeRateLimiter;

/**
 * A folder of incremental backups: table files that backups have in common are stored once. Its owner closes it.
 * Thread-safe.
 *
 * <pre>{@code
 * try (Backups backups = Backups.open(Path.of("/backup/orders"))) {
 *   backups.create(db);
 *   backups.keepLatest(7);
 * }
 * }</pre>
 *
 * <p>The database stays in use during a backup. A backup that is interrupted, even by the end of the process, leaves
 * earlier backups intact; the next one removes its remains. The format is RocksDB's own, so {@code org.rocksdb} reads
 * and writes such folders too, but not while one is open here. Only one process can have a folder open. Callbacks must
 * not use this object.
 *
 * <p>Closing stops a backup in progress, which throws, and waits for other calls.
 */
public final class Backups extends Resource {
  private final NativeBackups backups;

  private Backups(NativeBackups backups) {
    super(backups);
    this.backups = backups;
  }

  /**
   * Opens a folder of backups, and creates it if it does not exist.
   *
   * @param folder the backup folder; must not contain a database, and should be on another disk
   * @return the backups, which the caller <em>owns</em> and must close
   * @throws RocksDbException if the folder is in use, belongs to a database, or cannot be read
   */
  public static Backups open(Path folder) {
    return open(folder, Options.defaults());
  }

  /**
   * Opens a folder of backups, and creates it if it does not exist. Refuses a folder in which other files use the names
   * of the engine's sub-folders, because the engine would delete them.
   *
   * @param folder the backup folder; must not contain a database, and should be on another disk
   * @param options the options of backups and restores
   * @return the backups, which the caller <em>owns</em> and must close
   * @throws RocksDbException if the folder is in use, belongs to a database, or cannot be read
   */
  public static Backups open(Path folder, Options options) {
    return open(FolderPath.of(folder), requireNonNull(options, "options"), null);
  }

  /**
   * Opens a folder of backups whose copying shares a rate limit with databases that use the limiter, or with other
   * folders of backups.
   *
   * @param folder the backup folder; must not contain a database, and should be on another disk
   * @param options the options of backups and restores; must not set a rate
   * @param limiter limits the copying of backups and restores; <em>shared</em> with this folder
   * @return the backups, which the caller <em>owns</em> and must close
   * @throws RocksDbException if the folder is in use, belongs to a database, or cannot be read
   */
  public static Backups open(Path folder, Options options, RateLimiter limiter) {
    FolderPath path = FolderPath.of(folder);
    requireNonNull(options, "options");
    requireNonNull(limiter, "limiter");
    if (options.backupRate().bytes() != 0 || options.restoreRate().bytes() != 0) {
      throw new IllegalArgumentException(
          "options: backupRate and restoreRate have no effect beside a limiter; leave them out");
    }
    return open(path, options, limiter.nativeLimiter());
  }

  private static Backups open(FolderPath path, Options options, NativeRateLimiter limiter) {
    NativeBackups.Settings settings =
        new NativeBackups.Settings(
            options.flushFirst(),
            options.sync(),
            options.backupRate().bytes(),
            options.restoreRate().bytes(),
            options.threads(),
            limiter);
    return LeakWatch.owner(NativeBackups.open(path, settings), Backups::new);
  }

  /**
   * Backs up a database, including all writes before the call.
   *
   * @param db open for writing; a close of it waits for the backup
   * @return the new backup
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the backups or the database is closed, or its background work is paused
   */
  public Backup create(RocksDb db) {
    return create(db, "");
  }

  /**
   * Backs up a database, including all writes before the call, and stores a text with the backup.
   *
   * @param db open for writing; a close of it waits for the backup
   * @param note at most 1 MiB of UTF-8; may be empty
   * @return the new backup
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the backups or the database is closed, or its background work is paused
   */
  public Backup create(RocksDb db, String note) {
    return backup(backups.create(requireNonNull(db, "db").database(), requireNonNull(note, "note"), null));
  }

  /**
   * Backs up a database, including all writes before the call, stores a text with the backup, and reports its progress.
   * A small backup may end without a report.
   *
   * @param db open for writing; a close of it waits for the backup
   * @param note at most 1 MiB of UTF-8; may be empty
   * @param listener called on a separate thread
   * @return the new backup
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the backups or the database is closed, or its background work is paused
   */
  public Backup create(RocksDb db, String note, Progress.Listener listener) {
    requireNonNull(db, "db");
    requireNonNull(note, "note");
    requireNonNull(listener, "listener");
    long began = System.nanoTime();
    NativeBackups.Progress progress = (copied, total) -> {
      Duration elapsed = Duration.ofNanos(System.nanoTime() - began);
      listener.onProgress(new Progress(ByteSize.bytes(copied), ByteSize.bytes(total), elapsed));
    };
    return backup(backups.create(db.database(), note, progress));
  }

  /**
   * Returns all readable backups, the oldest first. Backups with a damaged list of files, or with missing files, are
   * omitted.
   *
   * @return the backups
   */
  public List<Backup> list() {
    List<Backup> list = new ArrayList<>();
    backups.list().forEach(each -> list.add(backup(each)));
    return List.copyOf(list);
  }

  private static Backup backup(NativeBackups.Entry entry) {
    return new Backup(entry.id(), entry.time(), ByteSize.bytes(entry.size()), entry.files(), entry.note());
  }

  /**
   * Reads all files of a backup to verify them.
   *
   * @param id the id of the backup
   * @throws RocksDbException if a file is missing or damaged
   */
  public void verify(int id) {
    backups.verify(id);
  }

  /**
   * Restores a backup into a new folder, which appears only when it is complete. Existing files are never replaced: to
   * restore in place, {@linkplain RocksDb#destroy destroy} the database first. All files are verified. WAL files are
   * restored into the same folder, even if the database had them elsewhere.
   *
   * @param id the id of the backup
   * @param folder must not exist, or be empty; during the restore, a folder with its name and {@code .restoring}
   * appended is in use next to it
   * @throws RocksDbException if there is no such backup, the folder is not empty, or a file is damaged
   * @throws IllegalStateException if this is closed
   */
  public void restore(int id, Path folder) {
    backups.restore(id, FolderPath.of(folder));
  }

  /**
   * Restores the newest readable backup, as {@link #restore} does.
   *
   * @param folder must not exist, or be empty
   * @return the backup that was restored
   * @throws RocksDbException if there is no backup, the folder is not empty, or a file is damaged
   * @throws IllegalStateException if this is closed
   */
  public Backup restoreLatest(Path folder) {
    return backup(backups.restoreLatest(FolderPath.of(folder)));
  }

  /**
   * Deletes the oldest backups, and the remains of interrupted ones.
   *
   * @param count the number of backups to keep; 0 deletes all
   */
  public void keepLatest(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("count: " + count + ", but at least 0 backups are kept");
    }
    backups.keepLatest(count);
  }

  /**
   * Deletes one backup, with the files that no other backup uses. Waits for a backup, restore or verification in
   * progress.
   *
   * @param id the id of the backup
   * @throws RocksDbException if there is no such backup
   * @throws IllegalStateException if this is closed
   */
  public void delete(int id) {
    backups.delete(id);
  }

  /**
   * The progress of a backup that is being {@linkplain Backups#create(RocksDb, String, Progress.Listener) created}.
   *
   * @param copied the bytes copied so far, in whole MiB
   * @param total the approximate bytes to copy: files that were not in the folder when the backup started; at least
   * {@code copied}
   * @param elapsed the time since the start
   */
  public record Progress(ByteSize copied, ByteSize total, Duration elapsed) {
    /** Receives the progress of a backup. */
    @FunctionalInterface
    public interface Listener {
      /**
       * Called on a thread of this library with the latest progress; intermediate states may be skipped. The backup
       * does not wait for it. The last call may come after the backup is complete.
       *
       * @param progress the current progress; exceptions are logged
       */
      void onProgress(Progress progress);
    }

    /** Created by the library. */
    public Progress {
      requireNonNull(copied, "copied");
      requireNonNull(total, "total");
      requireNonNull(elapsed, "elapsed");
    }

    /**
     * Estimates the remaining time, at the same rate.
     *
     * @return the estimate
     */
    public Duration timeLeft() {
      long left = total.bytes() - copied.bytes();
      return left <= 0 || copied.bytes() == 0
          ? Duration.ZERO
          : Duration.ofNanos((long) ((double) elapsed.toNanos() / copied.bytes() * left));
    }
  }

  /**
   * Options of a folder of {@link Backups}.
   *
   * @param flushFirst whether a backup first flushes the memtables
   * @param sync whether copied files are synced before a call returns
   * @param backupRate the maximum bytes per second of backups; zero for no limit
   * @param restoreRate the maximum bytes per second of restores; zero for no limit
   * @param threads the number of files that are copied in parallel
   */
  public record Options(
      boolean flushFirst, boolean sync, ByteSize backupRate, ByteSize restoreRate, int threads) {
    private static final int MAX_THREADS = 64;
    private static final ByteSize LEAST_RATE = ByteSize.kib(1);
    private static final Options DEFAULTS =
        new Options(true, true, ByteSize.bytes(0), ByteSize.bytes(0), 1);

    /** Refuses values that the engine would misinterpret. */
    public Options {
      requireRate("backupRate", requireNonNull(backupRate, "backupRate"));
      requireRate("restoreRate", requireNonNull(restoreRate, "restoreRate"));
      if (threads < 1 || threads > MAX_THREADS) {
        throw new IllegalArgumentException("threads: " + threads + ", but files are copied by 1 to " + MAX_THREADS);
      }
    }

    private static void requireRate(String name, ByteSize rate) {
      if (rate.bytes() != 0 && rate.bytes() < LEAST_RATE.bytes()) {
        throw new IllegalArgumentException(name + ": " + rate + " a second, but the least is " + LEAST_RATE + "; 0 is no limit");
      }
    }

    /**
     * Returns the defaults: flush before a backup, sync, one thread, no rate limit.
     *
     * @return the options
     */
    public static Options defaults() {
      return DEFAULTS;
    }

    /**
     * Sets whether a backup first flushes the memtables. Otherwise the WAL is copied; a database with writes that
     * skipped the WAL is flushed in any case.
     *
     * @param flush false to copy the WAL
     * @return the changed options
     */
    public Options flushFirst(boolean flush) {
      return new Options(flush, sync, backupRate, restoreRate, threads);
    }

    /**
     * Sets whether copied files are synced before a call returns. Otherwise a power failure may damage a new backup,
     * and others that share its files.
     *
     * @param wait false to leave it to the operating system
     * @return the changed options
     */
    public Options sync(boolean wait) {
      return new Options(flushFirst, wait, backupRate, restoreRate, threads);
    }

    /**
     * Sets the maximum rate of backups.
     *
     * @param aSecond bytes per second, at least 1 KiB; 0 for no limit
     * @return the changed options
     */
    public Options backupRate(ByteSize aSecond) {
      return new Options(flushFirst, sync, requireNonNull(aSecond, "aSecond"), restoreRate, threads);
    }

    /**
     * Sets the maximum rate of restores.
     *
     * @param aSecond bytes per second, at least 1 KiB; 0 for no limit
     * @return the changed options
     */
    public Options restoreRate(ByteSize aSecond) {
      return new Options(flushFirst, sync, backupRate, requireNonNull(aSecond, "aSecond"), threads);
    }

    /**
     * Sets the number of files that are copied in parallel.
     *
     * @param count from 1 to 64
     * @return the changed options
     */
    public Options threads(int count) {
      return new Options(flushFirst, sync, backupRate, restoreRate, count);
    }
  }
}
