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
public final class ReadOptions extends Settings {
  private static final ReadOptions DEFAULTS = new ReadOptions(Map.of());

  private static final Duration SHORTEST = Duration.ofNanos(1000);
  private static final Duration LONGEST = Duration.ofDays(1);

  final Map<ReadSetting, Long> settings;
  private final WeakMemo<NativeReadOptions> made;

  private ReadOptions(Map<ReadSetting, Long> settings) {
    super(settings);
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
    return new ReadOptions(changed(settings, setting, value));
  }

  private ReadOptions set(ReadSetting setting, boolean value) {
    return set(setting, value ? 1 : 0);
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

  /**
   * How long a read may take, from its call on: a cursor or a scan with all of its steps, from its opening on. Behind that
   * it fails with {@link RocksDbException.Code#TIMED_OUT}. The engine looks at the clock before it reads from a file, and
   * between the keys of a multi-get: memory answers late reads too, and one access to a file is not cut off. The time that
   * a transaction waits for a lock is limited by {@link TransactionOptions#lockTimeout}.
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
   * How many deleted or overwritten keys one step of a cursor or scan may pass. Behind so many it fails with {@link
   * RocksDbException.Code#INCOMPLETE}, in the place of taking very long where much was deleted.
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
   * Has a scan read as much ahead in the next file as it came to in the last one.
   *
   * @param adaptive whether to
   * @return the changed options
   */
  public ReadOptions adaptiveReadahead(boolean adaptive) {
    return set(ReadSetting.ADAPTIVE_READAHEAD, adaptive);
  }

  /**
   * Has a scan with an end read no further ahead than to that, and not what is in the block cache.
   *
   * @param auto false to read ahead as far as without an end; the engine's default is true
   * @return the changed options
   */
  public ReadOptions autoReadahead(boolean auto) {
    return set(ReadSetting.AUTO_READAHEAD, auto);
  }

  /**
   * Has reads of files pass the {@link DatabaseOptions#rateLimiter rate limiter}, as the reads of a backup or an export may, if
   * {@linkplain RateLimiter.Options#limits it limits reads}. A read waits then for as long as its rate asks for.
   *
   * @param priority whom they are served before, and behind whom
   * @return the changed options
   */
  public ReadOptions rateLimited(Priority priority) {
    return set(ReadSetting.RATE_LIMITED, requireNonNull(priority, "priority").ordinal());
  }

  /** The order in which a rate limiter serves those who wait for it. */
  public enum Priority {
    /** As compactions are. */
    LOW,
    /** Between the two. */
    MID,
    /** As flushes are. */
    HIGH,
    /** Before all others. */
    USER
  }

  /**
   * Leaves files that a closed cursor was the last to need to a thread of the engine, so that the close takes no time for
   * their deletion.
   *
   * @param background whether to
   * @return the changed options
   */
  public ReadOptions purgeInBackground(boolean background) {
    return set(ReadSetting.BACKGROUND_PURGE, background);
  }
}
