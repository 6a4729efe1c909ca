/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.util.Map;
import org.rocksdbffm.internal.foreign.WeakMemo;
import org.rocksdbffm.internal.settings.WriteSetting;
import org.rocksdbffm.internal.write.NativeWriteOptions;

/**
 * Options of writes. Immutable: each method returns changed options. An option that is not set has the engine's
 * default.
 */
public final class WriteOptions extends Settings {
  private static final WriteOptions DEFAULTS = new WriteOptions(Map.of());

  final Map<WriteSetting, Long> settings;
  private final WeakMemo<NativeWriteOptions> made = new WeakMemo<>();

  private WriteOptions(Map<WriteSetting, Long> settings) {
    super(settings);
    this.settings = settings;
  }

  /**
   * Returns the engine's defaults: a write is passed to the operating system before it returns, so it survives the
   * process, but not a power failure.
   *
   * @return options with nothing set
   */
  public static WriteOptions defaults() {
    return DEFAULTS;
  }

  private WriteOptions set(WriteSetting setting, boolean value) {
    return new WriteOptions(changed(settings, setting, value ? 1 : 0));
  }

  NativeWriteOptions toNative() {
    NativeWriteOptions known = made.get();
    return known == null ? made.keep(new NativeWriteOptions(settings)) : known;
  }

  boolean leavesOutLog() {
    return settings.getOrDefault(WriteSetting.DISABLE_WAL, 0L) != 0;
  }

  /**
   * Sets whether a write is synced before it returns, so that it survives a power failure.
   *
   * @param sync true to sync
   * @return the changed options
   */
  public WriteOptions sync(boolean sync) {
    return set(WriteSetting.SYNC, sync);
  }

  /**
   * Sets whether writes skip the WAL: rows that were not flushed are lost with the process. If the process ends, a
   * batch for several column families may be lost partially, unless the option {@code atomic_flush} is set; copies
   * contain it completely or not at all. Such a write waits while a checkpoint is created, a hold lists its files, or a
   * backup has not started to copy.
   *
   * @param disable true to skip the WAL
   * @return the changed options
   */
  public WriteOptions disableWal(boolean disable) {
    return set(WriteSetting.DISABLE_WAL, disable);
  }

  /**
   * Sets whether a write fails with {@link RocksDbException.Code#INCOMPLETE} if it would have to wait for compactions.
   *
   * @param fail true to fail
   * @return the changed options
   */
  public WriteOptions noSlowdown(boolean fail) {
    return set(WriteSetting.NO_SLOWDOWN, fail);
  }

  /**
   * Sets whether a write may be delayed in favor of others.
   *
   * @param low true for low priority
   * @return the changed options
   */
  public WriteOptions lowPriority(boolean low) {
    return set(WriteSetting.LOW_PRIORITY, low);
  }

  /**
   * Sets whether a batch's operations on dropped column families are skipped instead of failing.
   *
   * @param ignore true to skip them
   * @return the changed options
   */
  public WriteOptions ignoreMissingColumnFamilies(boolean ignore) {
    return set(WriteSetting.IGNORE_MISSING_COLUMN_FAMILIES, ignore);
  }

  /**
   * Sets whether the engine protects each entry with a checksum on its way to the WAL and the memtable, and fails with
   * {@link RocksDbException.Code#CORRUPTION} if memory was corrupted.
   *
   * @param keep true to use checksums
   * @return the changed options
   */
  public WriteOptions checksums(boolean keep) {
    return set(WriteSetting.CHECKSUMS, keep);
  }

  /**
   * Sets whether WAL writes pass the {@link DatabaseOptions#rateLimiter rate limiter}, before flushes and compactions.
   * All writes wait behind a write that waits for the limiter. With {@code manual_wal_flush}, and for writes that skip
   * the WAL, this fails with the code INVALID_ARGUMENT.
   *
   * @param limited true to limit them
   * @return the changed options
   */
  public WriteOptions rateLimited(boolean limited) {
    return set(WriteSetting.RATE_LIMITED, limited);
  }

  /**
   * Sets whether each key of a batch is inserted starting from the position of the previous key: faster for keys that
   * are close together, and slower otherwise.
   *
   * @param hints true to use the previous position
   * @return the changed options
   */
  public WriteOptions insertHints(boolean hints) {
    return set(WriteSetting.INSERT_HINTS, hints);
  }
}
