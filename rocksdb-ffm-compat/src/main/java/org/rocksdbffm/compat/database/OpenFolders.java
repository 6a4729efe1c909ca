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
import org.rocksdbffm.compat.support.Errors;
import org.rocksdbffm.internal.folder.FolderClaim;
import org.rocksdbffm.internal.folder.FolderClaim.Use;

/**
 * The folders that databases of this process use, which the engine knows by the very paths that it was given: by a link, or
 * with a step back, it would open one again. Thread-safe.
 */
public final class OpenFolders {
  private static final Map<Long, Held> OF_DATABASES = new ConcurrentHashMap<>();
  private static final Object CREATING = new Object();

  private OpenFolders() {}

  /** The folder of an open database, or null, and its share of a memory budget, if it is bounded. */
  public record Held(FolderClaim claim, BoundedOptions options) {}

  /** Opens a database for writing, and returns what was opened: its pointer, and others behind it. */
  public static long[] open(String path, BoundedOptions options, Opened.Opening<long[]> opening) throws RocksDBException {
    if (isThere(path)) {
      return open(path, options, Use.WRITE, opening);
    }
    synchronized (CREATING) { // by another path, another thread may create the same one
      return open(path, options, Use.WRITE, opening);
    }
  }

  public static long openAlone(String path, BoundedOptions options, Opened.Opening<Long> opening) throws RocksDBException {
    return open(path, options, () -> new long[] {opening.open()})[0];
  }

  /** Opens a database that is only read. */
  static long[] openForReading(String path, BoundedOptions options, Opened.Opening<long[]> opening) throws RocksDBException {
    return open(path, options, Use.READ, opening);
  }

  private static long[] open(String path, BoundedOptions options, Use use, Opened.Opening<long[]> opening)
      throws RocksDBException {
    FolderClaim claim = new FolderClaim(path);
    try (options) {
      take(claim, path, use);
      long[] opened = Counting.open(path, options.options(), opening);
      boolean isThere = isThere(path);
      if (isThere) {
        take(claim, path, use); // of a folder that the engine has made
      } else {
        claim.close(); // an Env keeps the files elsewhere
      }
      if (isThere || options.isBounded()) {
        OF_DATABASES.put(opened[0], new Held(isThere ? claim : null, options.keepShare()));
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
          Status.Code.IOError, "lock hold by current process, by whichever path: " + path + "/LOCK: No locks available");
    } catch (IOException e) {
      return; // the engine will say why
    }
  }

  private static boolean isThere(String path) {
    return Files.exists(folder(path).resolve("CURRENT"));
  }

  private static Path folder(String path) {
    return Path.of(path).toAbsolutePath();
  }

  /** The options for a family that is made in a database. */
  static BoundedOptions ofFamily(long db, long options, long family) {
    Held held = OF_DATABASES.get(db);
    return BoundedOptions.ofFamily(held == null ? null : held.options, options, family);
  }

  /** Takes that of a database that is about to be closed, or null; its pointer may be another's soon. */
  public static Held ofClosing(long db) {
    return OF_DATABASES.remove(db);
  }

  /** Gives up that of a database that is closed; it may be null. */
  public static void closed(Held held) {
    if (held != null && held.claim != null) {
      held.claim.close();
    }
    if (held != null && held.options.isBounded()) {
      held.options.release();
    }
  }

  /** Replaces files of a folder whose database nobody writes to; who reads it may read on, as with rocksdbjni. */
  public static void replace(String path, Opened.Opening<Void> work) throws RocksDBException {
    try (FolderClaim claim = new FolderClaim(path)) {
      take(claim, path, Use.WRITE);
      work.open();
    }
  }
}
