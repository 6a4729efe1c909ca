/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import org.rocksdbffm.internal.callback.JavaHooks;
import org.rocksdbffm.internal.callback.RawEvent;
import org.rocksdbffm.internal.settings.NativeCache;
import org.rocksdbffm.internal.settings.NativeOptions;
import org.rocksdbffm.internal.settings.SharedLimits;

/**
 * The part of options that says what a database counts, which limits it shares with others, and whom it tells of events;
 * null for each that there is none of.
 */
record ServiceSettings(
    StatisticsLevel statistics,
    WriteBufferManager buffers,
    RateLimiter rate,
    SstFileManager files,
    EventListener listener) {
  static final ServiceSettings NONE = new ServiceSettings(null, null, null, null, null);

  ServiceSettings counting(StatisticsLevel level) {
    return new ServiceSettings(level, buffers, rate, files, listener);
  }

  ServiceSettings limitedBy(WriteBufferManager limit) {
    return new ServiceSettings(statistics, limit, rate, files, listener);
  }

  ServiceSettings limitedBy(RateLimiter limit) {
    return new ServiceSettings(statistics, buffers, limit, files, listener);
  }

  ServiceSettings limitedBy(SstFileManager limit) {
    return new ServiceSettings(statistics, buffers, rate, limit, listener);
  }

  ServiceSettings telling(EventListener its) {
    return new ServiceSettings(statistics, buffers, rate, files, its);
  }

  NativeOptions.Extras toNative(NativeCache cache, JavaHooks callbacks) {
    SharedLimits limits =
        new SharedLimits(
            buffers == null ? null : buffers.nativeBuffers(),
            rate == null ? null : rate.nativeLimiter(),
            files == null ? null : files.nativeManager());
    int level = statistics == null ? NativeOptions.NO_STATISTICS : statistics.level();
    RawEvent.Listener told = listener == null ? null : event -> listener.told(Events.of(event));
    return new NativeOptions.Extras(cache, callbacks, level, limits, told);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    append(text, "statistics", statistics);
    append(text, "writeBufferManager", buffers);
    append(text, "rateLimiter", rate);
    append(text, "sstFileManager", files);
    append(text, "listener", listener);
    return text.toString();
  }

  private static void append(StringBuilder text, String name, Object value) {
    if (value != null) {
      text.append(name).append('=').append(value).append(';');
    }
  }
}
