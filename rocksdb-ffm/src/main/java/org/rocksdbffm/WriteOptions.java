/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.util.Map;
import org.rocksdbffm.internal.foreign.WeakMemo;
import org.rocksdbffm.internal.settings.WriteSetting;
import org.rocksdbffm.internal.write.NativeWriteOptions;

/** Options of writes. Immutable: each method returns options of its own. An option not set has the engine's default. */
public final class WriteOptions extends Settings {
  private static final WriteOptions DEFAULTS = new WriteOptions(Map.of());

  final Map<WriteSetting, Long> settings;
  private final WeakMemo<NativeWriteOptions> made;

  private WriteOptions(Map<WriteSetting, Long> settings) {
    super(settings);
    this.settings = settings;
    this.made = new WeakMemo<>(() -> new NativeWriteOptions(settings));
  }

  /**
   * The engine's defaults: a write is in the operating system's hands when it returns, and survives the
   * process but not the machine.
   *
   * @return options in which nothing is set
   */
  public static WriteOptions defaults() {
    return DEFAULTS;
  }

  private WriteOptions set(WriteSetting setting, boolean value) {
    return new WriteOptions(changed(settings, setting, value ? 1 : 0));
  }

  NativeWriteOptions toNative() {
    return made.get();
  }

  boolean leavesOutLog() {
    return settings.getOrDefault(WriteSetting.DISABLE_WAL, 0L) != 0;
  }

  /**
   * Whether a write returns only when the disk has it, so that it survives the machine.
   *
   * @param sync whether to wait
   * @return the changed options
   */
  public WriteOptions sync(boolean sync) {
    return set(WriteSetting.SYNC, sync);
  }

  /**
   * Writes without the log: rows that were not flushed are lost with the process. Where the process dies, a batch for several
   * column families may be there in part, unless the option {@code atomic_flush} is set; copies have it as a whole or not at
   * all. Such a write waits while a checkpoint is made, a hold lists its files, or a backup has copied nothing yet.
   *
   * @param disable whether to
   * @return the changed options
   */
  public WriteOptions disableWal(boolean disable) {
    return set(WriteSetting.DISABLE_WAL, disable);
  }

  /**
   * Fails with {@link RocksDbException.Code#INCOMPLETE} where a write would have to wait for compactions.
   *
   * @param fail whether to
   * @return the changed options
   */
  public WriteOptions noSlowdown(boolean fail) {
    return set(WriteSetting.NO_SLOWDOWN, fail);
  }

  /**
   * Lets a write be slowed down in favour of others.
   *
   * @param low whether to
   * @return the changed options
   */
  public WriteOptions lowPriority(boolean low) {
    return set(WriteSetting.LOW_PRIORITY, low);
  }

  /**
   * Skips what a batch writes to column families that were dropped, instead of failing.
   *
   * @param ignore whether to
   * @return the changed options
   */
  public WriteOptions ignoreMissingColumnFamilies(boolean ignore) {
    return set(WriteSetting.IGNORE_MISSING_COLUMN_FAMILIES, ignore);
  }

  /**
   * Has the engine keep a checksum with each entry on its way to the log and the memtable, and fail with {@link
   * RocksDbException.Code#CORRUPTION} where memory has changed under it.
   *
   * @param keep whether to
   * @return the changed options
   */
  public WriteOptions checksums(boolean keep) {
    return set(WriteSetting.CHECKSUMS, keep);
  }

  /**
   * Has writes to the log pass the {@link DatabaseOptions#rateLimiter rate limiter}, before flushes and compactions. All writes
   * wait behind one that waits for its rate. A database with {@code manual_wal_flush}, and a write without the log, fail
   * with it, with the code INVALID_ARGUMENT.
   *
   * @param limited whether to
   * @return the changed options
   */
  public WriteOptions rateLimited(boolean limited) {
    return set(WriteSetting.RATE_LIMITED, limited);
  }

  /**
   * Looks for the place of each key of a batch from that of the one before: faster where the keys of a batch lie close
   * together, and slower otherwise.
   *
   * @param hints whether to
   * @return the changed options
   */
  public WriteOptions insertHints(boolean hints) {
    return set(WriteSetting.INSERT_HINTS, hints);
  }
}
