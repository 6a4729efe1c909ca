/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.c.rocksdb_ffm_settings;
import org.rocksdbffm.internal.exit.ExitHandler;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * The engine's database and column family options while a database or a family is opened with them. The
 * engine copies what it needs; the owner closes them right afterwards. One thread.
 */
public final class NativeOptions implements AutoCloseable {
  private final MemorySegment options;
  private final Contents contents;

  // What serves the database that is opened with these; the engine owns all but the comparator.
  private final List<Callback> callbacks = new ArrayList<>();
  private NativeComparator comparator;

  private record Contents(
      Map<String, String> settings, Map<String, String> tableSettings, NativeCache cache, Callbacks callbacks) {}

  private NativeOptions(Contents contents) {
    NativeLibrary.load();
    this.contents = contents;
    options = RocksDbC.rocksdb_options_create();
    ExitHandler.install(options);
  }

  /**
   * The engine's defaults with what is set.
   *
   * @param cache shared with whatever is opened; may be null for the engine's default
   */
  public static NativeOptions of(
      Map<String, String> settings, Map<String, String> tableSettings, NativeCache cache, Callbacks callbacks) {
    OptionNames.checkObjects(settings, tableSettings);
    TableFit.check(settings, tableSettings, cache != null);
    if (callbacks.comparator() != null) {
      OptionNames.checkOrderChecks(settings);
    }
    NativeOptions options = new NativeOptions(new Contents(settings, tableSettings, cache, callbacks));
    try {
      options.apply(settings, tableSettings, cache);
      options.set(callbacks);
      return options;
    } catch (Throwable e) {
      options.close();
      throw e;
    }
  }

  public static NativeOptions defaults() {
    return new NativeOptions(new Contents(Map.of(), Map.of(), null, Callbacks.NONE));
  }

  /** The engine goes through a text in an order of its own: so a table that it is to make is not in one with options of it. */
  private void apply(Map<String, String> settings, Map<String, String> tableSettings, NativeCache cache) {
    String text = OptionText.format(settings);
    String tableText = tableSettings.isEmpty() ? "" : TableFit.FACTORY + "={" + OptionText.format(tableSettings) + "};";
    try {
      if (TableFit.isNamed(settings)) {
        set(text);
        set(tableText);
      } else if (TableFit.isWithoutCache(tableSettings)) {
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
    } catch (RocksDbException e) {
      String advice = OptionNames.advice(settings.keySet(), tableSettings.keySet());
      if (advice.isEmpty()) {
        throw e;
      }
      IllegalArgumentException unknown = new IllegalArgumentException(advice);
      unknown.initCause(e);
      throw unknown;
    }
  }

  private void set(Callbacks code) {
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
  }

  /** Tells the callbacks whom they serve; returns the comparator, of which the database keeps a share, or null. */
  NativeComparator serve(Database database) {
    for (Callback callback : callbacks) {
      callback.serves(database);
    }
    return comparator;
  }

  boolean isOrderedInJava() {
    return comparator != null;
  }

  /** Has the engine not compact by itself at first; whether it was to. */
  boolean holdCompactions() {
    boolean held = RocksDbC.rocksdb_options_get_disable_auto_compactions(options) == 0;
    RocksDbC.rocksdb_options_set_disable_auto_compactions(options, 1);
    return held;
  }

  /** Throws if the comparator did while the database was being opened. */
  void requireSound(String path) {
    if (comparator != null) {
      comparator.requireSound("database " + path);
    }
  }

  /** Whether the engine takes a text. */
  static boolean accepts(String text) {
    try (NativeOptions options = defaults()) {
      options.set(text);
      return true;
    } catch (RocksDbException e) {
      return false;
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
      Memory.point(settings, rocksdb_ffm_settings.engine$offset(), Engine.TABLE);
      Memory.point(settings, rocksdb_ffm_settings.options$offset(), options);
      Memory.point(settings, rocksdb_ffm_settings.text$offset(), Memory.string(text, arena));
      Memory.point(settings, rocksdb_ffm_settings.cache$offset(), cache);
      rocksdb_ffm_settings.no_cache(settings, noCache ? 1 : 0);
      RocksDbC.rocksdb_ffm_set_options(settings);
      MemorySegment error = settings.asSlice(rocksdb_ffm_settings.error$offset(), Long.BYTES);
      Status.check(error, "options " + text);
    }
  }

  WriteRules rules() {
    return WriteRules.of(contents.settings, comparator, contents.callbacks.merging() != null);
  }

  /** Whether the other options are made of the same. */
  boolean isLike(NativeOptions other) {
    return contents.equals(other.contents);
  }

  MemorySegment pointer() {
    return options;
  }

  @Override
  public void close() {
    RocksDbC.rocksdb_options_destroy(options);
    if (comparator != null) {
      comparator.release();
    }
  }
}
