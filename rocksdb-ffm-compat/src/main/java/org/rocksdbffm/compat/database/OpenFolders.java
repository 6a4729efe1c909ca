/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.compat.options.BoundedOptions;
import org.rocksdbffm.compat.options.WriteRecovery;
import org.rocksdbffm.compat.support.EncryptedFiles;
import org.rocksdbffm.compat.support.Errors;
import org.rocksdbffm.compat.watch.WatchedDatabase;
import org.rocksdbffm.internal.folder.FolderClaim;
import org.rocksdbffm.internal.folder.FolderClaim.Use;

/**
 * The folders of open databases in this process. The engine compares paths as strings, so it would open a folder again
 * through a link or a path with "..". Thread-safe.
 */
public final class OpenFolders {
  private static final Map<Long, Held> OF_DATABASES = new ConcurrentHashMap<>();
  private static final Object CREATING = new Object();

  private OpenFolders() {}

  /**
   * The claim on the folder of an open database, or null; its share of a memory budget, if it is limited; and its
   * recovery, or null.
   */
  public record Held(FolderClaim claim, BoundedOptions options, WriteRecovery recovery) {}

  /** Opens a database for writing. Returns the pointers that the opening returns, the database's first. */
  public static long[] open(String path, BoundedOptions options, Opened.Opening<long[]> opening)
      throws RocksDBException {
    if (isThere(path)) {
      return open(path, options, Use.WRITE, opening);
    }
    synchronized (CREATING) { // another thread may create the same database by another path
      return open(path, options, Use.WRITE, opening);
    }
  }

  public static long openAlone(String path, BoundedOptions options, Opened.Opening<Long> opening)
      throws RocksDBException {
    return open(path, options, () -> new long[] {opening.open()})[0];
  }

  /** Opens a database for reading only. */
  static long[] openForReading(String path, BoundedOptions options, Opened.Opening<long[]> opening)
      throws RocksDBException {
    return open(path, options, Use.READ, opening);
  }

  private static long[] open(String path, BoundedOptions options, Use use, Opened.Opening<long[]> opening)
      throws RocksDBException {
    FolderClaim claim = new FolderClaim(path);
    try (options) {
      take(claim, path, use);
      if (use == Use.WRITE) {
        WatchedDatabase.requireArchive();
        EncryptedFiles.deleteForeignIdentity(path);
      }
      long[] opened = Counting.open(path, options.options(), use == Use.WRITE, opening);
      boolean isThere = isThere(path);
      if (isThere && use == Use.WRITE) {
        EncryptedFiles.opened(path);
      }
      if (isThere) {
        take(claim, path, use); // after the opening, because the engine may have created the folder
      } else {
        claim.close(); // the folder does not exist: the Env stores the files elsewhere
      }
      if (isThere || options.isBounded()) {
        WriteRecovery recovery = isThere ? options.takeRecovery(opened[0], folder(path)) : null;
        OF_DATABASES.put(opened[0], new Held(isThere ? claim : null, options.keepShare(), recovery));
      }
      return opened;
    } catch (Throwable e) {
      claim.close();
      throw e;
    }
  }

  private static void take(FolderClaim claim, String path, Use use) throws RocksDBException {
    try {
      claim.take(folder(path), use);
    } catch (RocksDbException e) {
      throw Errors.of(
          Status.Code.IOError, "lock hold by current process, by whichever path: " + path
          + "/LOCK: No locks available");
    } catch (IOException e) {
      return; // the engine will report the cause
    }
  }

  private static boolean isThere(String path) {
    return Files.exists(folder(path).resolve("CURRENT"));
  }

  private static Path folder(String path) {
    return Path.of(path).toAbsolutePath();
  }

  /** Returns the options for a family to be created in a database. */
  static BoundedOptions ofFamily(long db, long options, long family) {
    Held held = OF_DATABASES.get(db);
    return BoundedOptions.ofFamily(held == null ? null : held.options, options, family);
  }

  /**
   * Removes the claim of a database that is being closed, or returns null, and ends its recovery. Another database may
   * get its pointer afterwards.
   */
  public static Held ofClosing(long db) {
    Held held = OF_DATABASES.remove(db);
    if (held != null && held.recovery != null) {
      held.recovery.end();
    }
    return held;
  }

  /** Releases the claim of a closed database; null does nothing. */
  public static void closed(Held held) {
    if (held != null && held.claim != null) {
      held.claim.close();
    }
    if (held != null && held.options.isBounded()) {
      held.options.release();
    }
  }

  /** Replaces files in a folder without a writer. Databases open for reading are allowed, as in rocksdbjni. */
  public static void replace(String path, Opened.Opening<Void> work) throws RocksDBException {
    try (FolderClaim claim = new FolderClaim(path)) {
      take(claim, path, Use.WRITE);
      work.open();
    }
  }
}
