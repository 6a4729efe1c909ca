/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.rocksdbffm.internal.db.NativeSnapshot;
import org.rocksdbffm.internal.foreign.WeakMemo;
import org.rocksdbffm.internal.options.table.OptionTable;
import org.rocksdbffm.internal.read.NativeReadOptions;
import org.rocksdbffm.internal.settings.ReadSetting;

/** Options of reads. Immutable: each method returns options of its own. An option not set has the engine's default. */
public final class ReadOptions {
  private static final ReadOptions DEFAULTS = new ReadOptions(Map.of());

  private final Map<ReadSetting, Long> settings;
  private final WeakMemo<NativeReadOptions> made;

  private ReadOptions(Map<ReadSetting, Long> settings) {
    this.settings = settings;
    this.made = new WeakMemo<>(() -> new NativeReadOptions(settings));
  }

  /**
   * The engine's defaults.
   *
   * @return options in which nothing is set
   */
  public static ReadOptions defaults() {
    return DEFAULTS;
  }

  private ReadOptions set(ReadSetting setting, long value) {
    Map<ReadSetting, Long> changed = new EnumMap<>(ReadSetting.class);
    changed.putAll(settings);
    changed.put(setting, value);
    return new ReadOptions(changed);
  }

  private ReadOptions set(ReadSetting setting, boolean value) {
    return set(setting, value ? 1 : 0);
  }

  Map<ReadSetting, Long> settings() {
    return settings;
  }

  /** The engine's form of these options; the snapshot may be null. */
  NativeReadOptions toNative(NativeSnapshot snapshot) {
    return snapshot == null ? made.get() : new NativeReadOptions(settings).withSnapshot(snapshot);
  }

  /**
   * Whether blocks that are read are left in the block cache; a long scan may want to spare it.
   *
   * @param fill false to leave the cache alone
   * @return the changed options
   */
  public ReadOptions fillCache(boolean fill) {
    return set(ReadSetting.FILL_CACHE, fill);
  }

  /**
   * How far a read may go.
   *
   * @param tier the farthest place
   * @return the changed options
   */
  public ReadOptions tier(Tier tier) {
    return set(ReadSetting.READ_TIER, requireNonNull(tier, "tier").ordinal());
  }

  /** How far a read may go. */
  public enum Tier {
    /** Memory and files. */
    ALL,
    /** The memtables and the block cache; what is only in files is reported as incomplete. */
    BLOCK_CACHE,
    /** Data that was written to a file or its log. */
    PERSISTED,
    /** The memtables alone. */
    MEMTABLE
  }

  /**
   * How much a scan reads ahead in a file.
   *
   * @param size zero for the engine's own adaptive way; at most 256 MiB, for which the engine has a buffer in each file
   * @return the changed options
   */
  public ReadOptions readahead(ByteSize size) {
    OptionTable.checkNumber("read", "readahead", requireNonNull(size, "size").bytes());
    return set(ReadSetting.READAHEAD_SIZE, size.bytes());
  }

  /**
   * Ends an iteration where the prefix of the sought key ends. Needs a prefix extractor. A range with an end cannot be
   * scanned from there under it, for the sought key is the end then; {@link KeyRange#prefix} bounds a scan by itself.
   *
   * @param only whether to
   * @return the changed options
   */
  public ReadOptions prefixSameAsStart(boolean only) {
    return set(ReadSetting.PREFIX_SAME_AS_START, only);
  }

  /**
   * Iterates in the order of all keys, past prefix filters.
   *
   * @param total whether to
   * @return the changed options
   */
  public ReadOptions totalOrderSeek(boolean total) {
    return set(ReadSetting.TOTAL_ORDER_SEEK, total);
  }

  /**
   * Uses prefix filters where they cannot change the result.
   *
   * @param auto whether to
   * @return the changed options
   */
  public ReadOptions autoPrefixMode(boolean auto) {
    return set(ReadSetting.AUTO_PREFIX_MODE, auto);
  }

  /**
   * Makes cursors follow new writes instead of keeping to the state in which they were opened.
   *
   * @param tailing whether to
   * @return the changed options
   */
  public ReadOptions tailing(boolean tailing) {
    return set(ReadSetting.TAILING, tailing);
  }

  /**
   * Keeps the blocks that a cursor loads pinned until the cursor is closed.
   *
   * @param pin whether to
   * @return the changed options
   */
  public ReadOptions pinData(boolean pin) {
    return set(ReadSetting.PIN_DATA, pin);
  }

  /**
   * Reads past range deletions, for a database known to have none.
   *
   * @param ignore whether to
   * @return the changed options
   */
  public ReadOptions ignoreRangeDeletions(boolean ignore) {
    return set(ReadSetting.IGNORE_RANGE_DELETIONS, ignore);
  }

  /**
   * Prefetches asynchronously where the engine can.
   *
   * @param async whether to
   * @return the changed options
   */
  public ReadOptions asyncIo(boolean async) {
    return set(ReadSetting.ASYNC_IO, async);
  }

  /**
   * How long one access to a file may take, where the file system knows of it.
   *
   * @param timeout zero for no limit
   * @return the changed options
   */
  public ReadOptions ioTimeout(Duration timeout) {
    return set(ReadSetting.IO_TIMEOUT, micros(timeout));
  }

  private static long micros(Duration timeout) {
    if (requireNonNull(timeout, "timeout").isNegative()) {
      throw new IllegalArgumentException("timeout: " + timeout + " is negative");
    }
    return TimeUnit.MICROSECONDS.convert(timeout);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ReadOptions that && settings.equals(that.settings);
  }

  @Override
  public int hashCode() {
    return settings.hashCode();
  }

  @Override
  public String toString() {
    return "ReadOptions" + settings;
  }
}
