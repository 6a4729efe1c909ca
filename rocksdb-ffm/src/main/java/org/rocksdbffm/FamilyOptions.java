/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.rocksdbffm.internal.callback.ExpiryRules;
import org.rocksdbffm.internal.folder.FamilySettings;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.folder.StoredDatabase;
import org.rocksdbffm.internal.options.DatabaseKind;
import org.rocksdbffm.internal.options.NamedValues;
import org.rocksdbffm.internal.options.OptionSettings;
import org.rocksdbffm.internal.options.TableRules;
import org.rocksdbffm.internal.options.WholeSeconds;
import org.rocksdbffm.internal.options.table.OptionTable;
import org.rocksdbffm.internal.options.table.OptionText;
import org.rocksdbffm.internal.settings.Extras;
import org.rocksdbffm.internal.settings.MemoryShare;
import org.rocksdbffm.internal.settings.NativeCache;
import org.rocksdbffm.internal.settings.NativeOptions;
import org.rocksdbffm.internal.settings.TablePath;

/**
 * Options of a column family, for creating it or {@linkplain RocksDb#at opening} its database; options of the database
 * as a whole are {@link DatabaseOptions}. Immutable: each method returns changed options. An option that is not set has
 * the engine's default.
 *
 * <p>There are typed methods for the most frequent options; {@link #option(String, Object)} sets any of the engine's
 * options by its name. Values are checked when the options are used; an unknown name is refused, with a suggestion.
 */
public final class FamilyOptions {
  private static final int MOST_PATHS = 4;
  private static final FamilyOptions DEFAULTS =
      new FamilyOptions(NamedValues.NONE, TableOptions.defaults(), Extras.NONE, Set.of());

  private final NamedValues options;
  private final TableOptions table;
  private final Extras extras;
  private final Set<String> replaced;

  private FamilyOptions(NamedValues options, TableOptions table, Extras extras, Set<String> replaced) {
    this.options = options;
    this.table = table;
    this.extras = extras;
    this.replaced = replaced;
  }

  /**
   * Returns the engine's defaults.
   *
   * @return options with nothing set
   */
  public static FamilyOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Parses options in the engine's notation: {@code name=value;name={name=value;...};...}.
   *
   * @param text as in {@code write_buffer_size=8M;compression=kZSTD}
   * @return the options
   */
  public static FamilyOptions parse(String text) {
    return DEFAULTS.options(text);
  }

  /**
   * Sets an option by the engine's name, such as {@code write_buffer_size}. An option of block-based tables, such as
   * {@code block_based_table_factory.block_size}, is added to the {@link #table() table options}.
   *
   * @param name the name of a column family option
   * @param value the value, whose string form is used
   * @return the changed options
   */
  public FamilyOptions option(String name, Object value) {
    return with(requireNonNull(name, "name"), requireNonNull(value, "value").toString(), false);
  }

  /**
   * Sets an option that {@link #option} rejects as not supported, or not with this value; the engine gets the value
   * unchanged. The promises of this library do not hold for a database that is opened with it: the process may crash,
   * calls may never return, and data may be lost or read incorrectly. A value that would set another option is refused
   * nevertheless. There is no equivalent for options that are changed while the database is open.
   *
   * @param name the name of a column family option
   * @param value the value, whose string form is used
   * @return the changed options
   */
  public FamilyOptions unchecked(String name, Object value) {
    return with(requireNonNull(name, "name"), requireNonNull(value, "value").toString(), true);
  }

  /** Sets an option by any of its names; options of block-based tables are added to the table options. */
  FamilyOptions with(String name, String value, boolean unchecked) {
    OptionTable.requireNotOf(OptionTable.DATABASE, name);
    if (!TableRules.isOfBlocks(name, value)) {
      return new FamilyOptions(options.with(name, value, unchecked), table, extras.without(name), replaced);
    }
    TableOptions changed = table.with(TableRules.options(name, value), unchecked);
    return new FamilyOptions(options.without(name), changed, extras, replaced); // replaces a table of another kind
  }

  private FamilyOptions typed(String name, Object value) {
    OptionTable.check(OptionTable.FAMILY, name, value.toString());
    return option(name, value);
  }

  /**
   * Parses options in the engine's notation, and adds them to these.
   *
   * @param text as for {@link #parse}
   * @return the changed options
   */
  public FamilyOptions options(String text) {
    FamilyOptions changed = this;
    for (var option : OptionText.parse(requireNonNull(text, "text")).entrySet()) {
      changed = changed.with(option.getKey(), option.getValue(), false);
    }
    return changed;
  }

  /**
   * Returns the table options.
   *
   * @return how table files are built and read
   */
  public TableOptions table() {
    return table;
  }

  /**
   * Returns the options that were set, by name or by a typed method, without table options.
   *
   * @return the values by the engine's names
   */
  public Map<String, String> settings() {
    return Map.copyOf(options.values());
  }

  /**
   * Allows replacing the stored value of an option. Otherwise a database is not opened if the engine would lose rows,
   * or merge values in two ways, because a column family was written with another value.
   *
   * @param option {@code merge_operator} or {@code compaction_style}; or {@code compaction_filter} or
   *     {@code compaction_filter_factory}, to keep the timestamps of TtlDB as a part of values
   * @return the changed options
   */
  public FamilyOptions replaceStored(String option) {
    if (!StoredDatabase.REPLACED.contains(requireNonNull(option, "option"))) {
      throw new IllegalArgumentException(
          "option: '" + option + "' is not compared with what is stored; these are: " + new TreeSet<>(StoredDatabase.REPLACED));
    }
    Set<String> also = new HashSet<>(replaced);
    also.add(option);
    return new FamilyOptions(options, table, extras, Set.copyOf(also));
  }

  /**
   * Sets how table files are built and read.
   *
   * @param table replaces all table options
   * @return the changed options
   */
  public FamilyOptions table(TableOptions table) {
    return new FamilyOptions(options, requireNonNull(table, "table"), extras, replaced);
  }

  /**
   * Sets the size of a memtable at which it is flushed.
   *
   * @param size larger for fewer flushes
   * @return the changed options
   */
  public FamilyOptions writeBufferSize(ByteSize size) {
    return typed("write_buffer_size", requireNonNull(size, "size").bytes());
  }

  /**
   * Sets the number of memtables at which writes wait for a flush.
   *
   * @param count at least 2
   * @return the changed options
   */
  public FamilyOptions maxWriteBufferNumber(int count) {
    return typed("max_write_buffer_number", count);
  }

  /**
   * Sets the size of table files on the first level.
   *
   * @param size the size
   * @return the changed options
   */
  public FamilyOptions targetFileSizeBase(ByteSize size) {
    return typed("target_file_size_base", requireNonNull(size, "size").bytes());
  }

  /**
   * Sets the maximum size of the first level.
   *
   * @param size the size
   * @return the changed options
   */
  public FamilyOptions maxBytesForLevelBase(ByteSize size) {
    return typed("max_bytes_for_level_base", requireNonNull(size, "size").bytes());
  }

  /**
   * Sets the number of files in level 0 that triggers a compaction.
   *
   * @param count at least 1
   * @return the changed options
   */
  public FamilyOptions level0FileNumCompactionTrigger(int count) {
    return typed("level0_file_num_compaction_trigger", count);
  }

  /**
   * Sets whether there are only manual compactions.
   *
   * @param disable true to disable automatic compactions
   * @return the changed options
   */
  public FamilyOptions disableAutoCompactions(boolean disable) {
    return typed("disable_auto_compactions", disable);
  }

  /**
   * Sets whether the last level has no filters, for reads that usually find their keys.
   *
   * @param optimize true to save the memory of these filters
   * @return the changed options
   */
  public FamilyOptions optimizeFiltersForHits(boolean optimize) {
    return typed("optimize_filters_for_hits", optimize);
  }

  /**
   * Sets whether large values are stored in separate blob files.
   *
   * @param enable true to store them separately
   * @return the changed options
   */
  public FamilyOptions enableBlobFiles(boolean enable) {
    return typed("enable_blob_files", enable);
  }

  /**
   * Sets the size from which a value is stored in a blob file.
   *
   * @param size the minimum size
   * @return the changed options
   */
  public FamilyOptions minBlobSize(ByteSize size) {
    return typed("min_blob_size", requireNonNull(size, "size").bytes());
  }

  /**
   * Sets the age at which files are compacted, so that deleted and overwritten rows are removed. This does not delete
   * live rows, unlike {@link #expiry}; except with {@link CompactionStyle#FIFO}, which deletes files of this age.
   *
   * @param age zero for never
   * @return the changed options
   */
  public FamilyOptions ttl(Duration age) {
    return typed("ttl", WholeSeconds.of("age", age));
  }

  /**
   * Sets the age at which a file is compacted again.
   *
   * @param period zero for never
   * @return the changed options
   */
  public FamilyOptions periodicCompaction(Duration period) {
    return typed("periodic_compaction_seconds", WholeSeconds.of("period", period));
  }

  /**
   * Sets the compression of blocks.
   *
   * @param compression the method
   * @return the changed options
   */
  public FamilyOptions compression(Compression compression) {
    return typed("compression", requireNonNull(compression, "compression").id());
  }

  /**
   * Sets the compression of blocks in the last level.
   *
   * @param compression the method
   * @return the changed options
   */
  public FamilyOptions bottommostCompression(Compression compression) {
    return typed("bottommost_compression", requireNonNull(compression, "compression").id());
  }

  /**
   * Sets a cache for values in blob files, which are not cached otherwise. Applies to this family only.
   *
   * @param cache may also be the block cache; the databases <em>share</em> it; closing it gives up its owner's share
   * @return the changed options
   */
  public FamilyOptions blobCache(BlockCache cache) {
    return with(extras.with(Extras.BLOBS, cache, requireNonNull(cache, "cache").nativeCache()));
  }

  /**
   * Sets the folders for tables: new tables go to the first, and a level to the first folder whose target has room for
   * it and for all levels above. Manual compactions write to the last folder. The WAL and all other files stay in the
   * database folder; tables are stored there only if it is one of these folders. A family without folders uses the
   * default family's. With several folders, level sizes follow options such as {@code max_bytes_for_level_base}, and
   * are not dynamic.
   *
   * <p>From then on, the database must be opened with the same folders in the same order; more can be appended. Each
   * folder belongs to one database, which is noted in its file {@code OWNER}; the file {@code PATHS} in the database
   * folder lists all of them, and {@link RocksDb#destroy} deletes their files. The engine makes no checkpoints, backups
   * or exports of such a database.
   *
   * @param paths from one to four, all in different folders
   * @return the changed options
   */
  public FamilyOptions paths(List<StoragePath> paths) {
    requireNonNull(paths, "paths").forEach(path -> requireNonNull(path, "paths: one is null"));
    List<StoragePath> copy = List.copyOf(paths);
    if (copy.isEmpty() || copy.size() > MOST_PATHS) {
      throw new IllegalArgumentException("paths: there are " + copy.size() + ", but the engine takes from 1 to " + MOST_PATHS);
    }
    Set<Path> folders = new HashSet<>();
    for (StoragePath path : copy) {
      if (!folders.add(path.folder().toAbsolutePath().normalize())) {
        throw new IllegalArgumentException("paths: " + path.folder() + " is named twice");
      }
    }
    return with(extras.with(Extras.PATHS, copy, () -> copy.stream().map(StoragePath::place).toList()));
  }

  /** Returns the table folders; empty for the database folder. */
  List<Path> tableFolders() {
    var places = extras.get(Extras.PATHS);
    return places == null ? List.of() : places.get().stream().map(TablePath::folder).toList();
  }

  /**
   * Sets how files are compacted.
   *
   * @param style the style
   * @return the changed options
   */
  public FamilyOptions compactionStyle(CompactionStyle style) {
    return typed("compaction_style", requireNonNull(style, "style").id());
  }

  /**
   * Sets a built-in merge operator.
   *
   * @param operator a built-in operator
   * @return the changed options
   */
  public FamilyOptions mergeOperator(MergeOperator operator) {
    return typed("merge_operator", requireNonNull(operator, "operator").id());
  }

  /**
   * Sets a built-in key order. A database keeps the order that it was created with.
   *
   * @param order the order
   * @return the changed options
   */
  public FamilyOptions keyOrder(KeyOrder order) {
    return typed("comparator", requireNonNull(order, "order").id());
  }

  /**
   * Sets the prefix extractor, for prefix filters. Scans return all rows of their range in any case, and skip files by
   * these filters if the range lies within one prefix, as with a {@link KeyRange#prefix} that is not shorter.
   *
   * @param extractor the extractor
   * @return the changed options
   */
  public FamilyOptions prefixExtractor(PrefixExtractor extractor) {
    return typed("prefix_extractor", requireNonNull(extractor, "extractor").id());
  }

  /**
   * Sets a merge operator that is a Java callback.
   *
   * @param name the name that the database's files record; must not be a built-in operator's, and must stay the same
   *     for later openings
   * @param function merges values; the database <em>shares</em> it until it is closed
   * @return the changed options
   */
  public FamilyOptions mergeOperator(String name, MergeFunction function) {
    return inJava(Extras.MERGE_OPERATOR, Views.operatorName(name), Views.merging(function));
  }

  /**
   * Sets a key order that is a Java callback. A database keeps the order that it was created with, which is identified
   * by the name.
   *
   * @param name the name that the database's files record; must not be a built-in order's
   * @param comparator compares keys; the database <em>shares</em> it until it is closed
   * @return the changed options
   */
  public FamilyOptions keyOrder(String name, KeyComparator comparator) {
    KeyOrder.requireOther(name);
    return inJava(Extras.COMPARATOR, Views.name(name), Views.comparing(comparator));
  }

  /**
   * Sets {@link CompactionStyle#UNIVERSAL}, which compacts files by sorted runs.
   *
   * @param compaction its options
   * @return the changed options
   */
  public FamilyOptions universal(UniversalCompaction compaction) {
    String parts = requireNonNull(compaction, "compaction").text();
    return compactionStyle(CompactionStyle.UNIVERSAL).option("compaction_options_universal", parts);
  }

  /**
   * Sets {@link CompactionStyle#FIFO}, which deletes the oldest files with all their rows. Refused for a column family
   * that was written with another style, unless {@link #replaceStored} allows it.
   *
   * @param compaction its options
   * @return the changed options
   */
  public FamilyOptions fifo(FifoCompaction compaction) {
    String parts = requireNonNull(compaction, "compaction").text();
    return compactionStyle(CompactionStyle.FIFO).option("compaction_options_fifo", parts);
  }

  /**
   * Sets a compaction filter that is a Java callback. Replaces an {@link #expiry}.
   *
   * @param name the name that the database's files record
   * @param factory creates the filter of each compaction; the database <em>shares</em> it until it is closed
   * @return the changed options
   */
  public FamilyOptions compactionFilter(String name, CompactionFilter.Factory factory) {
    return inJava(Extras.FILTERS, Views.name(name), Views.filters(factory));
  }

  /**
   * Makes compactions delete rows by age, in native code. Replaces a Java compaction filter. The database's files
   * record only that there is a filter, so set the expiry at each opening.
   *
   * @param expiry the rule by which rows expire
   * @return the changed options
   */
  public FamilyOptions expiry(Expiry expiry) {
    ExpiryRules rules = requireNonNull(expiry, "expiry").rules();
    return new FamilyOptions(
        options.without(Extras.EXPIRY.replaced()), table, extras.with(Extras.EXPIRY, rules, rules), replaced);
  }

  private FamilyOptions with(Extras changed) {
    return new FamilyOptions(options, table, changed, replaced);
  }

  private <T> FamilyOptions inJava(Extras.Key<Extras.Named<T>> key, String name, T code) {
    return new FamilyOptions(options.without(key.replaced()), table, extras.withCode(key, name, code), replaced);
  }

  /** Returns the settings that must match the files of the column family. */
  FamilySettings ofFamily(String name) {
    var merging = extras.get(Extras.MERGE_OPERATOR);
    return new FamilySettings(
        name, options.values(), merging == null ? null : merging.name(), extras.get(Extras.COMPARATOR) != null, replaced);
  }

  /**
   * Returns the engine's form of these options, which the caller closes; {@code memory}: the database's share of a
   * budget, or null.
   */
  NativeOptions toNative(DatabaseKind kind, MemoryShare memory) {
    Extras none = Extras.NONE;
    return toNative(kind, NamedValues.NONE, memory == null ? none : none.with(Extras.MEMORY, memory, memory::share));
  }

  /** Returns the engine's form of these options and of a database's options, which the caller closes. */
  NativeOptions toNative(DatabaseKind kind, DatabaseOptions database) {
    return toNative(kind, database.options, database.extras);
  }

  private NativeOptions toNative(DatabaseKind kind, NamedValues ofDatabase, Extras extrasOfDatabase) {
    OptionSettings settings = new OptionSettings(ofDatabase.and(options), table.namedValues());
    Extras all = extrasOfDatabase.and(extras);
    NativeCache cache = table.nativeCache();
    return NativeOptions.of(settings, kind, cache == null ? all : all.with(Extras.BLOCKS, cache, cache));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FamilyOptions that && options.equals(that.options)
        && table.equals(that.table)
        && extras.equals(that.extras)
        && replaced.equals(that.replaced);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * options.hashCode() + table.hashCode()) + extras.hashCode();
  }

  @Override
  public String toString() {
    return options.toString() + table + extras + (replaced.isEmpty() ? "" : "replaceStored=" + replaced + ";");
  }

  /**
   * A folder for tables, for example on a faster or larger disk.
   *
   * @param folder the folder; belongs to the database from then on, which deletes unknown files in it; its parent must
   *     exist
   * @param target the approximate size after which the next folder is used
   */
  public record StoragePath(Path folder, ByteSize target) {
    /** Refuses null, and paths that are not of the default file system. */
    public StoragePath {
      requireNonNull(target, "target");
      FolderPath.of(folder);
    }

    TablePath place() {
      FolderPath path = FolderPath.of(folder);
      return new TablePath(path.path(), path.bytes(), target.bytes());
    }
  }
}
