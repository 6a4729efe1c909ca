/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.files;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiPredicate;
import java.util.function.LongConsumer;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.CopyGate;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.call.HandledResource;
import org.rocksdbffm.internal.call.Reentrance;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.callback.CallbackFrame;
import org.rocksdbffm.internal.callback.CopyProgress;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.WorkPauses;
import org.rocksdbffm.internal.folder.DatabaseFolders;
import org.rocksdbffm.internal.folder.FolderClaim;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.lifetime.Shared;
import org.rocksdbffm.internal.loader.NativeLibrary;
import org.rocksdbffm.internal.options.table.OptionText;
import org.rocksdbffm.internal.settings.NativeEncryption;
import org.rocksdbffm.internal.settings.NativeRateLimiter;
import org.rocksdbffm.internal.upkeep.Flushes;

/**
 * The engine's object of a backup folder, with the claim on the folder, without which two objects could give the same
 * id to two backups. Thread-safe.
 */
public final class NativeBackups implements HandledResource {
  private static final int MAX_NOTE = 1 << 20;
  private static final int MOST_SHOWN = 60;
  private static final String FILE_MISSING = "NotFound: File missing";
  private static final long PROGRESS = 1 << 20; // bytes between two progress callbacks of the engine
  private static final String RESTORING = ".restoring";
  private static final int NAMES_OF_CHECKSUMS = 1; // the engine's number

  private final FolderPath path;
  private final BackupFolder folder;
  private final Settings settings;
  private final FolderClaim claim;
  private final Handle handle;
  private final MemorySegment options; // the options share the limiter
  private final NativeEncryption encryption; // null: the copies are not encrypted

  // Read lock: calls that use the engine object; write lock: replacing it by a new one, which reads the folder again.
  private final ReadWriteLock replacing = new ReentrantReadWriteLock();

  // Guarded by this.
  private MemorySegment engine;
  private boolean closing;

  // Guarded by the replacing lock: whether file names contain checksums instead of sessions.
  private volatile boolean namesChecksums;

  /** The options of backups and restores; a rate of 0, or a null limiter, means no limit. */
  public record Settings(
      boolean flushFirst, boolean sync, long backupRate, long restoreRate, int threads, NativeRateLimiter limiter) {}

  /** Receives the bytes copied so far, and the approximate total. */
  public interface Progress {
    void copied(long bytes, long total);
  }

  /** The engine's metadata of a backup. */
  public record Entry(int id, Instant time, long size, int files, String note) {}

  private interface Work<T> {
    T run(MemorySegment engine, Arena arena, MemorySegment error) throws IOException;
  }

  private NativeBackups(
      FolderPath path, Settings settings, FolderClaim claim, MemorySegment options, MemorySegment engine) {
    this.options = options;
    this.path = path;
    this.folder = new BackupFolder(path.path());
    this.settings = settings;
    this.claim = claim;
    this.engine = engine;
    this.handle = new Handle("backups " + path);
    this.encryption = NativeEncryption.shareOfCurrent();
    LiveObjects.BACKUPS.made();
  }

  public static NativeBackups open(FolderPath path, Settings settings) {
    String tried = "opening the backups in " + path;
    requireNoCallback(tried);
    NativeLibrary.load();
    StackRoom.require();
    try {
      FolderClaim claim = new FolderClaim(tried);
      try {
        claim.make(path.path());
        FolderPath realPath = path.real();
        Path real = realPath.path();
        DatabaseFolders.requireNone(real, tried, "name a folder of its own");
        claim.takeAmongProcesses(real);
        new BackupFolder(real).requireNothingElse();
        MemorySegment options = options(realPath, settings);
        try {
          return new NativeBackups(realPath, settings, claim, options, openEngine(options, NativeEncryption.current(), tried));
        } catch (Throwable e) {
          RocksDbC.rocksdb_backup_engine_options_destroy(options);
          throw e;
        }
      } catch (Throwable e) {
        claim.close();
        throw e;
      }
    } catch (IOException e) {
      throw Status.of(e, tried + ": the folder, or the one above it, is not there, or may not be written to");
    }
  }

  private static MemorySegment options(FolderPath path, Settings settings) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment options = RocksDbC.rocksdb_backup_engine_options_create(Memory.string(path.bytes(), arena));
      try {
        RocksDbC.rocksdb_backup_engine_options_set_sync(options, (byte) (settings.sync ? 1 : 0));
        RocksDbC.rocksdb_backup_engine_options_set_backup_rate_limit(options, settings.backupRate);
        RocksDbC.rocksdb_backup_engine_options_set_restore_rate_limit(options, settings.restoreRate);
        RocksDbC.rocksdb_backup_engine_options_set_max_background_operations(options, settings.threads);
        RocksDbC.rocksdb_backup_engine_options_set_callback_trigger_interval_size(options, PROGRESS);
        if (settings.limiter != null) {
          settings.limiter.limitBackups(options);
        }
        return options;
      } catch (Throwable e) {
        RocksDbC.rocksdb_backup_engine_options_destroy(options);
        throw e;
      }
    }
  }

  private static MemorySegment openEngine(MemorySegment options, NativeEncryption keys, String tried) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment env =
          keys != null
              ? keys.environment()
              : Memory.until(arena, RocksDbC::rocksdb_env_destroy, RocksDbC.rocksdb_create_default_env());
      MemorySegment engine = RocksDbC.rocksdb_backup_engine_open_opts(options, env, error);
      Status.check(error, tried);
      return engine;
    }
  }

  /**
   * Throws if called from a callback: a backup may wait for the callback, so a callback that waits for a backup would
   * never end.
   */
  private static void requireNoCallback(String what) {
    if (Reentrance.isPossible() && CallbackFrame.isAnyRunning()) {
      throw new IllegalStateException(what + ": backups are not for a callback, for which one may wait; use another thread");
    }
  }

  /** Runs work that copies files; after a failure, all copying has ended when this returns. */
  private <T> T copying(Database database, String tried, Work<T> work) {
    try {
      return using(database, tried, work);
    } catch (RocksDbException e) {
      endCopies(e);
      throw e;
    }
  }

  /**
   * Ends the engine's threads of a failed backup or restore, which continue to copy its other files under names that
   * the next attempt uses too. They end only with the engine object, so this waits for other calls.
   */
  private void endCopies(RocksDbException failure) {
    try {
      replaceEngine(() -> RocksDbC.rocksdb_backup_engine_stop_backup(engine));
    } catch (RocksDbException | IllegalStateException e) { // a close of this object also ends the engine's threads
      failure.addSuppressed(e);
    }
  }

  /**
   * Puts checksums into file names. For a session, RocksDB opens each table, and reads its range deletions with a
   * comparator that it creates by name, which fails for Java comparators. For a checksum it reads only the bytes.
   */
  private void nameChecksums() {
    if (!namesChecksums) {
      replaceEngine(() -> {
        RocksDbC.rocksdb_backup_engine_options_set_share_files_with_checksum_naming(options, NAMES_OF_CHECKSUMS);
        namesChecksums = true;
      });
    }
  }

  /** Runs work with the engine object, and with a database unless it is null. */
  private <T> T using(Database database, String tried, Work<T> work) {
    requireNoCallback(handle.name());
    Lock lock = replacing.readLock();
    lock.lock();
    try {
      Call call = database == null ? Call.enter(handle) : Call.enter(database.handle(), null, handle);
      try (Arena arena = Arena.ofConfined()) {
        T result = work.run(engine, arena, call.error);
        check(database, call, tried);
        return result;
      } catch (IOException e) {
        throw Status.of(e, tried);
      } finally {
        call.exit();
      }
    } finally {
      lock.unlock();
    }
  }

  private void check(Database database, Call call, String tried) {
    try {
      Status.check(call.error, tried);
    } catch (RocksDbException e) {
      if (e.code() == RocksDbException.Code.INCOMPLETE && isClosing()) {
        throw new IllegalStateException(handle.name() + " is closed, which stopped what it was doing", e);
      }
      throw e;
    } finally {
      if (database != null) {
        database.requireSound();
      }
    }
  }

  private synchronized boolean isClosing() {
    return closing;
  }

  /** Creates a backup; the progress may be null. */
  public Entry create(Database database, String note, Progress progress) {
    byte[] text = noteBytes(note);
    requireNoCallback(handle.name());
    database.requireOpen();
    database.requireWritable();
    requireAlike(database);
    long total = progress == null ? 0 : toBeCopied(database);
    int id;
    try (WorkPauses.CopyFlush flush = database.pauses().startCopy();
        CopyGate.Closing gate = database.copies().close()) {
      if (database.isOrderedInJava()) {
        nameChecksums();
      }
      id =
          create(
              database,
              text,
              flush,
              gate,
              progress == null ? null : copied -> progress.copied(copied, Math.max(copied, total)));
    }
    return list().stream()
        .filter(entry -> entry.id == id)
        .findFirst()
        .orElseThrow(() -> folder.notFound(id));
  }

  /** The engine would copy encrypted files without their last bytes, and cannot read plain files with keys. */
  private void requireAlike(Database database) {
    if ((database.encryption() == null) != (encryption == null)) {
      boolean isEncrypted = encryption == null;
      throw Status.parse(
          "Invalid argument: " + database.name() + " is " + (isEncrypted ? "" : "not ") + "encrypted, and the backups in " + path
              + (isEncrypted ? " are not" : " are"),
          isEncrypted ? "open the backups within EncryptionKeys.use" : "open the backups without keys");
    }
  }

  private int create(
      Database database, byte[] text, WorkPauses.CopyFlush flushing, CopyGate.Closing gate, LongConsumer progress) {
    boolean flush = settings.flushFirst || gate.needsFlush();
    if (flush || database.kind().hasTransactions()) {
      Flushes.beforeCopy(database);
    }
    return copying(
        database,
        "backup of " + database.name() + " to " + path + ": the older backups are as they were",
        (pointer, arena, error) -> {
          MemorySegment options =
              Memory.until(
                  arena, RocksDbC::rocksdb_create_backup_options_destroy, RocksDbC.rocksdb_create_backup_options_create());
          MemorySegment made = arena.allocate(ValueLayout.JAVA_INT);
          try (CopyProgress callback = progress(options, flushing, gate, progress)) {
            if (callback == null) {
              flushing.close(); // the memtables are nearly empty, and a pause need not wait for the copying
            }
            RocksDbC.rocksdb_create_backup_options_set_flush_before_backup(options, (byte) (flush ? 1 : 0));
            RocksDbC.rocksdb_backup_engine_create_new_backup_with_metadata(
                pointer, database.pointer(), options, Memory.string(text, arena), text.length, made, error);
          }
          return made.get(ValueLayout.JAVA_INT, 0);
        });
  }

  /**
   * Returns a callback that reports the progress, and opens the gate when copying has started, because writes and pauses
   * need not wait from then on; null if neither is needed.
   */
  private static CopyProgress progress(
      MemorySegment options, WorkPauses.CopyFlush flushing, CopyGate.Closing gate, LongConsumer progress) {
    if (progress == null && !gate.needsFlush() && !Reentrance.isPossible()) {
      return null;
    }
    return CopyProgress.setIn(options, PROGRESS, copied -> {
      gate.close();
      flushing.close();
      if (progress != null) {
        progress.accept(copied);
      }
    });
  }

  /**
   * Returns the approximate number of bytes that a backup will copy: the database's files that the backup folder lacks,
   * including the tables that a flush will write.
   */
  private long toBeCopied(Database database) {
    BiPredicate<Long, Long> isThere = folder.shared();
    return StorageInfo.of(database, settings.flushFirst).files().stream()
        .filter(file -> !isThere.test(file.number(), file.size()))
        .mapToLong(StorageInfo.Entry::size)
        .sum();
  }

  private static byte[] noteBytes(String note) {
    if (!OptionText.isUtf8(note)) {
      throw new IllegalArgumentException("note: '" + note.substring(0, Math.min(note.length(), MOST_SHOWN))
              + "' has half of a surrogate pair, which UTF-8 cannot express");
    }
    byte[] text = note.getBytes(StandardCharsets.UTF_8);
    if (text.length > MAX_NOTE) {
      throw new IllegalArgumentException("note: " + text.length + " bytes of UTF-8, but a note has at most " + MAX_NOTE);
    }
    return text;
  }

  public List<Entry> list() {
    return using(null, handle.name(), (pointer, arena, error) -> {
      StackRoom.require();
      MemorySegment info =
          Memory.until(
              arena, RocksDbC::rocksdb_backup_engine_info_destroy, RocksDbC.rocksdb_backup_engine_get_backup_info(pointer));
      List<Entry> entries = new ArrayList<>();
      for (int i = 0; i < RocksDbC.rocksdb_backup_engine_info_count(info); i++) {
        entries.add(entry(info, i, arena));
      }
      return entries;
    });
  }

  private static Entry entry(MemorySegment info, int i, Arena arena) {
    MemorySegment length = arena.allocate(ValueLayout.JAVA_LONG);
    MemorySegment note = RocksDbC.rocksdb_backup_engine_info_app_metadata(info, i, length);
    byte[] text = Memory.toArray(note.address(), length.get(ValueLayout.JAVA_LONG, 0));
    long seconds = RocksDbC.rocksdb_backup_engine_info_timestamp(info, i);
    return new Entry(
        RocksDbC.rocksdb_backup_engine_info_backup_id(info, i),
        Instant.ofEpochSecond(Math.clamp(seconds, Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond())),
        RocksDbC.rocksdb_backup_engine_info_size(info, i),
        RocksDbC.rocksdb_backup_engine_info_number_files(info, i),
        new String(text, StandardCharsets.UTF_8));
  }

  public void verify(int id) {
    String tried = "backup " + id + " in " + path;
    using(null, tried, (pointer, arena, error) -> {
      RocksDbC.rocksdb_backup_engine_verify_backup(pointer, id, error);
      if (Memory.pointer(error, 0) == 0) {
        NativeEncryption.during(encryption, () -> {
          folder.verify(id); // the engine has checked only sizes
          return null;
        });
        return null;
      }
      String message = Status.takeText(error);
      boolean isMissing = message.startsWith(FILE_MISSING);
      throw Status.parse(isMissing ? message.replaceFirst("NotFound", "Corruption") : message, tried);
    });
  }

  public Entry restoreLatest(FolderPath target) {
    Entry latest = list().stream().reduce((a, b) -> b).orElseThrow(this::nothingThere);
    restore(latest.id, target);
    return latest;
  }

  private RuntimeException nothingThere() {
    return Status.parse("NotFound: there is no backup in " + path, handle.name() + ": create makes one");
  }

  public void restore(int id, FolderPath target) {
    requireNoCallback(handle.name());
    if (list().stream().noneMatch(entry -> entry.id == id)) {
      throw folder.notFound(id);
    }
    String tried = "restoring backup " + id + " from " + path + " to " + target;
    try (StagingFolder staging = StagingFolder.of(target.path(), RESTORING, tried)) {
      if (FolderPath.isWithin(staging.folder(), path.path())) {
        throw new IllegalArgumentException("folder: " + target + " is in the folder of the backups");
      }
      staging.begin();
      FolderPath to = FolderPath.of(staging.folder());
      copying(null, tried, (pointer, arena, error) -> {
        MemorySegment options =
            Memory.until(arena, RocksDbC::rocksdb_restore_options_destroy, RocksDbC.rocksdb_restore_options_create());
        MemorySegment name = Memory.string(to.bytes(), arena);
        RocksDbC.rocksdb_backup_engine_restore_db_from_backup(pointer, name, name, options, id, error);
        return null;
      });
      staging.becomeTarget();
    } catch (IOException e) {
      throw Status.of(e, tried);
    }
  }

  public void keepLatest(int count) {
    using(null, "deleting backups in " + path, (pointer, arena, error) -> {
      RocksDbC.rocksdb_backup_engine_purge_old_backups(pointer, count, error);
      return null;
    });
  }

  /**
   * Deletes a backup by its list, because the C API has no function for it, and reopens the engine object, which reads
   * the folder.
   */
  public void delete(int id) {
    requireNoCallback(handle.name());
    replaceEngine(() -> folder.deleteList(id));
    keepLatest(Integer.MAX_VALUE); // clears the folder
  }

  private void replaceEngine(Runnable first) {
    replacing.writeLock().lock();
    try {
      try (Call _ = Call.enter(handle)) {
        first.run();
        replaceEngine();
      }
    } finally {
      replacing.writeLock().unlock();
    }
  }

  private void replaceEngine() {
    MemorySegment fresh;
    try {
      fresh = openEngine(options, encryption, handle.name());
    } catch (RocksDbException e) {
      handle.stop("could not be read again after a deletion, or a failure, and is of no more use: close it", e);
      throw e;
    }
    MemorySegment old;
    synchronized (this) {
      old = engine;
      engine = fresh;
      if (closing) {
        RocksDbC.rocksdb_backup_engine_stop_backup(fresh);
      }
    }
    RocksDbC.rocksdb_backup_engine_close(old);
  }

  @Override
  public Handle handle() {
    return handle;
  }

  public void close() {
    requireNoCallback(handle.name());
    synchronized (this) {
      if (engine != null && !closing) {
        closing = true;
        RocksDbC.rocksdb_backup_engine_stop_backup(engine);
      }
    }
    Reentrance.close(handle, this::closeOnce);
  }

  private void closeOnce() {
    handle.close();
    MemorySegment last;
    synchronized (this) {
      last = engine;
      engine = null;
    }
    if (last != null) {
      RocksDbC.rocksdb_backup_engine_close(last);
      RocksDbC.rocksdb_backup_engine_options_destroy(options);
      Shared.release(encryption);
      LiveObjects.BACKUPS.freed();
      claim.close();
    }
  }
}
