/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.c.rocksdb_ffm_settings;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.callback.Callback;
import org.rocksdbffm.internal.callback.CallbackOwner;
import org.rocksdbffm.internal.callback.EventSource;
import org.rocksdbffm.internal.callback.LogQueue;
import org.rocksdbffm.internal.callback.NativeFilterFactory;
import org.rocksdbffm.internal.callback.NativeMergeOperator;
import org.rocksdbffm.internal.exit.ExitHandler;
import org.rocksdbffm.internal.foreign.EngineTable;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.loader.NativeLibrary;
import org.rocksdbffm.internal.options.CheckedSettings;
import org.rocksdbffm.internal.options.DatabaseKind;
import org.rocksdbffm.internal.options.LiveSettings;
import org.rocksdbffm.internal.options.OptionSettings;
import org.rocksdbffm.internal.options.table.OptionText;
import org.rocksdbffm.internal.order.NativeComparator;
import org.rocksdbffm.internal.watch.OpenStatistics;

/**
 * The engine's database and column family options while a database or a family is opened with them. The
 * engine copies what it needs; the owner closes them right afterwards. One thread.
 */
public final class NativeOptions implements AutoCloseable {
  private final MemorySegment options;
  private final Contents contents;

  // The callbacks of the database that is opened with these; the engine owns all but the comparator.
  private final List<Callback> callbacks = new ArrayList<>();
  private NativeComparator comparator;

  private final Object ownCache = new Object(); // stands for the one that the engine makes along with options

  // Of which these have a share; null for none.
  private final MemoryShare memory;
  private LogQueue log;
  private OpenStatistics statistics;

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
    options = level == null ? RocksDbC.rocksdb_options_create() : statistics.inNewOptions();
    ExitHandler.install(options);
  }

  /** The engine's defaults with what is set, for a database of a kind. */
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

  /** The engine's defaults for a database with tables in folders of their own, and logs in another; null for its own. */
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

  /** RocksDB applies the options of a text in an order of its own, so a named table factory and its options need two texts. */
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
    set(Extras.COMPARATOR, its -> {
      comparator = new NativeComparator(its.name(), its.code());
      callbacks.add(comparator);
      RocksDbC.rocksdb_options_set_comparator(options, comparator.pointer());
    });
    set(Extras.MERGE_OPERATOR, its -> callbacks.add(NativeMergeOperator.setIn(options, its.name(), its.code())));
    set(Extras.FILTERS, its -> callbacks.add(NativeFilterFactory.setIn(options, its.name(), its.code())));
    set(Extras.EXPIRY, its -> its.setIn(options));
    share(Extras.RATE, RocksDbC::rocksdb_options_set_ratelimiter);
    share(Extras.FILES, RocksDbC::rocksdb_options_set_sst_file_manager);
    share(Extras.ROWS, RocksDbC::rocksdb_options_set_row_cache);
    share(Extras.BLOBS, RocksDbC::rocksdb_options_set_blob_cache);
    if (memory != null) {
      memory.setIn(options);
    }
    TablePath.set(contents.paths, options);
    set(Extras.LISTENER, its -> callbacks.add(EventSource.setIn(options, its)));
  }

  private <T> void set(Extras.Key<T> key, Consumer<T> setter) {
    if (get(key) != null) {
      setter.accept(get(key));
    }
  }

  private void share(Extras.Key<? extends NativeShare> key, BiConsumer<MemorySegment, MemorySegment> setter) {
    set(key, share -> share.use(pointer -> setter.accept(options, pointer)));
  }

  /** The folders of tables; none for that of the database. */
  public List<Path> paths() {
    return contents.paths.stream().map(TablePath::folder).toList();
  }

  /** Whether a database with these caches rows. */
  public boolean cachesRows() {
    return get(Extras.ROWS) != null;
  }

  /** Begins to take the messages of a database, which is opened with these next. */
  public void startLog(String database) {
    set(Extras.LOG, its -> {
      if (its.isEmpty()) {
        LogQueue.silence(options);
      } else {
        log = LogQueue.setIn(options, its.get(), database);
      }
    });
  }

  /** Where the messages of a database with these are on their way, while these are open; null for none. */
  public LogQueue log() {
    return log;
  }

  /** The share of a memory budget of a database with these, while these are open; null for none. */
  public MemoryShare memory() {
    return memory;
  }

  /** The statistics of a database with these, which the caller owns from now on; null for none. */
  public OpenStatistics takeStatistics() {
    OpenStatistics taken = statistics;
    statistics = null;
    return taken;
  }

  /** Tells the callbacks whom they serve; returns the comparator, of which the database keeps a share, or null. */
  public NativeComparator serve(CallbackOwner database) {
    for (Callback callback : callbacks) {
      callback.serves(database);
    }
    return comparator;
  }

  /** The name of the comparator in Java; null if there is none. */
  public String comparatorInJava() {
    return comparator == null ? null : comparator.name();
  }

  public boolean isOrderedInJava() {
    return comparator != null;
  }

  /** Has the engine not compact by itself at first; whether it was to. */
  public boolean holdCompactions() {
    boolean held = RocksDbC.rocksdb_options_get_disable_auto_compactions(options) == 0;
    RocksDbC.rocksdb_options_set_disable_auto_compactions(options, 1);
    return held;
  }

  /** Throws if the comparator did while the database was being opened. */
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
      MemorySegment settings = rocksdb_ffm_settings.allocate(arena);
      Memory.point(settings, rocksdb_ffm_settings.engine$offset(), EngineTable.TABLE);
      Memory.point(settings, rocksdb_ffm_settings.options$offset(), options);
      Memory.point(settings, rocksdb_ffm_settings.text$offset(), Memory.string(text, arena));
      Memory.point(settings, rocksdb_ffm_settings.cache$offset(), cache);
      rocksdb_ffm_settings.no_cache(settings, noCache ? 1 : 0);
      RocksDbC.rocksdb_ffm_set_options(settings);
      MemorySegment error = settings.asSlice(rocksdb_ffm_settings.error$offset(), Long.BYTES);
      Status.check(error, "options " + text);
    }
  }

  public WriteRules rules() {
    return WriteRules.of(contents.settings, comparator, contents.extras);
  }

  /** The settings of a family that is opened with these, to be changed. */
  public LiveSettings live() {
    return new LiveSettings(contents.settings, contents.beside);
  }

  /** The block cache of families that are opened with these; equal for those that share one. */
  public Object cacheIdentity() {
    Object cache = memory == null ? get(Extras.BLOCKS) : memory.budget();
    return cache == null ? ownCache : cache;
  }

  /** Where the logs are of a database that lives in a folder and is opened with these. */
  public Path logFolder(Path folder) {
    return logFolder(folder, contents.settings.options());
  }

  public static Path logFolder(Path folder, Map<String, String> settings) {
    return named("wal_dir", folder, settings);
  }

  /** The same for the files of its messages. */
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
    RocksDbC.rocksdb_options_destroy(options);
    if (statistics != null) {
      statistics.close();
    }
    if (comparator != null) {
      comparator.release();
    }
    if (memory != null) {
      memory.release();
    }
    if (log != null) {
      log.release();
    }
  }
}
