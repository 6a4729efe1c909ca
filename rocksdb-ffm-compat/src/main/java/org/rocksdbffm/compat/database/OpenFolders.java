/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdbffm.compat.support.Errors;
import org.rocksdbffm.internal.folder.FolderPath;

/**
 * The folders that databases of this process write to, which the engine knows by the very paths that it was given: by a
 * link, or with a step back, it would open one again. Thread-safe.
 */
public final class OpenFolders {
  private static final Map<Path, Claim> CLAIMS = new ConcurrentHashMap<>();

  private static final Map<Long, Claim> OF_DATABASES = new ConcurrentHashMap<>();

  private OpenFolders() {}

  /** One opening of a folder: another one of the same folder is not equal to it. */
  public static final class Claim {
    private final Path folder;
    private final String given;

    private Claim(String given) {
      this.folder = real(given);
      this.given = given;
    }

    private void end() {
      CLAIMS.remove(folder, this);
    }
  }

  /** Opens a database for writing, and returns what was opened: its pointer, and others behind it. */
  public static long[] open(String path, Opened.Opening<long[]> opening) throws RocksDBException {
    Claim before = new Claim(path);
    requireSame(path, CLAIMS.putIfAbsent(before.folder, before));
    try {
      long[] opened = opening.open();
      Claim claim = new Claim(path); // of a folder that the engine may have made
      if (Files.isDirectory(claim.folder)) { // none where an Env keeps files in memory
        CLAIMS.put(claim.folder, claim);
        OF_DATABASES.put(opened[0], claim);
      }
      return opened;
    } finally {
      before.end();
    }
  }

  public static long openAlone(String path, Opened.Opening<Long> opening) throws RocksDBException {
    return open(path, () -> new long[] {opening.open()})[0];
  }

  /** The claim of a database that is about to be closed, or null; its pointer may be another's soon. */
  public static Claim ofClosing(long db) {
    return OF_DATABASES.remove(db);
  }

  /** Ends a claim, which may be null, of a database that is closed. */
  public static void closed(Claim claim) {
    if (claim != null) {
      claim.end();
    }
  }

  /** Throws if a database in that folder is open by another path; the engine itself looks for the same. */
  static void requireClosed(String path) throws RocksDBException {
    requireSame(path, CLAIMS.get(real(path)));
  }

  private static void requireSame(String path, Claim other) throws RocksDBException {
    if (other != null && !other.given.equals(path)) {
      throw Errors.of(
          Status.Code.IOError, "lock hold by current process, as " + other.given + ": " + path + "/LOCK: No locks available");
    }
  }

  private static Path real(String path) {
    return FolderPath.of(Path.of(path).normalize().toString().isEmpty() ? Path.of(".") : Path.of(path)).real().path();
  }
}
