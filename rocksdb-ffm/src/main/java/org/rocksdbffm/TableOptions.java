/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.Objects;
import org.rocksdbffm.internal.options.NamedValues;
import org.rocksdbffm.internal.options.TableRules;
import org.rocksdbffm.internal.options.table.OptionTable;
import org.rocksdbffm.internal.options.table.OptionText;
import org.rocksdbffm.internal.settings.NativeCache;

/**
 * Options of table files: blocks, filters, the cache. Immutable: each method returns changed options. An option that is
 * not set has the engine's default.
 */
public final class TableOptions {
  private static final TableOptions DEFAULTS = new TableOptions(NamedValues.NONE, null);

  private final NamedValues options;
  private final BlockCache cache; // null for the engine's default

  private TableOptions(NamedValues options, BlockCache cache) {
    this.options = options;
    this.cache = cache;
  }

  /**
   * Returns the engine's defaults.
   *
   * @return options with nothing set
   */
  public static TableOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Sets an option by the engine's name, such as {@code index_type}.
   *
   * @param name the name of a block-based table option
   * @param value the value, whose string form is used
   * @return the changed options
   */
  public TableOptions option(String name, Object value) {
    return new TableOptions(options.with(name, value, false), cache);
  }

  /**
   * Sets an option without the checks of this library, as {@link FamilyOptions#unchecked} does.
   *
   * @param name the name of a block-based table option
   * @param value the value, whose string form is used
   * @return the changed options
   */
  public TableOptions unchecked(String name, Object value) {
    return new TableOptions(options.with(name, value, true), cache);
  }

  /** Sets an option by a typed method, which checks the value immediately. */
  private TableOptions typed(String name, Object value) {
    OptionTable.check(OptionTable.TABLE, name, value.toString());
    return option(name, value);
  }

  /**
   * Parses options in the engine's notation, and adds them to these.
   *
   * @param text as in {@code block_size=8192;format_version=6}
   * @return the changed options
   */
  public TableOptions options(String text) {
    return with(OptionText.parse(requireNonNull(text, "text")), false);
  }

  TableOptions with(Map<String, String> others, boolean unchecked) {
    NamedValues changed = options;
    for (var option : others.entrySet()) {
      changed = changed.with(option.getKey(), option.getValue(), unchecked);
    }
    return new TableOptions(changed, cache);
  }

  /**
   * Sets the block cache.
   *
   * @param cache <em>shared</em> with the databases that are opened with these options
   * @return the changed options
   */
  public TableOptions blockCache(BlockCache cache) {
    return new TableOptions(options, requireNonNull(cache, "cache"));
  }

  /**
   * Sets the filter that avoids reads for missing keys.
   *
   * @param filter the filter
   * @return the changed options
   */
  public TableOptions filter(TableFilter filter) {
    return typed("filter_policy", requireNonNull(filter, "filter").id());
  }

  /**
   * Returns the options that were set, by name or by a typed method, without the cache.
   *
   * @return the values by the engine's names
   */
  public Map<String, String> settings() {
    return Map.copyOf(options.values());
  }

  /**
   * Sets the size of blocks before compression.
   *
   * @param size larger for scans, smaller for single keys
   * @return the changed options
   */
  public TableOptions blockSize(ByteSize size) {
    return typed("block_size", requireNonNull(size, "size").bytes());
  }

  /**
   * Sets whether indexes and filters are in the block cache, which limits their memory.
   *
   * @param cache false to keep them outside of the cache
   * @return the changed options
   */
  public TableOptions cacheIndexAndFilterBlocks(boolean cache) {
    return option("cache_index_and_filter_blocks", cache);
  }

  /**
   * Sets whether indexes and filters of level 0 stay in the block cache.
   *
   * @param pin true to pin them
   * @return the changed options
   */
  public TableOptions pinL0FilterAndIndexBlocksInCache(boolean pin) {
    return option("pin_l0_filter_and_index_blocks_in_cache", pin);
  }

  /**
   * Sets whether filters contain whole keys, in addition to prefixes.
   *
   * @param whole false if all reads use prefixes
   * @return the changed options
   */
  public TableOptions wholeKeyFiltering(boolean whole) {
    return option("whole_key_filtering", whole);
  }

  /**
   * Sets the version of the table format.
   *
   * @param version a version that the engine supports
   * @return the changed options
   */
  public TableOptions formatVersion(int version) {
    return typed("format_version", version);
  }

  /**
   * Sets whether filters are partitioned. Needs {@code index_type=kTwoLevelIndexSearch}; without it, an opening with
   * these options fails.
   *
   * @param partition true to partition them
   * @return the changed options
   */
  public TableOptions partitionFilters(boolean partition) {
    return option("partition_filters", partition);
  }

  /**
   * Sets whether there is no block cache.
   *
   * @param none true to read blocks from files each time
   * @return the changed options
   */
  public TableOptions noBlockCache(boolean none) {
    return option("no_block_cache", none);
  }

  NamedValues namedValues() {
    return options;
  }

  /** Returns the block cache; may be null. */
  NativeCache nativeCache() {
    return cache == null ? null : cache.nativeCache();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TableOptions that && options.equals(that.options) && cache == that.cache;
  }

  @Override
  public int hashCode() {
    return Objects.hash(options, System.identityHashCode(cache));
  }

  @Override
  public String toString() {
    return options.values().isEmpty() ? "" : TableRules.FACTORY + "={" + options + "};";
  }
}
