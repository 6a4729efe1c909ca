/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import org.rocksdbffm.internal.settings.NativeCache;
import org.rocksdbffm.internal.settings.SharedCaches;

/** The part of options that says where rows and blobs are cached; null for each that there is none of. */
record StorageSettings(RowCache rows, BlockCache blobs) {
  static final StorageSettings NONE = new StorageSettings(null, null);

  StorageSettings with(RowCache its) {
    return new StorageSettings(its, blobs);
  }

  StorageSettings withBlobs(BlockCache its) {
    return new StorageSettings(rows, its);
  }

  SharedCaches caches() {
    NativeCache nativeRows = rows == null ? null : rows.nativeCache();
    return new SharedCaches(nativeRows, blobs == null ? null : blobs.nativeCache());
  }

  @Override
  public String toString() {
    return (rows == null ? "" : "rowCache=" + rows + ";") + (blobs == null ? "" : "blobCache=" + blobs + ";");
  }
}
