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

/**
 * Options of reads. Immutable: each method returns changed options. An option that is not set has the engine's default.
 */
public final class ReadOptions extends Settings {
  private static final ReadOptions DEFAULTS = new ReadOptions(Map.of());

  private static final Duration SHORTEST = Duration.ofNanos(1000);
  private static final Duration LONGEST = Duration.ofDays(1);

  final Map<ReadSetting, Long> settings;
  private final WeakMemo<NativeReadOptions> made = new WeakMemo<>();

  private ReadOptions(Map<ReadSetting, Long> settings) {
    super(settings);
    this.settings = settings;
  }

  /**
   * Returns the engine's defaults.
   *
   * @return options with nothing set
   */
  public static ReadOptions defaults() {
    return DEFAULTS;
  }

  private ReadOptions set(ReadSetting setting, long value) {
    return new ReadOptions(changed(settings, setting, value));
  }

  private ReadOptions set(ReadSetting setting, boolean value) {
    return set(setting, value ? 1 : 0);
  }

  /** Returns the engine's form of these options; the snapshot may be null. */
  NativeReadOptions toNative(NativeSnapshot snapshot) {
    if (snapshot != null) {
      return new NativeReadOptions(settings).withSnapshot(snapshot);
    }
    NativeReadOptions known = made.get();
    return known == null ? made.keep(new NativeReadOptions(settings)) : known;
  }

  /**
   * Sets whether blocks that are read are added to the block cache; long scans may avoid that.
   *
   * @param fill false to leave the cache unchanged
   * @return the changed options
   */
  public ReadOptions fillCache(boolean fill) {
    return set(ReadSetting.FILL_CACHE, fill);
  }

  /**
   * Sets the storage that reads may access.
   *
   * @param tier the slowest storage
   * @return the changed options
   */
  public ReadOptions tier(Tier tier) {
    return set(ReadSetting.READ_TIER, requireNonNull(tier, "tier").ordinal());
  }

  /** Returns these options for reads that access no file, or null if these exclude memtables or caches. */
  ReadOptions cached() {
    long tier = settings.getOrDefault(ReadSetting.READ_TIER, (long) Tier.ALL.ordinal());
    boolean isTierOfMemory = tier == Tier.ALL.ordinal() || tier == Tier.BLOCK_CACHE.ordinal();
    return isTierOfMemory ? deadline(Duration.ZERO).tier(Tier.BLOCK_CACHE) : null;
  }

  /** The storage that reads may access. */
  public enum Tier {
    /** Memory and files. */
    ALL,
    /** Memtables and block cache; a read that needs a file fails with {@link RocksDbException.Code#INCOMPLETE}. */
    BLOCK_CACHE,
    /** Data that is in a table file or in the WAL. */
    PERSISTED,
    /** Memtables only. */
    MEMTABLE
  }

  /**
   * Sets how many bytes a scan reads ahead in a file.
   *
   * @param size zero for the engine's adaptive readahead; at most 256 MiB, because the engine allocates a buffer for
   *     each file
   * @return the changed options
   */
  public ReadOptions readahead(ByteSize size) {
    OptionTable.checkNumber("read", "readahead", requireNonNull(size, "size").bytes());
    return set(ReadSetting.READAHEAD_SIZE, size.bytes());
  }

  /**
   * Sets whether blocks that a cursor loads stay pinned until the cursor is closed.
   *
   * @param pin true to pin them
   * @return the changed options
   */
  public ReadOptions pinData(boolean pin) {
    return set(ReadSetting.PIN_DATA, pin);
  }

  /**
   * Sets whether reads ignore range deletions, for a database that has none.
   *
   * @param ignore true to ignore them
   * @return the changed options
   */
  public ReadOptions ignoreRangeDeletions(boolean ignore) {
    return set(ReadSetting.IGNORE_RANGE_DELETIONS, ignore);
  }

  /**
   * Sets whether the engine prefetches asynchronously, if it can.
   *
   * @param async true to prefetch asynchronously
   * @return the changed options
   */
  public ReadOptions asyncIo(boolean async) {
    return set(ReadSetting.ASYNC_IO, async);
  }

  /**
   * Sets the timeout of a single file access, if the file system supports it.
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

  /**
   * Sets the maximum duration of a read from its call on; for a cursor or scan, of all its steps from its opening on.
   * Afterwards it fails with {@link RocksDbException.Code#TIMED_OUT}. The engine checks the time before it reads from a
   * file, and between the keys of a multi-get: late reads from memory succeed, and a single file access is not
   * interrupted. Waits of a transaction for locks are limited by {@link TransactionOptions#lockTimeout}.
   *
   * @param limit from a microsecond to a day; zero for no limit
   * @return the changed options
   */
  public ReadOptions deadline(Duration limit) {
    if (requireNonNull(limit, "limit").isZero()) {
      Map<ReadSetting, Long> without = new EnumMap<>(ReadSetting.class);
      without.putAll(settings);
      without.remove(ReadSetting.DEADLINE);
      return new ReadOptions(without);
    }
    if (limit.compareTo(SHORTEST) < 0 || limit.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("limit: " + limit + ", but a read takes from " + SHORTEST + " to " + LONGEST);
    }
    return set(ReadSetting.DEADLINE, TimeUnit.MICROSECONDS.convert(limit));
  }

  /**
   * Sets how many deleted or overwritten keys one step of a cursor or scan may skip. Beyond that it fails with
   * {@link RocksDbException.Code#INCOMPLETE}, instead of taking very long where many keys were deleted.
   *
   * @param count zero for no limit
   * @return the changed options
   */
  public ReadOptions maxSkippedKeys(long count) {
    if (count < 0) {
      throw new IllegalArgumentException("count: " + count + " is negative");
    }
    return set(ReadSetting.MAX_SKIPPABLE_KEYS, count);
  }

  /**
   * Sets whether a scan continues in the next file with the readahead size that it has reached in the last one.
   *
   * @param adaptive true to keep the size
   * @return the changed options
   */
  public ReadOptions adaptiveReadahead(boolean adaptive) {
    return set(ReadSetting.ADAPTIVE_READAHEAD, adaptive);
  }

  /**
   * Sets whether the readahead of a scan with an end stops at that end, and skips blocks in the block cache.
   *
   * @param auto false to ignore the end; the engine's default is true
   * @return the changed options
   */
  public ReadOptions autoReadahead(boolean auto) {
    return set(ReadSetting.AUTO_READAHEAD, auto);
  }

  /**
   * Makes file reads pass the {@link DatabaseOptions#rateLimiter rate limiter}, for example for a backup or an export,
   * if {@linkplain RateLimiter.Options#limits it limits reads}. Reads then wait as its rate requires.
   *
   * @param priority the priority among the limiter's users
   * @return the changed options
   */
  public ReadOptions rateLimited(Priority priority) {
    return set(ReadSetting.RATE_LIMITED, requireNonNull(priority, "priority").ordinal());
  }

  /** The priorities of a rate limiter's users. */
  public enum Priority {
    /** The priority of compactions. */
    LOW,
    /** Between compactions and flushes. */
    MID,
    /** The priority of flushes. */
    HIGH,
    /** The highest priority. */
    USER
  }

  /**
   * Sets whether files that only a closed cursor still needed are deleted by a background thread, so that the close is
   * fast.
   *
   * @param background true to delete them in the background
   * @return the changed options
   */
  public ReadOptions purgeInBackground(boolean background) {
    return set(ReadSetting.BACKGROUND_PURGE, background);
  }
}
