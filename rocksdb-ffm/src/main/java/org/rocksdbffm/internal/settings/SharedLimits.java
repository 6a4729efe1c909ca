/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.MemorySegment;
import java.util.function.BiConsumer;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.options.CheckedSettings;

/**
 * The limits that a database is opened with and shares with others; null for each that there is none of.
 *
 * @param buffers of the memory of memtables
 * @param rate of flushes and compactions
 * @param files of table files
 */
public record SharedLimits(NativeWriteBuffers buffers, NativeRateLimiter rate, NativeFileManager files) {
  /** No limits. */
  public static final SharedLimits NONE = new SharedLimits(null, null, null);

  private static final String BUFFER_SIZE = "db_write_buffer_size";
  private static final String RATE = "rate_limiter_bytes_per_sec";

  /** Refuses an option of which the engine takes no notice beside a limit. */
  void requireAlone(CheckedSettings settings) {
    String size = settings.options().get(BUFFER_SIZE);
    if (buffers != null && size != null && !size.equals("0")) {
      throw new IllegalArgumentException(
          "option " + BUFFER_SIZE + ": beside Options.writeBufferManager it has no effect; leave one out");
    }
    if (rate != null && settings.options().containsKey(RATE)) {
      throw new IllegalArgumentException("option " + RATE + ": beside Options.rateLimiter it has no effect; leave one out");
    }
  }

  /** Gives options their shares, of which that of the buffers is to be released with them. */
  void setIn(MemorySegment options) {
    set(rate, options, RocksDbC::rocksdb_options_set_ratelimiter);
    set(files, options, RocksDbC::rocksdb_options_set_sst_file_manager);
    set(buffers, options, (its, pointer) -> {
      RocksDbC.rocksdb_options_set_write_buffer_manager(its, pointer);
      buffers.share();
    });
  }

  private static void set(NativeShare share, MemorySegment options, BiConsumer<MemorySegment, MemorySegment> setter) {
    if (share != null) {
      Call call = share.enter();
      try {
        setter.accept(options, share.pointer());
      } finally {
        call.exit();
      }
    }
  }
}
