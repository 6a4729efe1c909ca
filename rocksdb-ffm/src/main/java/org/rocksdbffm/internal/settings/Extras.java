/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.rocksdbffm.internal.callback.ExpiryRules;
import org.rocksdbffm.internal.callback.RawComparator;
import org.rocksdbffm.internal.callback.RawEvent;
import org.rocksdbffm.internal.callback.RawFilter;
import org.rocksdbffm.internal.callback.RawLog;
import org.rocksdbffm.internal.callback.RawMerge;
import org.rocksdbffm.internal.options.CheckedSettings;

/**
 * The settings that have no text form in the engine: Java callbacks, caches, limits and more, each under its key.
 * Immutable.
 */
public final class Extras {
  public static final Extras NONE = new Extras(new TreeMap<>());

  public static final Key<Named<RawComparator>> COMPARATOR = Key.of(0, "comparator", "comparator");
  public static final Key<Named<RawMerge>> MERGE_OPERATOR = Key.of(1, "merge_operator", "merge_operator");
  public static final Key<Named<RawFilter.Factory>> FILTERS =
      Key.of(2, "compaction_filter_factory", "compaction_filter_factory");
  public static final Key<ExpiryRules> EXPIRY = Key.of(3, "expiry", "compaction_filter_factory");

  /** An engine stats level. */
  public static final Key<Integer> STATISTICS = Key.of(4, "statistics", null);

  /** For a database to be opened, the supplier creates a share; for an open one, it returns its share. */
  public static final Key<Supplier<MemoryShare>> MEMORY =
      new Key<>(5, "memoryBudget", null,
          Map.of("db_write_buffer_size", "0", "no_block_cache", "false", "cache_index_and_filter_blocks", "true"));

  public static final Key<NativeRateLimiter> RATE =
      new Key<>(6, "rateLimiter", null, Map.of("rate_limiter_bytes_per_sec", ""));
  public static final Key<NativeFileManager> FILES = Key.of(7, "sstFileManager", null);
  public static final Key<Consumer<RawEvent>> LISTENER = Key.of(8, "listener", null);

  /** Receives the info log; empty: the info log is discarded; not set: RocksDB writes it to files. */
  public static final Key<Optional<RawLog>> LOG =
      new Key<>(9, "infoLog", null,
          Map.of("db_log_dir", "", "max_log_file_size", "0", "log_file_time_to_roll", "0", "keep_log_file_num", "1000"));

  public static final Key<NativeCache> ROWS = Key.of(10, "rowCache", null);
  public static final Key<NativeCache> BLOBS = new Key<>(11, "blobCache", null, Map.of("blob_cache", ""));
  public static final Key<NativeCache> BLOCKS = Key.of(12, "blockCache", null);
  public static final Key<Supplier<List<TablePath>>> PATHS = Key.of(13, "paths", null);

  /** The keys, which a caller makes current before options are created. */
  public static final Key<Supplier<NativeEncryption>> ENCRYPTION =
      new Key<>(14, "encryption", null,
          Map.of(
              "allow_mmap_reads", "false",
              "allow_mmap_writes", "false",
              "use_direct_io_for_flush_and_compaction", "false"));

  /** The free bytes with which writes are resumed after a full disk. */
  public static final Key<Long> ROOM = Key.of(15, "resumeWithRoom", null);

  private final TreeMap<Key<?>, Extra> all;

  /**
   * The key of one setting.
   *
   * @param order its position among the keys
   * @param name the options method that sets it
   * @param replaced the RocksDB option that it replaces; null if absent
   * @param beside RocksDB options that have no effect next to it, each with the value that counts as unset
   */
  public record Key<T>(int order, String name, String replaced, Map<String, String> beside) implements Comparable<Key<?>> {
    static <T> Key<T> of(int order, String name, String replaced) {
      return new Key<>(order, name, replaced, Map.of());
    }

    @Override
    public int compareTo(Key<?> other) {
      return Integer.compare(order, other.order);
    }
  }

  /** A Java callback, and the name that the engine knows it by. */
  public record Named<T>(String name, T code) {
    @Override
    public String toString() {
      return name + " in Java";
    }
  }

  /** A setting as the user passed it and as the engine gets it; compared by the user's form. */
  private record Extra(Object given, Object value) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Extra that && given.equals(that.given);
    }

    @Override
    public int hashCode() {
      return given.hashCode();
    }
  }

  private Extras(TreeMap<Key<?>, Extra> all) {
    this.all = all;
  }

  /** Returns a copy with another setting, which replaces the one with the same key. */
  public <T> Extras with(Key<T> key, Object given, T value) {
    Extras changed = without(key.replaced);
    changed.all.put(key, new Extra(given, value));
    return changed;
  }

  public <T> Extras withCode(Key<Named<T>> key, String name, T code) {
    Named<T> named = new Named<>(name, code);
    return with(key, named, named);
  }

  /** Returns the union with settings that have no key in common with these. */
  public Extras and(Extras others) {
    Extras changed = new Extras(new TreeMap<>(all));
    changed.all.putAll(others.all);
    return changed;
  }

  /** Returns a copy without the setting that replaces this RocksDB option. */
  public Extras without(String option) {
    Extras changed = new Extras(new TreeMap<>(all));
    changed.all.keySet().removeIf(key -> key.replaced != null && key.replaced.equals(option));
    return changed;
  }

  /** Returns the setting with this key; null if it is not set. */
  @SuppressWarnings("unchecked") // with() stored it under this key
  public <T> T get(Key<T> key) {
    Extra extra = all.get(key);
    return extra == null ? null : (T) extra.value;
  }

  /** Refuses options that have no effect next to these settings, and caches that a memory budget would not count. */
  void requireAlone(CheckedSettings settings) {
    for (Key<?> key : all.keySet()) {
      key.beside.forEach((option, unset) -> {
        if (!settings.options().getOrDefault(option, settings.table().getOrDefault(option, unset)).equals(unset)) {
          throw new IllegalArgumentException(
              "option " + option + ": beside " + (key == BLOBS ? "FamilyOptions." : "DatabaseOptions.") + key.name
                  + " it has no effect; leave one out");
        }
      });
      if (all.containsKey(MEMORY) && (key == BLOCKS || key == BLOBS || key == ROWS)) {
        throw new IllegalArgumentException(
            key.name + ": beside DatabaseOptions.memoryBudget it would take memory that is not counted; leave one out");
      }
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Extras that && all.equals(that.all);
  }

  @Override
  public int hashCode() {
    return all.hashCode();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    all.forEach((key, extra) -> text.append(key.name).append('=').append(extra.given).append(';'));
    return text.toString();
  }
}
