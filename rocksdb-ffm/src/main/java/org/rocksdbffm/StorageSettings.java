/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.util.List;
import org.rocksdbffm.internal.settings.NativeCache;
import org.rocksdbffm.internal.settings.SharedCaches;
import org.rocksdbffm.internal.settings.TablePaths;

/**
 * The part of options that says where rows and blobs are cached, null for each that there is none of, and where tables
 * are, an empty list for the folder of the database.
 */
record StorageSettings(RowCache rows, BlockCache blobs, List<StoragePath> paths) {
  static final StorageSettings NONE = new StorageSettings(null, null, List.of());

  StorageSettings with(RowCache its) {
    return new StorageSettings(its, blobs, paths);
  }

  StorageSettings withBlobs(BlockCache its) {
    return new StorageSettings(rows, its, paths);
  }

  StorageSettings with(List<StoragePath> its) {
    return new StorageSettings(rows, blobs, its);
  }

  SharedCaches caches() {
    NativeCache nativeRows = rows == null ? null : rows.nativeCache();
    return new SharedCaches(nativeRows, blobs == null ? null : blobs.nativeCache());
  }

  TablePaths tablePaths() {
    return paths.isEmpty() ? TablePaths.NONE : new TablePaths(paths.stream().map(StoragePath::place).toList());
  }

  @Override
  public String toString() {
    return (rows == null ? "" : "rowCache=" + rows + ";")
        + (blobs == null ? "" : "blobCache=" + blobs + ";")
        + (paths.isEmpty() ? "" : "paths=" + paths + ";");
  }
}
