/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.rocksdbffm.internal.folder.StoredDatabase;
import org.rocksdbffm.internal.options.NamedValues;
import org.rocksdbffm.internal.options.WholeSeconds;
import org.rocksdbffm.internal.options.table.OptionTable;
import org.rocksdbffm.internal.options.table.OptionText;
import org.rocksdbffm.internal.settings.Extras;
import org.rocksdbffm.internal.settings.NativeBudget;
import org.rocksdbffm.metrics.DatabaseListener;
import org.rocksdbffm.metrics.InfoLog;
import org.rocksdbffm.metrics.StatisticsLevel;

/**
 * Options of a database as a whole, with which it is {@linkplain RocksDb#at opened}; those of its column families are {@link
 * FamilyOptions}. Immutable: each method returns options of its own. An option that is not set has the engine's default.
 *
 * <p>There are typed methods for what people really set; {@link #option(String, Object)} sets any of the
 * engine's options by its own name. Values are checked when the options are used: an unknown name fails, with the nearest
 * one that there is.
 */
public final class DatabaseOptions {
  private static final int MOST_WEIGHT = 1000;
  private static final DatabaseOptions DEFAULTS = new DatabaseOptions(NamedValues.NONE, Extras.NONE, false);

  final NamedValues options;
  final Extras extras;
  private final boolean replacesWalDir;

  private DatabaseOptions(NamedValues options, Extras extras, boolean replacesWalDir) {
    this.options = options;
    this.extras = extras;
    this.replacesWalDir = replacesWalDir;
  }

  /**
   * The engine's defaults.
   *
   * @return options in which nothing is set
   */
  public static DatabaseOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Options in the engine's own notation: {@code name=value;name={name=value;...};...}.
   *
   * @param text as in {@code max_open_files=1000;max_background_jobs=4}
   * @return the options
   */
  public static DatabaseOptions parse(String text) {
    return DEFAULTS.options(text);
  }

  /**
   * Sets an option by the engine's own name, such as {@code max_open_files}.
   *
   * @param name a name of the engine's options of a database
   * @param value the value; its string form counts
   * @return the changed options
   */
  public DatabaseOptions option(String name, Object value) {
    return with(requireNonNull(name, "name"), requireNonNull(value, "value").toString(), false);
  }

  /**
   * Sets an option that {@link #option} rejects because it is not supported, or not with that value; the engine gets it as
   * it is. For what is opened with it, this library's promises do not hold: the process may end, calls may never return, and
   * what was written may be lost or read wrongly. A value that would set another option is refused even so. There is nothing like it
   * for options that are changed while the database is open.
   *
   * @param name a name of the engine's options of a database
   * @param value the value; its string form counts
   * @return the changed options
   */
  public DatabaseOptions unchecked(String name, Object value) {
    return with(requireNonNull(name, "name"), requireNonNull(value, "value").toString(), true);
  }

  DatabaseOptions with(String name, String value, boolean unchecked) {
    if (OptionTable.PRESENCE.contains(name)) {
      throw new IllegalArgumentException("option " + name + ": an opening creates what is absent, unless it says mustExist or mustNotExist (RocksDb.at)");
    }
    OptionTable.requireNotOf(OptionTable.FAMILY, name);
    return new DatabaseOptions(options.with(name, value, unchecked), extras, replacesWalDir);
  }

  /** Sets an option that no user decides. */
  DatabaseOptions set(String name, String value) {
    return new DatabaseOptions(options.with(name, value, true), extras, replacesWalDir);
  }

  /** The options whose stored value is replaced on purpose. */
  Set<String> replaced() {
    return replacesWalDir ? Set.of(StoredDatabase.WAL_DIR) : Set.of();
  }

  private DatabaseOptions typed(String name, Object value) {
    OptionTable.check(OptionTable.DATABASE, name, value.toString());
    return option(name, value);
  }

  /**
   * Sets options in the engine's own notation on top of these.
   *
   * @param text as for {@link #parse}
   * @return the changed options
   */
  public DatabaseOptions options(String text) {
    DatabaseOptions changed = this;
    for (var option : OptionText.parse(requireNonNull(text, "text")).entrySet()) {
      changed = changed.with(option.getKey(), option.getValue(), false);
    }
    return changed;
  }

  /**
   * The options that were set by name or by a typed method.
   *
   * @return the engine's names with the values
   */
  public Map<String, String> settings() {
    return Map.copyOf(options.values());
  }

  /**
   * Says that the database does without the logs in the folder that is stored as {@code wal_dir}. That folder belongs to one
   * database: a copy is opened without one, or with one of its own, and a database whose logs are missing is not opened
   * unless this says so.
   *
   * @return the changed options
   */
  public DatabaseOptions replaceWalDir() {
    return new DatabaseOptions(options, extras, true);
  }

  /**
   * Whether signs of damage stop the database.
   *
   * @param check false to carry on as far as possible
   * @return the changed options
   */
  public DatabaseOptions paranoidChecks(boolean check) {
    return typed("paranoid_checks", check);
  }

  /**
   * How many files the database keeps open.
   *
   * @param count -1 for all of them
   * @return the changed options
   */
  public DatabaseOptions maxOpenFiles(int count) {
    return typed("max_open_files", count);
  }

  /**
   * How many flushes and compactions run at once.
   *
   * @param count at least 1
   * @return the changed options
   */
  public DatabaseOptions maxBackgroundJobs(int count) {
    return typed("max_background_jobs", count);
  }

  /**
   * At which size of the log memtables are flushed.
   *
   * @param size zero for the engine to choose
   * @return the changed options
   */
  public DatabaseOptions maxTotalWalSize(ByteSize size) {
    return typed("max_total_wal_size", requireNonNull(size, "size").bytes());
  }

  /**
   * How much all memtables of the database take together.
   *
   * @param size zero for no limit
   * @return the changed options
   */
  public DatabaseOptions dbWriteBufferSize(ByteSize size) {
    return typed("db_write_buffer_size", requireNonNull(size, "size").bytes());
  }

  /**
   * Whether files are read through the address space.
   *
   * @param map true to map them
   * @return the changed options
   */
  public DatabaseOptions allowMmapReads(boolean map) {
    return typed("allow_mmap_reads", map);
  }

  /**
   * Whether files are read past the operating system's cache.
   *
   * @param direct true to read directly
   * @return the changed options
   */
  public DatabaseOptions useDirectReads(boolean direct) {
    return typed("use_direct_reads", direct);
  }

  /**
   * How much is written before the disk is asked to begin with it.
   *
   * @param size zero for never
   * @return the changed options
   */
  public DatabaseOptions bytesPerSync(ByteSize size) {
    return typed("bytes_per_sync", requireNonNull(size, "size").bytes());
  }

  /**
   * How often statistics are written to the engine's log.
   *
   * @param period zero for never
   * @return the changed options
   */
  public DatabaseOptions statsDumpPeriod(Duration period) {
    return typed("stats_dump_period_sec", WholeSeconds.of("period", period));
  }

  /**
   * Has the engine count what it does, for {@link DatabaseMetrics#statistics}.
   *
   * @param level how much of it
   * @return the changed options
   */
  public DatabaseOptions statistics(StatisticsLevel level) {
    return with(extras.with(Extras.STATISTICS, level, requireNonNull(level, "level").level()));
  }

  /**
   * Has the database share a bound on memory with others. Its block cache serves all families, so beside it there is no
   * other cache, nor a {@link #dbWriteBufferSize}. Indexes and filters are in it, and memtables are as small as the share needs.
   *
   * @param budget the databases <em>share</em> it; closing it gives up its owner's share
   * @return the changed options
   */
  public DatabaseOptions memoryBudget(MemoryBudget budget) {
    return memoryBudget(budget, 1);
  }

  /**
   * The same with a share of another size.
   *
   * @param budget the databases <em>share</em> it; closing it gives up its owner's share
   * @param weight how many shares of other databases the memtables may take, from 1 to 1000
   * @return the changed options
   */
  public DatabaseOptions memoryBudget(MemoryBudget budget, int weight) {
    NativeBudget its = requireNonNull(budget, "budget").nativeBudget();
    if (weight < 1 || weight > MOST_WEIGHT) {
      throw new IllegalArgumentException("weight: " + weight + ", but it is from 1 to " + MOST_WEIGHT);
    }
    return with(extras.with(Extras.MEMORY, List.of(budget, weight), () -> its.join(weight)));
  }

  /**
   * Shares a limit of what flushes and compactions move in a second.
   *
   * @param limiter the databases <em>share</em> it; closing it gives up its owner's share
   * @return the changed options
   */
  public DatabaseOptions rateLimiter(RateLimiter limiter) {
    return with(extras.with(Extras.RATE, limiter, requireNonNull(limiter, "limiter").nativeLimiter()));
  }

  /**
   * Shares limits of table files, their size and their deletion.
   *
   * @param manager the databases <em>share</em> it; closing it gives up its owner's share
   * @return the changed options
   */
  public DatabaseOptions sstFileManager(SstFileManager manager) {
    return with(extras.with(Extras.FILES, manager, requireNonNull(manager, "manager").nativeManager()));
  }

  /**
   * Sets code in Java that is called with events.
   *
   * @param listener the database <em>shares</em> it until it is closed
   * @return the changed options
   */
  public DatabaseOptions listener(DatabaseListener listener) {
    requireNonNull(listener, "listener");
    return with(extras.with(Extras.LISTENER, listener, event -> listener.onEvent(Events.of(event))));
  }

  /**
   * Sets where the engine's messages go, which are written to files named {@code LOG} in the database's folder otherwise.
   * Options of the files, such as {@code max_log_file_size},
   * are refused beside it.
   *
   * @param log the database <em>shares</em> it until it is closed, and a little longer for the last messages
   * @return the changed options
   */
  public DatabaseOptions infoLog(InfoLog log) {
    boolean silent = requireNonNull(log, "log") == InfoLog.none();
    return with(extras.with(Extras.LOG, log, silent ? Optional.empty() : Optional.of(Messages.to(log))));
  }

  /**
   * Sets a cache for rows, in front of that for blocks. It is refused to a
   * database with deleted ranges.
   *
   * @param cache the databases <em>share</em> it; closing it gives up its owner's share
   * @return the changed options
   */
  public DatabaseOptions rowCache(RowCache cache) {
    return with(extras.with(Extras.ROWS, cache, requireNonNull(cache, "cache").nativeCache()));
  }

  private DatabaseOptions with(Extras changed) {
    return new DatabaseOptions(options, changed, replacesWalDir);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DatabaseOptions its && options.equals(its.options)
        && extras.equals(its.extras)
        && replacesWalDir == its.replacesWalDir;
  }

  @Override
  public int hashCode() {
    return 31 * options.hashCode() + extras.hashCode();
  }

  @Override
  public String toString() {
    return options.toString() + extras + (replacesWalDir ? "replaceWalDir;" : "");
  }
}
