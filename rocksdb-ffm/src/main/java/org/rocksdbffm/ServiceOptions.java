/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

/** The options that say how a database serves: where its messages go, and where rows and blobs are cached. */
abstract sealed class ServiceOptions permits FamilyOptions {
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
   * is refused to a database with deleted ranges, and to a secondary.
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
}
