/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.callback.Callback;
import org.rocksdbffm.internal.callback.CallbackOwner;
import org.rocksdbffm.internal.callback.EventSource;
import org.rocksdbffm.internal.callback.ExpiryRules;
import org.rocksdbffm.internal.callback.LogQueue;
import org.rocksdbffm.internal.callback.NativeFilterFactory;
import org.rocksdbffm.internal.callback.NativeMergeOperator;
import org.rocksdbffm.internal.callback.RawComparator;
import org.rocksdbffm.internal.callback.RawFilter;
import org.rocksdbffm.internal.callback.RawLog;
import org.rocksdbffm.internal.callback.RawMerge;
import org.rocksdbffm.internal.exit.ExitHandler;
import org.rocksdbffm.internal.foreign.EngineTable;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.Structs;
import org.rocksdbffm.internal.lifetime.RecoveryWatch;
import org.rocksdbffm.internal.lifetime.Shared;
import org.rocksdbffm.internal.loader.NativeLibrary;
import org.rocksdbffm.internal.options.CheckedSettings;
import org.rocksdbffm.internal.options.DatabaseKind;
import org.rocksdbffm.internal.options.LiveSettings;
import org.rocksdbffm.internal.options.OptionSettings;
import org.rocksdbffm.internal.options.table.OptionText;
import org.rocksdbffm.internal.order.NativeComparator;
import org.rocksdbffm.internal.watch.OpenStatistics;

/**
 * RocksDB's database and column family options while a database or family is being opened. RocksDB copies them, so the
 * owner closes this afterwards. Not thread-safe.
 */
public final class NativeOptions implements AutoCloseable {
  private final MemorySegment options;
  private final Contents contents;

  // The callbacks of the database that is being opened; the engine owns all of them but the comparator.
  private final List<Callback> callbacks = new ArrayList<>();
  private NativeComparator comparator;

  private final Object ownCache = new Object(); // identifies the cache that RocksDB creates with the options

  // The share of a memory budget; null if absent.
  private final MemoryShare memory;
  // The keys of the running operation; null if absent.
  private final NativeEncryption encryption = NativeEncryption.current();

  private LogQueue log;
  private OpenStatistics statistics;
  private RecoveryWatch recovery;
  private EventSource events;

  private record Contents(
      CheckedSettings settings, OptionSettings.Beside beside, Extras extras, List<TablePath> paths) {
    Contents within(MemoryShare memory) {
      return memory == null ? this : new Contents(memory.fitting(beside.kind(), settings), beside, extras, paths);
    }
  }

  private NativeOptions(Contents contents, MemoryShare memory) {
    NativeLibrary.load();
    this.memory = memory;
    this.contents = contents.within(memory);
    Integer level = get(Extras.STATISTICS);
    statistics = level == null ? null : OpenStatistics.ofLevel(level);
    options = level == null ? Memory.atAddress(HotCalls.createOptions()) : statistics.inNewOptions();
    ExitHandler.install(options);
    if (encryption != null) {
      encryption.share().setIn(options);
    }
  }

  /** Returns RocksDB's defaults with the settings applied, for a kind of database. */
  public static NativeOptions of(OptionSettings settings, DatabaseKind kind, Extras extras) {
    OptionSettings.Beside beside =
        new OptionSettings.Beside(
            extras.get(Extras.BLOCKS) != null || extras.get(Extras.MEMORY) != null,
            extras.get(Extras.COMPARATOR) != null,
            extras.get(Extras.MERGE_OPERATOR) != null,
            kind);
    CheckedSettings checked = settings.check(beside);
    extras.requireAlone(checked);
    Supplier<List<TablePath>> paths = extras.get(Extras.PATHS);
    Supplier<MemoryShare> memory = extras.get(Extras.MEMORY);
    Contents contents = new Contents(checked, beside, extras, paths == null ? List.of() : paths.get());
    NativeOptions options = new NativeOptions(contents, memory == null ? null : memory.get());
    try {
      options.apply(options.contents.settings);
      options.setAll();
      return options;
    } catch (Throwable e) {
      options.close();
      throw e;
    }
  }

  public static NativeOptions defaults() {
    return ofFiles(List.of(), null);
  }

  /** Returns RocksDB's defaults with table folders and a WAL folder; {@code logs} is null for the database folder. */
  public static NativeOptions ofFiles(List<TablePath> paths, Path logs) {
    OptionSettings.Beside nothing = OptionSettings.Beside.NOTHING;
    NativeOptions options =
        new NativeOptions(new Contents(OptionSettings.NONE.check(nothing), nothing, Extras.NONE, paths), null);
    try {
      TablePath.set(paths, options.options);
      if (logs != null) {
        options.set("wal_dir=" + OptionText.quoted(logs.toString()));
      }
      return options;
    } catch (Throwable e) {
      options.close();
      throw e;
    }
  }

  /**
   * RocksDB applies the options of a text in its own order, so naming a table factory and setting its options takes two
   * texts.
   */
  private void apply(CheckedSettings settings) {
    NativeCache cache = get(Extras.BLOCKS);
    String text = settings.optionsText();
    String tableText = settings.tableText();
    if (settings.namesTable()) {
      set(text);
      set(tableText);
    } else if (settings.isWithoutCache()) {
      set(text + tableText, MemorySegment.NULL, true);
    } else if (memory != null) {
      set(text + tableText, memory.cache(), false);
    } else if (cache != null) {
      cache.use(pointer -> set(text + tableText, pointer, false));
    } else {
      set(text + tableText);
    }
  }

  private <T> T get(Extras.Key<T> key) {
    return contents.extras.get(key);
  }

  private void setAll() {
    setCallbacks();
    share(Extras.RATE);
    share(Extras.FILES);
    share(Extras.ROWS);
    share(Extras.BLOBS);
    if (memory != null) {
      memory.setIn(options);
    }
    TablePath.set(contents.paths, options);
    if (get(Extras.LISTENER) != null) {
      events = EventSource.setIn(options, get(Extras.LISTENER));
      callbacks.add(events);
    }
    if (get(Extras.ROOM) != null) {
      recovery = new RecoveryWatch(options);
    }
  }

  private void setCallbacks() {
    Extras.Named<RawComparator> order = get(Extras.COMPARATOR);
    if (order != null) {
      comparator = new NativeComparator(order.name(), order.code());
      callbacks.add(comparator);
      RocksDbC.rocksdb_options_set_comparator(options, comparator.pointer());
    }
    Extras.Named<RawMerge> merge = get(Extras.MERGE_OPERATOR);
    if (merge != null) {
      callbacks.add(NativeMergeOperator.setIn(options, merge.name(), merge.code()));
    }
    Extras.Named<RawFilter.Factory> filters = get(Extras.FILTERS);
    if (filters != null) {
      callbacks.add(NativeFilterFactory.setIn(options, filters.name(), filters.code()));
    }
    ExpiryRules expiry = get(Extras.EXPIRY);
    if (expiry != null) {
      expiry.setIn(options);
    }
  }

  private void share(Extras.Key<? extends NativeShare> key) {
    NativeShare share = get(key);
    if (share != null) {
      share.use(pointer -> setShare(key, pointer));
    }
  }

  private void setShare(Extras.Key<?> key, MemorySegment pointer) {
    if (key == Extras.RATE) {
      RocksDbC.rocksdb_options_set_ratelimiter(options, pointer);
    } else if (key == Extras.FILES) {
      RocksDbC.rocksdb_options_set_sst_file_manager(options, pointer);
    } else if (key == Extras.ROWS) {
      RocksDbC.rocksdb_options_set_row_cache(options, pointer);
    } else {
      RocksDbC.rocksdb_options_set_blob_cache(options, pointer);
    }
  }

  /** Returns the table folders; empty if tables are in the database folder. */
  public List<Path> paths() {
    List<Path> folders = new ArrayList<>();
    for (TablePath path : contents.paths) {
      folders.add(path.folder());
    }
    return folders;
  }

  /** Whether the database has a row cache. */
  public boolean cachesRows() {
    return get(Extras.ROWS) != null;
  }

  /** Starts to receive the info log of the database that is opened next with these options. */
  public void startLog(String database) {
    Optional<RawLog> sink = get(Extras.LOG);
    if (sink != null && sink.isEmpty()) {
      LogQueue.silence(options);
    } else if (sink != null) {
      log = LogQueue.setIn(options, sink.get(), database);
    }
  }

  /** Returns the queue of the info log; valid while this is open; null if absent. */
  public LogQueue log() {
    return log;
  }

  /** Returns the share of a memory budget; valid while this is open; null if absent. */
  public MemoryShare memory() {
    return memory;
  }

  /** Returns the keys of the database; valid while this is open; null if absent. */
  public NativeEncryption encryption() {
    return encryption;
  }

  /** Returns the statistics, which the caller then owns; null if absent. */
  public OpenStatistics takeStatistics() {
    OpenStatistics taken = statistics;
    statistics = null;
    return taken;
  }

  /** Returns the watch of a full disk, which the caller then owns; null if absent. */
  public RecoveryWatch takeRecovery() {
    RecoveryWatch taken = recovery;
    recovery = null;
    return taken;
  }

  /** Returns the free bytes with which writes are resumed after a full disk. */
  public long roomToResume() {
    return get(Extras.ROOM);
  }

  /** Returns the source of events for the listener; null if absent. */
  public EventSource events() {
    return events;
  }

  /** Sets the callbacks' owner. Returns the comparator, which the database shares, or null. */
  public NativeComparator serve(CallbackOwner database) {
    for (Callback callback : callbacks) {
      callback.serves(database);
    }
    return comparator;
  }

  /** Returns the name of the Java comparator; null if absent. */
  public String comparatorInJava() {
    return comparator == null ? null : comparator.name();
  }

  public boolean isOrderedInJava() {
    return comparator != null;
  }

  /** Disables automatic compactions for now; returns whether they were enabled. */
  public boolean holdCompactions() {
    boolean held = RocksDbC.rocksdb_options_get_disable_auto_compactions(options) == 0;
    RocksDbC.rocksdb_options_set_disable_auto_compactions(options, 1);
    return held;
  }

  /** Throws if the comparator failed while the database was being opened. */
  public void requireSound(String path) {
    if (comparator != null) {
      comparator.requireSound("database " + path);
    }
  }

  private void set(String text) {
    if (!text.isEmpty()) {
      set(text, MemorySegment.NULL, false);
    }
  }

  private void set(String text, MemorySegment cache, boolean noCache) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment settings = arena.allocate(Structs.SIZE_OF_SETTINGS, Long.BYTES);
      Memory.point(settings, Structs.SETTINGS_ENGINE, EngineTable.TABLE);
      Memory.point(settings, Structs.SETTINGS_OPTIONS, options);
      Memory.point(settings, Structs.SETTINGS_TEXT, Memory.string(text, arena));
      Memory.point(settings, Structs.SETTINGS_CACHE, cache);
      settings.set(ValueLayout.JAVA_LONG, Structs.SETTINGS_NO_CACHE, noCache ? 1 : 0);
      HotCalls.setOptions(settings.address());
      MemorySegment error = settings.asSlice(Structs.SETTINGS_ERROR, Long.BYTES);
      Status.check(error, "options " + text);
    }
  }

  public WriteRules rules() {
    return WriteRules.of(contents.settings, comparator, contents.extras);
  }

  /** Returns the settings of the family that is opened with these, which can be changed while it is open. */
  public LiveSettings live() {
    return new LiveSettings(contents.settings, contents.beside);
  }

  /** Returns the identity of the block cache; equal for families that share one. */
  public Object cacheIdentity() {
    Object cache = memory == null ? get(Extras.BLOCKS) : memory.budget();
    return cache == null ? ownCache : cache;
  }

  /** Returns the WAL folder of a database in {@code folder}. */
  public Path logFolder(Path folder) {
    return logFolder(folder, contents.settings.options());
  }

  public static Path logFolder(Path folder, Map<String, String> settings) {
    return named("wal_dir", folder, settings);
  }

  /** Returns the info log folder of a database in {@code folder}. */
  public Path messageFolder(Path folder) {
    return named("db_log_dir", folder, contents.settings.options());
  }

  private static Path named(String option, Path folder, Map<String, String> settings) {
    String named = OptionText.withoutBraces(settings.getOrDefault(option, "").strip());
    return named.isEmpty() ? folder : Path.of(named).toAbsolutePath();
  }

  public MemorySegment pointer() {
    return options;
  }

  @Override
  public void close() {
    HotCalls.destroyOptions(options.address());
    if (statistics != null) {
      statistics.close();
    }
    if (recovery != null) {
      recovery.close();
    }
    Shared.release(comparator, memory, log, encryption);
  }
}
