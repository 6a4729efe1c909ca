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
 */
public final class Backups implements AutoCloseable {
  private final NativeBackups backups;
  private final LeakWatch watch;

  private Backups(NativeBackups backups) {
    this.backups = backups;
    this.watch = LeakWatch.over(this, backups);
  }

  /**
   * Opens a folder of backups, and creates it if it does not exist.
   *
   * @param folder where the backups are; that of no database, and best on another disk
   * @return the backups, which the caller <em>owns</em> and must close
   */
  public static Backups open(Path folder) {
    return open(folder, BackupOptions.defaults());
  }

  /**
   * Opens a folder of backups, and creates it if it does not exist. A folder that has other things under the names that
   * the engine takes there is refused, for it would delete them.
   *
   * @param folder where the backups are; that of no database, and best on another disk
   * @param options for what is made and restored
   * @return the backups, which the caller <em>owns</em> and must close
   */
  public static Backups open(Path folder, BackupOptions options) {
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
  public static Backups open(Path folder, BackupOptions options, RateLimiter limiter) {
    FolderPath path = FolderPath.of(folder);
    requireNonNull(options, "options");
    requireNonNull(limiter, "limiter");
    if (options.backupRate().bytes() != 0 || options.restoreRate().bytes() != 0) {
      throw new IllegalArgumentException(
          "options: backupRate and restoreRate have no effect beside a limiter; leave them out");
    }
    return open(path, options, limiter.nativeLimiter());
  }

  private static Backups open(FolderPath path, BackupOptions options, NativeRateLimiter limiter) {
    NativeBackups.Settings settings =
        new NativeBackups.Settings(
            options.flushFirst(),
            options.sync(),
            options.backupRate().bytes(),
            options.restoreRate().bytes(),
            options.threads(),
            limiter);
    NativeBackups opened = NativeBackups.open(path, settings);
    try {
      return new Backups(opened);
    } catch (Throwable e) {
      opened.close();
      throw e;
    }
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
   * @param listener is told on a thread of its own
   * @return the new backup
   */
  public Backup create(RocksDb db, String note, BackupProgress.Listener listener) {
    requireNonNull(db, "db");
    requireNonNull(note, "note");
    requireNonNull(listener, "listener");
    long began = System.nanoTime();
    NativeBackups.Progress progress = (copied, total) -> {
      Duration elapsed = Duration.ofNanos(System.nanoTime() - began);
      listener.onProgress(new BackupProgress(ByteSize.bytes(copied), ByteSize.bytes(total), elapsed));
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

  /** Gives the folder up; idempotent. A backup in progress is stopped and throws; other calls are waited for. */
  @Override
  public void close() {
    backups.close();
    watch.end();
  }

  @Override
  public String toString() {
    return backups.name();
  }
}
