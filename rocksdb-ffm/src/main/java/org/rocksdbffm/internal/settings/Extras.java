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
 * The things that options have beside those that the engine reads as text: code in Java, caches, limits and more, each
 * by its key. Immutable.
 */
public final class Extras {
  public static final Extras NONE = new Extras(new TreeMap<>());

  public static final Key<Named<RawComparator>> COMPARATOR = Key.of(0, "comparator", "comparator");
  public static final Key<Named<RawMerge>> MERGE_OPERATOR = Key.of(1, "merge_operator", "merge_operator");
  public static final Key<Named<RawFilter.Factory>> FILTERS =
      Key.of(2, "compaction_filter_factory", "compaction_filter_factory");
  public static final Key<ExpiryRules> EXPIRY = Key.of(3, "expiry", "compaction_filter_factory");

  /** The engine's number of a level. */
  public static final Key<Integer> STATISTICS = Key.of(4, "statistics", null);

  /** Makes a share of a database that is to be opened, or holds that of one that is open. */
  public static final Key<Supplier<MemoryShare>> MEMORY =
      new Key<>(5, "memoryBudget", null,
          Map.of("db_write_buffer_size", "0", "no_block_cache", "false", "cache_index_and_filter_blocks", "true"));

  public static final Key<NativeRateLimiter> RATE =
      new Key<>(6, "rateLimiter", null, Map.of("rate_limiter_bytes_per_sec", ""));
  public static final Key<NativeFileManager> FILES = Key.of(7, "sstFileManager", null);
  public static final Key<Consumer<RawEvent>> LISTENER = Key.of(8, "listener", null);

  /** Takes the engine's messages, which go nowhere if it is empty, and to files if it is not set. */
  public static final Key<Optional<RawLog>> LOG =
      new Key<>(9, "infoLog", null,
          Map.of("db_log_dir", "", "max_log_file_size", "0", "log_file_time_to_roll", "0", "keep_log_file_num", "1000"));

  public static final Key<NativeCache> ROWS = Key.of(10, "rowCache", null);
  public static final Key<NativeCache> BLOBS = new Key<>(11, "blobCache", null, Map.of("blob_cache", ""));
  public static final Key<NativeCache> BLOCKS = Key.of(12, "blockCache", null);
  public static final Key<Supplier<List<TablePath>>> PATHS = Key.of(13, "paths", null);

  private final TreeMap<Key<?>, Extra> all;

  /**
   * Says which thing it is.
   *
   * @param order its place among the others
   * @param name that of the method of options that sets it
   * @param replaced the engine's option in whose place it stands; null for none
   * @param beside the engine's options that have no effect beside it, with the values that are as good as none
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

  /** Code, with what the engine is to call it. */
  public record Named<T>(String name, T code) {
    @Override
    public String toString() {
      return name + " in Java";
    }
  }

  /** A thing in the user's form and in the engine's; equal where the user's are. */
  private record Extra(Object given, Object value) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Extra its && given.equals(its.given);
    }

    @Override
    public int hashCode() {
      return given.hashCode();
    }
  }

  private Extras(TreeMap<Key<?>, Extra> all) {
    this.all = all;
  }

  /** These with one more, which takes the place of that with its key. */
  public <T> Extras with(Key<T> key, Object given, T value) {
    Extras changed = without(key.replaced);
    changed.all.put(key, new Extra(given, value));
    return changed;
  }

  public <T> Extras withCode(Key<Named<T>> key, String name, T code) {
    Named<T> named = new Named<>(name, code);
    return with(key, named, named);
  }

  /** These with others, of which none has a key of these. */
  public Extras and(Extras others) {
    Extras changed = new Extras(new TreeMap<>(all));
    changed.all.putAll(others.all);
    return changed;
  }

  /** Without what stands in the place of the option. */
  public Extras without(String option) {
    Extras changed = new Extras(new TreeMap<>(all));
    changed.all.keySet().removeIf(key -> key.replaced != null && key.replaced.equals(option));
    return changed;
  }

  /** The thing with the key; null if there is none. */
  @SuppressWarnings("unchecked") // it was put there with this key
  public <T> T get(Key<T> key) {
    Extra extra = all.get(key);
    return extra == null ? null : (T) extra.value;
  }

  /** Refuses an option of which the engine takes no notice beside one of these, and memory that a budget does not count. */
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
    return other instanceof Extras its && all.equals(its.all);
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
