/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.rocksdbffm.internal.folder.StoredDatabase;
import org.rocksdbffm.internal.options.NamedValues;
import org.rocksdbffm.internal.options.WholeSeconds;
import org.rocksdbffm.internal.options.table.OptionTable;
import org.rocksdbffm.internal.options.table.OptionText;
import org.rocksdbffm.internal.settings.Extras;
import org.rocksdbffm.internal.settings.NativeBudget;
import org.rocksdbffm.reports.DatabaseListener;
import org.rocksdbffm.reports.InfoLog;
import org.rocksdbffm.reports.StatisticsLevel;

/**
 * Options of a database as a whole, for {@linkplain RocksDb#at opening} it; options of its column families are
 * {@link FamilyOptions}. Immutable: each method returns changed options. An option that is not set has the engine's
 * default.
 *
 * <p>There are typed methods for the most frequent options; {@link #option(String, Object)} sets any of the engine's
 * options by its name. Values are checked when the options are used; an unknown name is refused, with a suggestion.
 */
public final class DatabaseOptions {
  private static final int MOST_WEIGHT = 1000;
  private static final DatabaseOptions DEFAULTS = new DatabaseOptions(NamedValues.NONE, Extras.NONE, Set.of());

  final NamedValues options;
  final Extras extras;
  private final Set<String> replaced;

  private DatabaseOptions(NamedValues options, Extras extras, Set<String> replaced) {
    this.options = options;
    this.extras = extras;
    this.replaced = replaced;
  }

  /**
   * Returns the engine's defaults.
   *
   * @return options with nothing set
   */
  public static DatabaseOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Parses options in the engine's notation: {@code name=value;name={name=value;...};...}.
   *
   * @param text as in {@code max_open_files=1000;max_background_jobs=4}
   * @return the options
   */
  public static DatabaseOptions parse(String text) {
    return DEFAULTS.options(text);
  }

  /**
   * Sets an option by the engine's name, such as {@code max_open_files}.
   *
   * @param name the name of a database option
   * @param value the value, whose string form is used
   * @return the changed options
   */
  public DatabaseOptions option(String name, Object value) {
    return with(requireNonNull(name, "name"), requireNonNull(value, "value").toString(), false);
  }

  /**
   * Sets an option that {@link #option} rejects as not supported, or not with this value; the engine gets the value
   * unchanged. The promises of this library do not hold for a database that is opened with it: the process may crash,
   * calls may never return, and data may be lost or read incorrectly. A value that would set another option is refused
   * nevertheless. There is no equivalent for options that are changed while the database is open.
   *
   * @param name the name of a database option
   * @param value the value, whose string form is used
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
    return new DatabaseOptions(options.with(name, value, unchecked), extras, replaced);
  }

  /** Sets an option that users cannot set. */
  DatabaseOptions set(String name, String value) {
    return new DatabaseOptions(options.with(name, value, true), extras, replaced);
  }

  /** Returns the options whose stored value is replaced intentionally. */
  Set<String> replaced() {
    return replaced;
  }

  private DatabaseOptions typed(String name, Object value) {
    OptionTable.check(OptionTable.DATABASE, name, value.toString());
    return option(name, value);
  }

  /**
   * Parses options in the engine's notation, and adds them to these.
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
   * Returns the options that were set, by name or by a typed method.
   *
   * @return the values by the engine's names
   */
  public Map<String, String> settings() {
    return Map.copyOf(options.values());
  }

  /**
   * Allows opening the database without the WAL in the folder that is stored as {@code wal_dir}. A WAL folder belongs
   * to one database: a copy is opened without {@code wal_dir}, or with another folder, and a database whose WAL is
   * missing is only opened with this option.
   *
   * @return the changed options
   */
  public DatabaseOptions replaceWalDir() {
    return replace(StoredDatabase.WAL_DIR);
  }

  /**
   * Accepts the loss of acknowledged writes after damage inside the WAL. By default, such a database is not opened, not
   * even read-only, and the exception's message contains the number of writes. An incomplete end of the WAL after a
   * crash is not damage. {@link Repair} keeps the intact writes.
   *
   * @return the changed options
   */
  public DatabaseOptions acceptWalDamage() {
    return replace(StoredDatabase.DAMAGED_LOG);
  }

  private DatabaseOptions replace(String what) {
    Set<String> both = new HashSet<>(replaced);
    both.add(what);
    return new DatabaseOptions(options, extras, Set.copyOf(both));
  }

  /**
   * Sets whether the database stops when it detects corruption.
   *
   * @param check false to continue as far as possible
   * @return the changed options
   */
  public DatabaseOptions paranoidChecks(boolean check) {
    return typed("paranoid_checks", check);
  }

  /**
   * Sets the maximum number of open files.
   *
   * @param count -1 for no limit
   * @return the changed options
   */
  public DatabaseOptions maxOpenFiles(int count) {
    return typed("max_open_files", count);
  }

  /**
   * Sets the maximum number of concurrent flushes and compactions.
   *
   * @param count at least 1
   * @return the changed options
   */
  public DatabaseOptions maxBackgroundJobs(int count) {
    return typed("max_background_jobs", count);
  }

  /**
   * Sets the size of the WAL at which memtables are flushed.
   *
   * @param size zero to let the engine choose
   * @return the changed options
   */
  public DatabaseOptions maxTotalWalSize(ByteSize size) {
    return typed("max_total_wal_size", requireNonNull(size, "size").bytes());
  }

  /**
   * Sets the maximum size of all memtables of the database.
   *
   * @param size zero for no limit
   * @return the changed options
   */
  public DatabaseOptions dbWriteBufferSize(ByteSize size) {
    return typed("db_write_buffer_size", requireNonNull(size, "size").bytes());
  }

  /**
   * Sets whether files are read through memory mappings.
   *
   * @param map true to map them
   * @return the changed options
   */
  public DatabaseOptions allowMmapReads(boolean map) {
    return typed("allow_mmap_reads", map);
  }

  /**
   * Sets whether files are read without the operating system's cache.
   *
   * @param direct true for direct I/O
   * @return the changed options
   */
  public DatabaseOptions useDirectReads(boolean direct) {
    return typed("use_direct_reads", direct);
  }

  /**
   * Sets the number of written bytes after which the operating system is asked to start writing them to the disk.
   *
   * @param size zero for never
   * @return the changed options
   */
  public DatabaseOptions bytesPerSync(ByteSize size) {
    return typed("bytes_per_sync", requireNonNull(size, "size").bytes());
  }

  /**
   * Sets how often statistics are written to the info log.
   *
   * @param period zero for never
   * @return the changed options
   */
  public DatabaseOptions statsDumpPeriod(Duration period) {
    return typed("stats_dump_period_sec", WholeSeconds.of("period", period));
  }

  /**
   * Enables statistics, for {@link DatabaseMetrics#statistics}.
   *
   * @param level the statistics to collect
   * @return the changed options
   */
  public DatabaseOptions statistics(StatisticsLevel level) {
    return with(extras.with(Extras.STATISTICS, level, requireNonNull(level, "level").level()));
  }

  /**
   * Limits the memory of several databases together. The budget's block cache serves all families, so no other cache
   * and no {@link #dbWriteBufferSize} can be set. It includes indexes and filters, and memtables are as small as the
   * share requires.
   *
   * @param budget the databases <em>share</em> it; closing it gives up its owner's share
   * @return the changed options
   */
  public DatabaseOptions memoryBudget(MemoryBudget budget) {
    return memoryBudget(budget, 1);
  }

  /**
   * Limits the memory of several databases together, with unequal shares.
   *
   * @param budget the databases <em>share</em> it; closing it gives up its owner's share
   * @param weight the share of the memtables in relation to other databases, from 1 to 1000
   * @return the changed options
   */
  public DatabaseOptions memoryBudget(MemoryBudget budget, int weight) {
    NativeBudget nativeBudget = requireNonNull(budget, "budget").nativeBudget();
    if (weight < 1 || weight > MOST_WEIGHT) {
      throw new IllegalArgumentException("weight: " + weight + ", but it is from 1 to " + MOST_WEIGHT);
    }
    return with(extras.with(Extras.MEMORY, List.of(budget, weight), () -> nativeBudget.join(weight)));
  }

  /**
   * Limits the bytes per second of flushes and compactions of several databases together.
   *
   * @param limiter the databases <em>share</em> it; closing it gives up its owner's share
   * @return the changed options
   */
  public DatabaseOptions rateLimiter(RateLimiter limiter) {
    return with(extras.with(Extras.RATE, limiter, requireNonNull(limiter, "limiter").nativeLimiter()));
  }

  /**
   * Encrypts all files of the database, including the WAL and the info log, with AES-256 in counter mode. Encryption
   * does not hide file names and sizes, and does not detect changed files. Needs the C++ stubs, which are missing on
   * macOS.
   *
   * <p>A database is created with encryption, and is then opened with keys that include the key of each file. To change
   * keys, add a new key in front: new files are encrypted with it, and a compaction of all ranges rewrites the existing
   * tables.
   *
   * @param keys the source of the keys, which is called at each opening
   * @return the changed options
   */
  public DatabaseOptions encryption(EncryptionKeys keys) {
    requireNonNull(keys, "keys");
    return with(extras.with(Extras.ENCRYPTION, keys, () -> EncryptionKeys.Key.toNative(keys)));
  }

  /**
   * Limits the size and the deletion rate of table files of several databases together.
   *
   * @param manager the databases <em>share</em> it; closing it gives up its owner's share
   * @return the changed options
   */
  public DatabaseOptions sstFileManager(SstFileManager manager) {
    return with(extras.with(Extras.FILES, manager, requireNonNull(manager, "manager").nativeManager()));
  }

  /**
   * Resumes writes automatically after the disk was full, once it has the given free space; tries at most once a
   * second, and less often after failures. Without this option the engine tries it every five seconds, but only with as
   * much room as the largest write buffer, which is 64 MiB by default; until then {@link RocksDb#resume} is refused.
   * Notifies the listener of {@link org.rocksdbffm.reports.DatabaseEvent.WritesResumed}.
   *
   * @param room the free space that the disks of the database need: at least as much as the memtables, which are
   * flushed
   * @return the changed options; opening a database with them throws where the C++ stubs are missing: on macOS, or with
   *     another build of the engine
   */
  public DatabaseOptions resumeWithRoom(ByteSize room) {
    return with(extras.with(Extras.ROOM, room, requireNonNull(room, "room").bytes()));
  }

  /**
   * Sets a listener that is notified of events.
   *
   * @param listener the database <em>shares</em> it until it is closed
   * @return the changed options
   */
  public DatabaseOptions listener(DatabaseListener listener) {
    requireNonNull(listener, "listener");
    return with(extras.with(Extras.LISTENER, listener, event -> listener.onEvent(Events.of(event))));
  }

  /**
   * Sets the receiver of the info log, which is otherwise written to files named {@code LOG} in the database folder.
   * Options of these files, such as {@code max_log_file_size}, are then refused.
   *
   * @param log the database <em>shares</em> it until it is closed, and shortly longer for the last messages
   * @return the changed options
   */
  public DatabaseOptions infoLog(InfoLog log) {
    boolean silent = requireNonNull(log, "log") == InfoLog.none();
    return with(extras.with(Extras.LOG, log, silent ? Optional.empty() : Optional.of(Messages.to(log))));
  }

  /**
   * Sets a row cache, which is checked before the block cache. Refused for a database with range deletions.
   *
   * @param cache the databases <em>share</em> it; closing it gives up its owner's share
   * @return the changed options
   */
  public DatabaseOptions rowCache(RowCache cache) {
    return with(extras.with(Extras.ROWS, cache, requireNonNull(cache, "cache").nativeCache()));
  }

  /** Runs an operation with the keys of these options; without any, with the keys of the running operation. */
  <T> T withKeys(ScopedValue.CallableOp<T, RuntimeException> operation) {
    var keys = extras.get(Extras.ENCRYPTION);
    return keys == null ? operation.call() : keys.get().during(operation);
  }

  private DatabaseOptions with(Extras changed) {
    return new DatabaseOptions(options, changed, replaced);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DatabaseOptions that && options.equals(that.options)
        && extras.equals(that.extras)
        && replaced.equals(that.replaced);
  }

  @Override
  public int hashCode() {
    return 31 * options.hashCode() + extras.hashCode();
  }

  @Override
  public String toString() {
    return options.toString() + extras + (replaced.isEmpty() ? "" : "replaced=" + new TreeSet<>(replaced) + ";");
  }
}
