/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.watch;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdbffm.compat.lifetime.Guard;
import org.rocksdbffm.compat.support.Errors;
import org.rocksdbffm.compat.support.Mode;
import org.rocksdbffm.internal.files.ArchiveService;

/**
 * The archive of a database, if the system property {@value WatchedDatabase#ARCHIVE} names a store: of each database
 * that is opened for writing, and has its files on a disk.
 */
final class Archives {
  private static final String WHERE = System.getProperty(WatchedDatabase.ARCHIVE);

  private static ArchiveService service; // null until the first database is opened

  private final String path;
  private final String place;
  private final ArchiveService.Running running;

  private Archives(String path, String place, ArchiveService.Running running) {
    this.path = path;
    this.place = place;
    this.running = running;
  }

  /** Throws if databases cannot be archived: no module, or no store. */
  static synchronized void require() throws RocksDBException {
    if (service != null) {
      return;
    }
    ArchiveService found =
        ServiceLoader.load(ArchiveService.class, ArchiveService.class.getClassLoader()).findFirst().orElse(null);
    if (found == null) {
      throw refusal("add rocksdb-ffm-archive to the class path or module path", null);
    }
    try {
      found.require(WHERE);
    } catch (IOException e) {
      throw refusal(e.toString(), e); // some messages only name the file
    } catch (IllegalArgumentException e) {
      throw refusal(e.getMessage(), e);
    }
    service = found;
  }

  private static RocksDBException refusal(String reason, Exception cause) {
    RocksDBException refusal =
        Errors.of(Status.Code.InvalidArgument, "-D" + WatchedDatabase.ARCHIVE + "=" + WHERE + ": " + reason);
    if (cause != null) {
      refusal.addSuppressed(cause);
    }
    return refusal;
  }

  /** Starts to archive a database. Returns null if its files are not on a disk, or its archive cannot be opened. */
  static Archives start(Guard guard, String path) {
    if (!Files.exists(Path.of(path).resolve("CURRENT"))) {
      return null; // the Env stores the files elsewhere
    }
    GuardedFiles db = new GuardedFiles(guard, path);
    String place = WHERE;
    try {
      place = service.place(db, WHERE);
      Archives started = new Archives(path, place, service.start(db, place));
      log(Level.INFO, path + " is archived in " + place, null);
      return started;
    } catch (IOException | RuntimeException e) {
      log(Level.ERROR, path + " is not archived in " + place + ": " + e, e);
      return null;
    }
  }

  /** Archives the last writes. Idempotent. */
  void stop() {
    String missing = running.stop();
    if (!missing.isEmpty()) {
      log(Level.WARNING, path + " was closed, and is not completely archived in " + place + ": " + missing, null);
    }
  }

  private static void log(Level level, String message, Throwable cause) {
    System.getLogger(Mode.LOGGER).log(level, message, cause);
  }
}
