/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.MemorySegment;
import java.util.function.BiConsumer;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.options.CheckedSettings;

/**
 * The caches of a database or a family beside that of its blocks; null for each that there is none of.
 *
 * @param rows of a database
 * @param blobs of a family
 */
public record SharedCaches(NativeCache rows, NativeCache blobs) {
  public static final SharedCaches NONE = new SharedCaches(null, null);

  private static final String BLOBS = "blob_cache";

  /** Refuses an option that would have no effect. */
  void requireFit(CheckedSettings settings) {
    if (blobs != null && settings.options().containsKey(BLOBS)) {
      throw new IllegalArgumentException("option " + BLOBS + ": beside Options.blobCache it has no effect; leave one out");
    }
  }

  /** Gives options their shares. */
  void setIn(MemorySegment options) {
    set(rows, options, RocksDbC::rocksdb_options_set_row_cache);
    set(blobs, options, RocksDbC::rocksdb_options_set_blob_cache);
  }

  private static void set(NativeCache cache, MemorySegment options, BiConsumer<MemorySegment, MemorySegment> setter) {
    if (cache != null) {
      Call call = cache.enter();
      try {
        setter.accept(options, cache.pointer());
      } finally {
        call.exit();
      }
    }
  }
}
