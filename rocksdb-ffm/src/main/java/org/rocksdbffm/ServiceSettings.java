/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import org.rocksdbffm.internal.callback.JavaHooks;
import org.rocksdbffm.internal.callback.RawEvent;
import org.rocksdbffm.internal.settings.MessageTarget;
import org.rocksdbffm.internal.settings.NativeCache;
import org.rocksdbffm.internal.settings.NativeOptions;
import org.rocksdbffm.internal.settings.SharedLimits;

/**
 * The part of options that says what a database counts, which limits it shares with others, whom it tells of events, and
 * where its messages go; null for each that there is none of. The storage says where rows are cached.
 */
record ServiceSettings(
    StatisticsLevel statistics,
    WriteBufferManager buffers,
    RateLimiter rate,
    SstFileManager files,
    EventListener listener,
    InfoLog log,
    StorageSettings storage) {
  static final ServiceSettings NONE = new ServiceSettings(null, null, null, null, null, null, StorageSettings.NONE);

  ServiceSettings counting(StatisticsLevel level) {
    return new ServiceSettings(level, buffers, rate, files, listener, log, storage);
  }

  ServiceSettings limitedBy(WriteBufferManager limit) {
    return new ServiceSettings(statistics, limit, rate, files, listener, log, storage);
  }

  ServiceSettings limitedBy(RateLimiter limit) {
    return new ServiceSettings(statistics, buffers, limit, files, listener, log, storage);
  }

  ServiceSettings limitedBy(SstFileManager limit) {
    return new ServiceSettings(statistics, buffers, rate, limit, listener, log, storage);
  }

  ServiceSettings telling(EventListener its) {
    return new ServiceSettings(statistics, buffers, rate, files, its, log, storage);
  }

  ServiceSettings logging(InfoLog its) {
    return new ServiceSettings(statistics, buffers, rate, files, listener, its, storage);
  }

  ServiceSettings storing(StorageSettings its) {
    return new ServiceSettings(statistics, buffers, rate, files, listener, log, its);
  }

  NativeOptions.Extras toNative(NativeCache cache, JavaHooks callbacks) {
    SharedLimits limits =
        new SharedLimits(
            buffers == null ? null : buffers.nativeBuffers(),
            rate == null ? null : rate.nativeLimiter(),
            files == null ? null : files.nativeManager());
    int level = statistics == null ? NativeOptions.NO_STATISTICS : statistics.level();
    RawEvent.Listener told = listener == null ? null : event -> listener.told(Events.of(event));
    return new NativeOptions.Extras(cache, callbacks, level, limits, told, messages(), storage.caches(), storage.tablePaths());
  }

  private MessageTarget messages() {
    if (log == null) {
      return MessageTarget.FILE;
    }
    return log == NoLog.NONE ? MessageTarget.NOWHERE : MessageTarget.to(Messages.to(log));
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    append(text, "statistics", statistics);
    append(text, "writeBufferManager", buffers);
    append(text, "rateLimiter", rate);
    append(text, "sstFileManager", files);
    append(text, "listener", listener);
    append(text, "infoLog", log);
    return text.append(storage).toString();
  }

  private static void append(StringBuilder text, String name, Object value) {
    if (value != null) {
      text.append(name).append('=').append(value).append(';');
    }
  }
}
