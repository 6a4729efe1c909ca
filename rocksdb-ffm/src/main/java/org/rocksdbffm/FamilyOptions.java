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
 * Options of a column family, with which it is created or its database is {@linkplain RocksDb#at opened}; those of the
 * database as a whole are {@link DatabaseOptions}. Immutable: each method returns options of its own. An option that is not
 * set has the engine's default.
 *
 * <p>There are typed methods for what people really set; {@link #option(String, Object)} sets any of the
 * engine's options by its own name. Values are checked when the options are used: an unknown name fails, with the nearest
 * one that there is.
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
   * The engine's defaults.
   *
   * @return options in which nothing is set
   */
  public static FamilyOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Options in the engine's own notation: {@code name=value;name={name=value;...};...}.
   *
   * @param text as in {@code write_buffer_size=8M;compression=kZSTD}
   * @return the options
   */
  public static FamilyOptions parse(String text) {
    return DEFAULTS.options(text);
  }

  /**
   * Sets an option by the engine's own name, such as {@code write_buffer_size}. An option of block based tables, such
   * as {@code block_based_table_factory.block_size}, becomes one of the {@link #table() table options}.
   *
   * @param name a name of the engine's options of a column family
   * @param value the value; its string form counts
   * @return the changed options
   */
  public FamilyOptions option(String name, Object value) {
    return with(requireNonNull(name, "name"), requireNonNull(value, "value").toString(), false);
  }

  /**
   * Sets an option that {@link #option} rejects because it is not supported, or not with that value; the engine gets it as
   * it is. For what is opened with it, this library's promises do not hold: the process may end, calls may never return, and
   * what was written may be lost or read wrongly. A value that would set another option is refused even so. There is nothing like it
   * for options that are changed while the database is open.
   *
   * @param name a name of the engine's options of a column family
   * @param value the value; its string form counts
   * @return the changed options
   */
  public FamilyOptions unchecked(String name, Object value) {
    return with(requireNonNull(name, "name"), requireNonNull(value, "value").toString(), true);
  }

  /** Sets an option by any of its names; one of block based tables becomes a table option. */
  FamilyOptions with(String name, String value, boolean unchecked) {
    OptionTable.requireNotOf(OptionTable.DATABASE, name);
    if (!TableRules.isOfBlocks(name, value)) {
      return new FamilyOptions(options.with(name, value, unchecked), table, extras.without(name), replaced);
    }
    TableOptions changed = table.with(TableRules.options(name, value), unchecked);
    return new FamilyOptions(options.without(name), changed, extras, replaced); // without a table of another kind
  }

  private FamilyOptions typed(String name, Object value) {
    OptionTable.check(OptionTable.FAMILY, name, value.toString());
    return option(name, value);
  }

  /**
   * Sets options in the engine's own notation on top of these.
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
   * The table options.
   *
   * @return how the files' tables are built and read
   */
  public TableOptions table() {
    return table;
  }

  /**
   * The options that were set by name or by a typed method, table options apart.
   *
   * @return the engine's names with the values
   */
  public Map<String, String> settings() {
    return Map.copyOf(options.values());
  }

  /**
   * Says that what is stored of an option is replaced on purpose. Without it a database is not opened where the engine
   * would lose rows, or merge values in two ways, because a column family was written with something else.
   *
   * @param option {@code merge_operator} or {@code compaction_style}; {@code compaction_filter} or
   *     {@code compaction_filter_factory}, to have the times of TtlDB as a part of values
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
   * Sets how the files' tables are built and read.
   *
   * @param table replaces all table options of these options
   * @return the changed options
   */
  public FamilyOptions table(TableOptions table) {
    return new FamilyOptions(options, requireNonNull(table, "table"), extras, replaced);
  }

  /**
   * How much a memtable takes before it is flushed.
   *
   * @param size more to write less often
   * @return the changed options
   */
  public FamilyOptions writeBufferSize(ByteSize size) {
    return typed("write_buffer_size", requireNonNull(size, "size").bytes());
  }

  /**
   * How many memtables there are before writes wait for a flush.
   *
   * @param count at least 2
   * @return the changed options
   */
  public FamilyOptions maxWriteBufferNumber(int count) {
    return typed("max_write_buffer_number", count);
  }

  /**
   * How large a file of the first level is.
   *
   * @param size the size
   * @return the changed options
   */
  public FamilyOptions targetFileSizeBase(ByteSize size) {
    return typed("target_file_size_base", requireNonNull(size, "size").bytes());
  }

  /**
   * How large the first level may be.
   *
   * @param size the size
   * @return the changed options
   */
  public FamilyOptions maxBytesForLevelBase(ByteSize size) {
    return typed("max_bytes_for_level_base", requireNonNull(size, "size").bytes());
  }

  /**
   * How many files of level 0 start a compaction.
   *
   * @param count at least 1
   * @return the changed options
   */
  public FamilyOptions level0FileNumCompactionTrigger(int count) {
    return typed("level0_file_num_compaction_trigger", count);
  }

  /**
   * Whether compactions run only when they are asked for.
   *
   * @param disable true to turn the automatic ones off
   * @return the changed options
   */
  public FamilyOptions disableAutoCompactions(boolean disable) {
    return typed("disable_auto_compactions", disable);
  }

  /**
   * Whether the last level has no filters, for reads that mostly find their keys.
   *
   * @param optimize true to save their memory
   * @return the changed options
   */
  public FamilyOptions optimizeFiltersForHits(boolean optimize) {
    return typed("optimize_filters_for_hits", optimize);
  }

  /**
   * Whether large values go to files of their own.
   *
   * @param enable true to separate them
   * @return the changed options
   */
  public FamilyOptions enableBlobFiles(boolean enable) {
    return typed("enable_blob_files", enable);
  }

  /**
   * From which size on a value goes to a blob file.
   *
   * @param size the size
   * @return the changed options
   */
  public FamilyOptions minBlobSize(ByteSize size) {
    return typed("min_blob_size", requireNonNull(size, "size").bytes());
  }

  /**
   * At which age files are compacted, so that what was deleted or overwritten goes for good. It deletes no rows that are
   * there, as {@link #expiry} does; except with {@link CompactionStyle#FIFO}, which deletes files of that age.
   *
   * @param age zero for never
   * @return the changed options
   */
  public FamilyOptions ttl(Duration age) {
    return typed("ttl", WholeSeconds.of("age", age));
  }

  /**
   * How old a file gets before it is compacted again.
   *
   * @param period zero for never
   * @return the changed options
   */
  public FamilyOptions periodicCompaction(Duration period) {
    return typed("periodic_compaction_seconds", WholeSeconds.of("period", period));
  }

  /**
   * How blocks are compressed.
   *
   * @param compression the method
   * @return the changed options
   */
  public FamilyOptions compression(Compression compression) {
    return typed("compression", requireNonNull(compression, "compression").id());
  }

  /**
   * How blocks of the last level are compressed.
   *
   * @param compression the method
   * @return the changed options
   */
  public FamilyOptions bottommostCompression(Compression compression) {
    return typed("bottommost_compression", requireNonNull(compression, "compression").id());
  }

  /**
   * Sets a cache for values in blob files, which have none otherwise. Each family has that of its own options.
   *
   * @param cache may be that of blocks too; the databases <em>share</em> it; closing it gives up its owner's share
   * @return the changed options
   */
  public FamilyOptions blobCache(BlockCache cache) {
    return with(extras.with(Extras.BLOBS, cache, requireNonNull(cache, "cache").nativeCache()));
  }

  /**
   * Sets the folders in which tables are: new ones in the first, and levels in the first that has room for them by its
   * target, and for all levels above. A compaction that is asked for writes to the last. Logs and all else stay in the
   * folder of the database, and tables too if that is among these. A family that has none has those of the default family.
   * With several folders, levels have the sizes of options such as {@code max_bytes_for_level_base}, and not
   * dynamic ones.
   *
   * <p>The database is opened with the same folders in the same order from then on, and more can be added behind them. Each
   * belongs to one database, which a file {@code OWNER} in it says; a file {@code PATHS} in that of the database has them
   * all, and {@link RocksDb#destroy} deletes what is there. The engine makes no checkpoint, backup or export of such a
   * database.
   *
   * @param paths from one to four, each in a folder of its own
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

  /**
   * How files are compacted.
   *
   * @param style the style
   * @return the changed options
   */
  public FamilyOptions compactionStyle(CompactionStyle style) {
    return typed("compaction_style", requireNonNull(style, "style").id());
  }

  /**
   * How merges are done.
   *
   * @param operator one of the engine's own operators
   * @return the changed options
   */
  public FamilyOptions mergeOperator(MergeOperator operator) {
    return typed("merge_operator", requireNonNull(operator, "operator").id());
  }

  /**
   * How keys are ordered. A database keeps the order that it was created with.
   *
   * @param order the order
   * @return the changed options
   */
  public FamilyOptions keyOrder(KeyOrder order) {
    return typed("comparator", requireNonNull(order, "order").id());
  }

  /**
   * Sets the part of a key that is its prefix, for prefix filters. Scans have all rows of their range in any case, and skip files
   * by these filters where the range lies within one prefix, as a {@link KeyRange#prefix} that is not shorter does.
   *
   * @param extractor the extractor
   * @return the changed options
   */
  public FamilyOptions prefixExtractor(PrefixExtractor extractor) {
    return typed("prefix_extractor", requireNonNull(extractor, "extractor").id());
  }

  /**
   * How merges are done, by code in Java.
   *
   * @param name what the database's files call it, and not the name of one of the engine's own; it is opened with the
   *     same one from now on
   * @param function merges values; the database <em>shares</em> it until it is closed
   * @return the changed options
   */
  public FamilyOptions mergeOperator(String name, MergeFunction function) {
    return inJava(Extras.MERGE_OPERATOR, Views.operatorName(name), Views.merging(function));
  }

  /**
   * How keys are ordered, by code in Java. A database keeps the order that it was created with; the name says
   * which that is.
   *
   * @param name what the database's files call it; not the name of one of the engine's own
   * @param comparator compares keys; the database <em>shares</em> it until it is closed
   * @return the changed options
   */
  public FamilyOptions keyOrder(String name, KeyComparator comparator) {
    KeyOrder.requireOther(name);
    return inJava(Extras.COMPARATOR, Views.name(name), Views.comparing(comparator));
  }

  /**
   * Has files compacted by sorted runs, {@link CompactionStyle#UNIVERSAL}.
   *
   * @param compaction how
   * @return the changed options
   */
  public FamilyOptions universal(UniversalCompaction compaction) {
    String parts = requireNonNull(compaction, "compaction").text();
    return compactionStyle(CompactionStyle.UNIVERSAL).option("compaction_options_universal", parts);
  }

  /**
   * Has the oldest files deleted with all their rows, {@link CompactionStyle#FIFO}. It is refused for a column family that
   * was written with another style, unless {@link #replaceStored} says so.
   *
   * @param compaction when
   * @return the changed options
   */
  public FamilyOptions fifo(FifoCompaction compaction) {
    String parts = requireNonNull(compaction, "compaction").text();
    return compactionStyle(CompactionStyle.FIFO).option("compaction_options_fifo", parts);
  }

  /**
   * Sets code in Java that decides what compactions keep. It takes the place of an {@link #expiry}.
   *
   * @param name what the database's files call it
   * @param factory makes a filter for each compaction; the database <em>shares</em> it until it is closed
   * @return the changed options
   */
  public FamilyOptions compactionFilter(String name, CompactionFilter.Factory factory) {
    return inJava(Extras.FILTERS, Views.name(name), Views.filters(factory));
  }

  /**
   * Has compactions delete rows by their age, in native code. It takes the place of a filter in Java. Nothing of it is in the
   * database's files but that there is one, so it is given at each opening.
   *
   * @param expiry says when rows expire
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

  /** The settings of a column family that have to fit what it was written with. */
  FamilySettings ofFamily(String name) {
    var merging = extras.get(Extras.MERGE_OPERATOR);
    return new FamilySettings(
        name, options.values(), merging == null ? null : merging.name(), extras.get(Extras.COMPARATOR) != null, replaced);
  }

  /** The engine's form of these options, which the caller closes, for a database with a share of a budget or null. */
  NativeOptions toNative(DatabaseKind kind, MemoryShare memory) {
    Extras none = Extras.NONE;
    return toNative(kind, NamedValues.NONE, memory == null ? none : none.with(Extras.MEMORY, memory, memory::share));
  }

  /** The engine's form of these options and of those of a database, which the caller closes. */
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
    return other instanceof FamilyOptions its && options.equals(its.options)
        && table.equals(its.table)
        && extras.equals(its.extras)
        && replaced.equals(its.replaced);
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
   * A folder for tables of a database, such as one on a faster or a larger disk.
   *
   * @param folder belongs to the database from then on, which deletes files there that it does not know; its parent
   *     exists
   * @param target about how much is there before the next folder of the list is used
   */
  public record StoragePath(Path folder, ByteSize target) {
    /** Refuses null, and a path of another file system than the default one. */
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
