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
 * Options that say how a database's files are built and read: blocks, filters, the cache. Immutable: each method
 * returns options of its own. An option that is not set has the engine's default.
 */
public final class TableOptions {
  private static final TableOptions DEFAULTS = new TableOptions(NamedValues.NONE, null);

  private final NamedValues options;
  private final BlockCache cache; // null: the engine's default

  private TableOptions(NamedValues options, BlockCache cache) {
    this.options = options;
    this.cache = cache;
  }

  /**
   * The engine's defaults.
   *
   * @return options in which nothing is set
   */
  public static TableOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Sets an option by the engine's own name, such as {@code index_type}.
   *
   * @param name a name of the engine's block-based table options
   * @param value the value; its string form counts
   * @return the changed options
   */
  public TableOptions option(String name, Object value) {
    return new TableOptions(options.with(name, value, false), cache);
  }

  /**
   * Sets an option past the table of what this library promises to work with, as {@link FamilyOptions#unchecked} does.
   *
   * @param name a name of the engine's block-based table options
   * @param value the value; its string form counts
   * @return the changed options
   */
  public TableOptions unchecked(String name, Object value) {
    return new TableOptions(options.with(name, value, true), cache);
  }

  /** Sets an option by a typed method, whose argument is checked at once. */
  private TableOptions typed(String name, Object value) {
    OptionTable.check(OptionTable.TABLE, name, value.toString());
    return option(name, value);
  }

  /**
   * Sets options in the engine's own notation on top of these.
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
   * Sets the cache for blocks.
   *
   * @param cache <em>shared</em> with the databases that are opened with these options
   * @return the changed options
   */
  public TableOptions blockCache(BlockCache cache) {
    return new TableOptions(options, requireNonNull(cache, "cache"));
  }

  /**
   * Sets the filter that spares reads of keys that do not exist.
   *
   * @param filter its kind and size
   * @return the changed options
   */
  public TableOptions filter(TableFilter filter) {
    return typed("filter_policy", requireNonNull(filter, "filter").id());
  }

  /**
   * The options that were set by name or by a typed method, the cache apart.
   *
   * @return the engine's names with the values
   */
  public Map<String, String> settings() {
    return Map.copyOf(options.values());
  }

  /**
   * How large a block is before compression.
   *
   * @param size larger for scans, smaller for single keys
   * @return the changed options
   */
  public TableOptions blockSize(ByteSize size) {
    return typed("block_size", requireNonNull(size, "size").bytes());
  }

  /**
   * Whether indexes and filters live in the block cache, which bounds their memory.
   *
   * @param cache false to keep them outside
   * @return the changed options
   */
  public TableOptions cacheIndexAndFilterBlocks(boolean cache) {
    return option("cache_index_and_filter_blocks", cache);
  }

  /**
   * Whether indexes and filters of level 0 stay in the block cache.
   *
   * @param pin true to pin them
   * @return the changed options
   */
  public TableOptions pinL0FilterAndIndexBlocksInCache(boolean pin) {
    return option("pin_l0_filter_and_index_blocks_in_cache", pin);
  }

  /**
   * Whether filters know whole keys, and not prefixes alone.
   *
   * @param whole false where reads go by prefix only
   * @return the changed options
   */
  public TableOptions wholeKeyFiltering(boolean whole) {
    return option("whole_key_filtering", whole);
  }

  /**
   * Which version of the table format is written.
   *
   * @param version a version that the engine knows
   * @return the changed options
   */
  public TableOptions formatVersion(int version) {
    return typed("format_version", version);
  }

  /**
   * Whether filters are split into parts. Needs an index of two levels: without {@code index_type=kTwoLevelIndexSearch}
   * nothing is opened with these options.
   *
   * @param partition true to split them
   * @return the changed options
   */
  public TableOptions partitionFilters(boolean partition) {
    return option("partition_filters", partition);
  }

  /**
   * Whether there is no block cache at all.
   *
   * @param none true to read from files each time
   * @return the changed options
   */
  public TableOptions noBlockCache(boolean none) {
    return option("no_block_cache", none);
  }

  NamedValues namedValues() {
    return options;
  }

  /** May be null. */
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
