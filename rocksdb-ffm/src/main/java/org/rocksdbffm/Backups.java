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
 * A folder of incremental backups: table files that several backups have are in it once. Its owner closes it.
 * Thread-safe.
 *
 * <pre>{@code
 * try (Backups backups = Backups.open(Path.of("/backup/orders"))) {
 *   backups.create(db);
 *   backups.keepLatest(7);
 * }
 * }</pre>
 *
 * <p>The database stays in use while it is backed up. A backup that is cut off anywhere, be it by the end of the process,
 * leaves the older ones as they were; the next one clears its remains away. The form is that of the engine, so
 * {@code org.rocksdb} reads and writes such folders too, but not while this has one open. One process has it open at a
 * time. A callback of a database must not use it.
 *
 * <p>A close gives the folder up: a backup in progress is stopped and throws; other calls are waited for.
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
   * @param folder where the backups are; that of no database, and best on another disk
   * @return the backups, which the caller <em>owns</em> and must close
   */
  public static Backups open(Path folder) {
    return open(folder, Options.defaults());
  }

  /**
   * Opens a folder of backups, and creates it if it does not exist. A folder that has other things under the names that
   * the engine takes there is refused, for it would delete them.
   *
   * @param folder where the backups are; that of no database, and best on another disk
   * @param options for what is made and restored
   * @return the backups, which the caller <em>owns</em> and must close
   */
  public static Backups open(Path folder, Options options) {
    return open(FolderPath.of(folder), requireNonNull(options, "options"), null);
  }

  /**
   * Opens a folder of backups whose copying is limited together with other work: with that of databases that have the
   * limiter, or with that of other folders.
   *
   * @param folder where the backups are; that of no database, and best on another disk
   * @param options for what is made and restored, without a rate of their own
   * @param limiter of what is copied to the folder and from it, of which this keeps a share
   * @return the backups, which the caller <em>owns</em> and must close
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
   * Backs a database up, with all that was written before the call.
   *
   * @param db open for writing; a close of it waits for the backup
   * @return the new backup
   */
  public Backup create(RocksDb db) {
    return create(db, "");
  }

  /**
   * Backs a database up, with all that was written before the call, and keeps a text with the backup.
   *
   * @param db open for writing; a close of it waits for the backup
   * @param note at most 1 MiB of UTF-8; may be empty
   * @return the new backup
   */
  public Backup create(RocksDb db, String note) {
    return backup(backups.create(requireNonNull(db, "db").database(), requireNonNull(note, "note"), null));
  }

  /**
   * Backs a database up, with all that was written before the call, keeps a text with the backup, and tells how far it has
   * come each time that some more was copied. A small backup may end before there is anything to tell.
   *
   * @param db open for writing; a close of it waits for the backup
   * @param note at most 1 MiB of UTF-8; may be empty
   * @param listener called on a thread of its own
   * @return the new backup
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
   * All backups that can be read, from the oldest on. One whose list of files is damaged, or whose files are missing, is
   * not among them.
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
   * Reads all files of a backup, and throws {@link RocksDbException} if one is missing or damaged.
   *
   * @param id the backup's number
   */
  public void verify(int id) {
    backups.verify(id);
  }

  /**
   * Restores a backup into a new folder, which is there when all of it is, and not before. Nothing is ever replaced: for
   * the same place again, {@link RocksDb#destroy destroy} first what is there. All files are verified on the way. Logs are
   * put into that folder too, wherever the database had them.
   *
   * @param id the backup's number
   * @param folder does not exist, or is empty; beside it, a folder of its name with {@code .restoring} behind is in use
   *     meanwhile
   */
  public void restore(int id, Path folder) {
    backups.restore(id, FolderPath.of(folder));
  }

  /**
   * Restores the newest backup that can be read, like {@link #restore}.
   *
   * @param folder does not exist, or is empty
   * @return the backup that was restored
   */
  public Backup restoreLatest(Path folder) {
    return backup(backups.restoreLatest(FolderPath.of(folder)));
  }

  /**
   * Deletes the oldest backups, and the remains of those that were cut off.
   *
   * @param count how many stay; 0 deletes all
   */
  public void keepLatest(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("count: " + count + " backups cannot stay");
    }
    backups.keepLatest(count);
  }

  /**
   * Deletes one backup, and the files that no other has. A backup, a restore and a verification in progress are waited for.
   *
   * @param id the backup's number
   */
  public void delete(int id) {
    backups.delete(id);
  }

  /**
   * How far a backup has come that is being {@linkplain Backups#create(RocksDb, String, Progress.Listener) made}.
   *
   * @param copied how much was copied, in whole MiB
   * @param total about how much is to be copied: what the folder had not yet when the backup began, but at least what
   *     was copied
   * @param elapsed how long it takes so far
   */
  public record Progress(ByteSize copied, ByteSize total, Duration elapsed) {
    /** Called with how far a backup has come. */
    @FunctionalInterface
    public interface Listener {
      /**
       * Called on a thread of the library's own, of the newest state and not of each; the backup does not wait for it. The
       * last call may come when the backup is complete.
       *
       * @param progress how far it has come; what this throws is logged
       */
      void onProgress(Progress progress);
    }

    /** Made by the library alone. */
    public Progress {
      requireNonNull(copied, "copied");
      requireNonNull(total, "total");
      requireNonNull(elapsed, "elapsed");
    }

    /**
     * How long it will take still, at the same rate.
     *
     * @return an estimate
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
   * @param flushFirst whether a backup writes the memtables to files before it begins
   * @param sync whether what is copied is on the disk when a call returns
   * @param backupRate how many bytes a second are copied to the folder at most; none for no limit
   * @param restoreRate how many bytes a second are copied from the folder at most; none for no limit
   * @param threads how many files are copied at the same time
   */
  public record Options(
      boolean flushFirst, boolean sync, ByteSize backupRate, ByteSize restoreRate, int threads) {
    private static final int MAX_THREADS = 64;
    private static final ByteSize LEAST_RATE = ByteSize.kib(1);
    private static final Options DEFAULTS =
        new Options(true, true, ByteSize.bytes(0), ByteSize.bytes(0), 1);

    /** Refuses what the engine would take for something else. */
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
     * Backups are flushed first and synced, by one thread, as fast as the disk can.
     *
     * @return the options
     */
    public static Options defaults() {
      return DEFAULTS;
    }

    /**
     * Whether a backup writes the memtables to files before it begins. Without it the logs are copied; a database in which
     * anything was written without the log flushes in any case.
     *
     * @param flush false to copy the logs
     * @return the changed options
     */
    public Options flushFirst(boolean flush) {
      return new Options(flush, sync, backupRate, restoreRate, threads);
    }

    /**
     * Whether what is copied is on the disk when a call returns. Without it the end of the machine may damage a backup that
     * was just made, and others that share files with it.
     *
     * @param wait false to leave it to the operating system
     * @return the changed options
     */
    public Options sync(boolean wait) {
      return new Options(flushFirst, wait, backupRate, restoreRate, threads);
    }

    /**
     * Limits how fast backups are made.
     *
     * @param aSecond from 1 KiB; 0 for no limit
     * @return the changed options
     */
    public Options backupRate(ByteSize aSecond) {
      return new Options(flushFirst, sync, requireNonNull(aSecond, "aSecond"), restoreRate, threads);
    }

    /**
     * Limits how fast backups are restored.
     *
     * @param aSecond from 1 KiB; 0 for no limit
     * @return the changed options
     */
    public Options restoreRate(ByteSize aSecond) {
      return new Options(flushFirst, sync, backupRate, requireNonNull(aSecond, "aSecond"), threads);
    }

    /**
     * How many files are copied at the same time.
     *
     * @param count from 1 to 64
     * @return the changed options
     */
    public Options threads(int count) {
      return new Options(flushFirst, sync, backupRate, restoreRate, count);
    }
  }
}
