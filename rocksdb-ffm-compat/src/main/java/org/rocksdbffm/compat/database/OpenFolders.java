/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

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
  /** The paths that were given, by the real ones. */
  private static final Map<Path, String> GIVEN = new ConcurrentHashMap<>();

  private static final Map<Long, Path> OF_DATABASES = new ConcurrentHashMap<>();

  private OpenFolders() {}

  /** Opens a database for writing, and returns what was opened: its pointer, and others behind it. */
  public static long[] open(String path, Opened.Opening<long[]> opening) throws RocksDBException {
    Path before = real(path);
    String other = GIVEN.putIfAbsent(before, path);
    requireSame(path, other);
    long[] opened = null;
    try {
      opened = opening.open();
    } finally {
      if (other == null && opened == null) {
        GIVEN.remove(before);
      }
    }
    Path folder = real(path); // the engine may have created it
    GIVEN.put(folder, path);
    OF_DATABASES.put(opened[0], folder);
    return opened;
  }

  public static long openAlone(String path, Opened.Opening<Long> opening) throws RocksDBException {
    return open(path, () -> new long[] {opening.open()})[0];
  }

  public static void closed(long db) {
    Path folder = OF_DATABASES.remove(db);
    if (folder != null) {
      GIVEN.remove(folder);
    }
  }

  /** Throws if a database in that folder is open by another path; the engine itself looks for the same. */
  static void requireClosed(String path) throws RocksDBException {
    requireSame(path, GIVEN.get(real(path)));
  }

  private static void requireSame(String path, String other) throws RocksDBException {
    if (other != null && !other.equals(path)) {
      throw Errors.of(
          Status.Code.IOError, "lock hold by current process, as " + other + ": " + path + "/LOCK: No locks available");
    }
  }

  private static Path real(String path) {
    return FolderPath.of(Path.of(path).normalize().toString().isEmpty() ? Path.of(".") : Path.of(path)).real().path();
  }
}
