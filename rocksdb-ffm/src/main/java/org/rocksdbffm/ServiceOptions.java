/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The options that say how a database serves: where its messages go, where rows and blobs are cached, and where tables are. */
abstract sealed class ServiceOptions permits FamilyOptions {
  private static final int MOST_PATHS = 4;

  final ServiceSettings service;

  ServiceOptions(ServiceSettings service) {
    this.service = service;
  }

  /** These options with other settings. */
  abstract Options with(ServiceSettings changed);

  /**
   * Sets where the engine's messages go, which are written to files named {@code LOG} in the database's folder otherwise.
   * The options of the database count, and not those of a family. Options of the files, such as {@code max_log_file_size},
   * are refused beside it.
   *
   * @param log the database <em>shares</em> it until it is closed, and a little longer for the last messages
   * @return the changed options
   */
  public Options infoLog(InfoLog log) {
    return with(service.logging(requireNonNull(log, "log")));
  }

  /**
   * Sets a cache for rows, in front of that for blocks. The options of the database count, and not those of a family. It
   * is refused to a database with deleted ranges.
   *
   * @param cache the databases <em>share</em> it; closing it gives up its owner's share
   * @return the changed options
   */
  public Options rowCache(RowCache cache) {
    return with(service.storing(service.storage().with(requireNonNull(cache, "cache"))));
  }

  /**
   * Sets a cache for values in blob files, which have none otherwise. Each family has that of its own options.
   *
   * @param cache may be that of blocks too; the databases <em>share</em> it; closing it gives up its owner's share
   * @return the changed options
   */
  public Options blobCache(BlockCache cache) {
    return with(service.storing(service.storage().withBlobs(requireNonNull(cache, "cache"))));
  }

  /**
   * Sets the folders in which tables are: new ones in the first, and levels in the first that has room for them by its
   * target, and for all levels above. A compaction that is asked for writes to the last. Logs and all else stay in the
   * folder of the database, and tables too if that is among these. The options of the database count for each family whose
   * own have none. With several folders, levels have the sizes of options such as {@code max_bytes_for_level_base}, and not
   * dynamic ones.
   *
   * <p>The database is opened with the same folders in the same order from then on, and more can be added behind them. Each
   * belongs to one database, which a file {@code OWNER} in it says; a file {@code PATHS} in that of the database has them
   * all, and {@link RocksDb#destroy} deletes what is there. The engine makes no checkpoint, backup or export of such a
   * database.
   *
   * @param paths from one to four, each in a folder of its own
   * @return the changed options
   */
  public Options paths(List<StoragePath> paths) {
    requireNonNull(paths, "paths").forEach(path -> requireNonNull(path, "paths: one is null"));
    List<StoragePath> copy = List.copyOf(paths);
    if (copy.isEmpty() || copy.size() > MOST_PATHS) {
      throw new IllegalArgumentException("paths: there are " + copy.size() + ", but the engine takes from 1 to " + MOST_PATHS);
    }
    Set<Path> folders = new HashSet<>();
    for (StoragePath path : copy) {
      if (!folders.add(path.folder().toAbsolutePath().normalize())) {
        throw new IllegalArgumentException("paths: " + path.folder() + " is named twice");
      }
    }
    return with(service.storing(service.storage().with(copy)));
  }
}
