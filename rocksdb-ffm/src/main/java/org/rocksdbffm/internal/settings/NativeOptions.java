/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.c.rocksdb_ffm_settings;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.callback.Callback;
import org.rocksdbffm.internal.callback.CallbackOwner;
import org.rocksdbffm.internal.callback.EventSource;
import org.rocksdbffm.internal.callback.JavaHooks;
import org.rocksdbffm.internal.callback.LogQueue;
import org.rocksdbffm.internal.callback.NativeFilterFactory;
import org.rocksdbffm.internal.callback.NativeMergeOperator;
import org.rocksdbffm.internal.callback.RawEvent;
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

/**
 * The engine's database and column family options while a database or a family is opened with them. The
 * engine copies what it needs; the owner closes them right afterwards. One thread.
 */
public final class NativeOptions implements AutoCloseable {
  /** In place of a level: the engine counts nothing. */
  public static final int NO_STATISTICS = -1;

  private final MemorySegment options;
  private final Contents contents;

  // The callbacks of the database that is opened with these; the engine owns all but the comparator.
  private final List<Callback> callbacks = new ArrayList<>();
  private NativeComparator comparator;

  private final Object ownCache = new Object(); // stands for the one that the engine makes along with options

  // Of which these have a share; null for none.
  private NativeWriteBuffers buffers;
  private LogQueue log;

  /**
   * All that a database or a family is opened with beside its settings.
   *
   * @param cache shared with whatever is opened; may be null for the engine's default
   * @param callbacks code in Java
   * @param statistics the engine's number of a level, or {@link #NO_STATISTICS}
   * @param limits that it has in common with other databases
   * @param listener is told of events; may be null
   * @param messages where the engine's messages go
   * @param caches that it may have in common with others, beside that of its blocks
   * @param paths where its tables are
   */
  public record Extras(
      NativeCache cache,
      JavaHooks callbacks,
      int statistics,
      SharedLimits limits,
      RawEvent.Listener listener,
      MessageTarget messages,
      SharedCaches caches,
      TablePaths paths) {
    /** Nothing. */
    public static final Extras NONE =
        new Extras(
            null,
            JavaHooks.NONE,
            NO_STATISTICS,
            SharedLimits.NONE,
            null,
            MessageTarget.FILE,
            SharedCaches.NONE,
            TablePaths.NONE);
  }

  private record Contents(CheckedSettings settings, OptionSettings.Beside beside, Extras extras) {}

  private NativeOptions(Contents contents) {
    NativeLibrary.load();
    this.contents = contents;
    options = RocksDbC.rocksdb_options_create();
    ExitHandler.install(options);
  }

  /** The engine's defaults with what is set, for a database of a kind. */
  public static NativeOptions of(OptionSettings settings, DatabaseKind kind, Extras extras) {
    JavaHooks callbacks = extras.callbacks;
    OptionSettings.Beside beside =
        new OptionSettings.Beside(extras.cache != null, callbacks.comparator() != null, callbacks.merging() != null, kind);
    CheckedSettings checked = settings.check(beside);
    extras.limits.requireAlone(checked);
    extras.messages.requireAlone(checked);
    extras.caches.requireFit(checked);
    NativeOptions options = new NativeOptions(new Contents(checked, beside, extras));
    try {
      options.apply(checked, extras.cache);
      options.set(callbacks);
      options.count(extras.statistics);
      options.limit(extras.limits);
      extras.caches.setIn(options.options);
      extras.paths.setIn(options.options);
      options.tell(extras.listener);
      return options;
    } catch (Throwable e) {
      options.close();
      throw e;
    }
  }

  public static NativeOptions defaults() {
    return new NativeOptions(
        new Contents(OptionSettings.NONE.check(OptionSettings.Beside.NOTHING), OptionSettings.Beside.NOTHING, Extras.NONE));
  }

  /** The engine's defaults for a database with tables in folders of their own, and logs in another; null for its own. */
  public static NativeOptions ofFiles(TablePaths paths, Path logs) {
    NativeOptions options = defaults();
    try {
      paths.setIn(options.options);
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
  private void apply(CheckedSettings settings, NativeCache cache) {
    String text = settings.optionsText();
    String tableText = settings.tableText();
    if (settings.namesTable()) {
      set(text);
      set(tableText);
    } else if (settings.isWithoutCache()) {
      set(text + tableText, MemorySegment.NULL, true);
    } else if (cache != null) {
      Call call = cache.enter();
      try {
        set(text + tableText, cache.pointer(), false);
      } finally {
        call.exit();
      }
    } else {
      set(text + tableText);
    }
  }

  private void set(JavaHooks code) {
    if (code.comparator() != null) {
      comparator = new NativeComparator(code.comparator().name(), code.comparator().code());
      callbacks.add(comparator);
      RocksDbC.rocksdb_options_set_comparator(options, comparator.pointer());
    }
    if (code.merging() != null) {
      callbacks.add(NativeMergeOperator.setIn(options, code.merging().name(), code.merging().code()));
    }
    if (code.filters() != null) {
      callbacks.add(NativeFilterFactory.setIn(options, code.filters().name(), code.filters().code()));
    }
    if (code.expiry() != null) {
      code.expiry().setIn(options);
    }
  }

  private void count(int statistics) {
    if (statistics != NO_STATISTICS) {
      RocksDbC.rocksdb_options_enable_statistics(options);
      RocksDbC.rocksdb_options_set_statistics_level(options, statistics);
    }
  }

  private void limit(SharedLimits limits) {
    limits.setIn(options);
    buffers = limits.buffers();
  }

  private void tell(RawEvent.Listener listener) {
    if (listener != null) {
      callbacks.add(EventSource.setIn(options, listener));
    }
  }

  /** The folders of tables; none for that of the database. */
  public List<Path> paths() {
    return contents.extras.paths.folders();
  }

  /** Whether a database with these caches rows. */
  public boolean cachesRows() {
    return contents.extras.caches.rows() != null;
  }

  /** Begins to take the messages of a database, which is opened with these next. */
  public void startLog(String database) {
    log = contents.extras.messages.setIn(options, database);
  }

  /** Where the messages of a database with these are on their way, while these are open; null for none. */
  public LogQueue log() {
    return log;
  }

  /** The memory of memtables that a database with these shares with others, while these are open; null for none. */
  public NativeWriteBuffers buffers() {
    return buffers;
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
    return WriteRules.of(contents.settings, comparator, contents.extras.callbacks);
  }

  /** The settings of a family that is opened with these, to be changed. */
  public LiveSettings live() {
    return new LiveSettings(contents.settings, contents.beside);
  }

  /** The block cache of families that are opened with these; equal for those that share one. */
  public Object cacheIdentity() {
    return contents.extras.cache == null ? ownCache : contents.extras.cache;
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
    if (comparator != null) {
      comparator.release();
    }
    if (buffers != null) {
      buffers.release();
    }
    if (log != null) {
      log.release();
    }
  }
}
