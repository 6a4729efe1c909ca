/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rocksdbffm.internal.options.MergeOperatorName;
import org.rocksdbffm.internal.options.table.ObjectType;

/**
 * A database as its folder has it: the newest MANIFEST and the newest OPTIONS file, read before the engine may write, and
 * held against what the database is to be opened with. The engine takes the options that it is given at their word: it
 * drops what it cannot recover with them, and deletes the logs and tables that it then does not know.
 */
public final class StoredDatabase {
  public static final String MERGE_OPERATOR = "merge_operator";

  /** In the place of the above among what is replaced: unless the log has merges, with another operator too. */
  public static final String UNUSED_MERGE_OPERATOR = "unused merge_operator";

  public static final String WAL_DIR = "wal_dir";
  public static final String COMPACTION_STYLE = "compaction_style";

  /** The options whose stored value is held against the one that is given. */
  public static final Set<String> HELD = Set.of(MERGE_OPERATOR, WAL_DIR, COMPACTION_STYLE);

  /** Asks for a condition that sound databases do not always fulfil; see {@link #requireLogs}. */
  private static final String STRICT = "org.rocksdbffm.strictManifest";

  private static final String COMPARATOR = "comparator";
  private static final String REVERSE_ORDER = "rocksdb.ReverseBytewiseComparator";
  private static final String FIFO = "kCompactionStyleFIFO";
  private static final String OPTIMIZED_MANIFEST = "optimize_manifest_for_recovery";
  private static final String REUSED_MANIFEST = "reuse_manifest_on_open";

  private static final String FILTER = "compaction_filter";
  private static final String FILTER_FACTORY = "compaction_filter_factory";

  /** The filters that a database with times in its values has. */
  private static final Set<String> OF_TTL = Set.of("TtlCompactionFilter", "TtlCompactionFilterFactory");

  private static final Set<String> WANTED =
      Set.of(MERGE_OPERATOR, WAL_DIR, COMPACTION_STYLE, OPTIMIZED_MANIFEST, REUSED_MANIFEST, FILTER, FILTER_FACTORY);

  private final Path folder;
  private final FolderFiles files;
  private final Map<String, String> settings;
  private final Path logs; // of the logs that the engine is to read; null if it cannot be told
  private final FolderFiles logFiles; // listed before the MANIFEST is read, which knows the table of a log that is gone
  private final Manifest manifest; // null: it cannot be read here
  private final OptionsFile options; // likewise, or there is none

  private StoredDatabase(Path folder, Map<String, String> settings) throws IOException {
    this.folder = folder;
    this.settings = settings;
    logs = walFolder(settings.get(WAL_DIR));
    files = FolderFiles.in(folder);
    logFiles = logs == null ? null : logs.equals(folder) ? files : FolderFiles.in(logs);
    options = readOptions();
    manifest = Manifest.read(folder, files);
  }

  /**
   * The database in a folder.
   *
   * @param settings with which it is to be opened as a whole, by the engine's names
   * @return null if there is none
   */
  public static StoredDatabase in(Path folder, Map<String, String> settings) throws Refused {
    try {
      return FolderFiles.file(folder, "CURRENT").exists() ? new StoredDatabase(folder, settings) : null;
    } catch (IOException e) {
      throw Refused.io(e);
    }
  }

  private OptionsFile readOptions() throws IOException {
    if (!files.hasOptions()) {
      return null;
    }
    try {
      return OptionsFile.read(folder.resolve(files.newestOptionsName()), WANTED::contains);
    } catch (NoSuchFileException | IllegalArgumentException e) {
      return null; // nothing is known, which is safe
    }
  }

  /** The column families, or null if that is not known. */
  public List<String> families() {
    if (manifest == null) {
      return null;
    }
    List<String> names = new ArrayList<>();
    manifest.families().values().forEach(family -> names.add(family.name));
    return names;
  }

  /** Whether the engine has to be told that logs are listed, as it dereferences nothing if it only reads them otherwise. */
  public boolean tracksLogs() {
    return manifest != null && manifest.tracksLogs();
  }

  /**
   * Refuses to open a database where the engine would not find rows that are there.
   *
   * @param replaced names of options whose stored value is replaced on purpose
   */
  public void requireWhole(Set<String> replaced) throws Refused {
    try {
      if (manifest != null && isNotWhole(replaced)) {
        // Another database object may have been at work in the folder: what is damaged is so at a second look, too.
        StoredDatabase again = new StoredDatabase(folder, settings);
        if (again.manifest != null) {
          again.requireWholeManifest(replaced);
        }
      }
    } catch (IOException e) {
      throw Refused.io(e);
    }
  }

  /**
   * Refuses to open a database whose folder of logs is there without them, as where its disk is not mounted. The engine keeps
   * the log that it has begun last, so that a database that was opened has one; a copy was not.
   *
   * @param replaced names of options whose stored value is replaced on purpose
   */
  public void requireAnyLog(Set<String> replaced) throws Refused {
    try {
      Path stored = walFolder(options == null ? null : options.database().get(WAL_DIR));
      if (replaced.contains(WAL_DIR) || logs == null || stored == null || !isSame(logs, stored) || isSame(logs, folder)) {
        return;
      }
      // Another process may have listed a new one and deleted the last meanwhile: there is one at a second look, then.
      if (logFiles.logs().count() == 0
          && FolderFiles.file(folder, "LOCK").exists()
          && FolderFiles.in(logs).logs().count() == 0) {
        throw Refused.argument(
            logs + " has no log at all, and the database had its logs there, with its newest rows",
            "mount the disk, or put the logs back; Options.replaceStored(\"wal_dir\") does without their rows");
      }
    } catch (IOException e) {
      throw Refused.io(e);
    }
  }

  private boolean isNotWhole(Set<String> replaced) throws IOException {
    try {
      requireWholeManifest(replaced);
      return false;
    } catch (Refused e) {
      return true;
    }
  }

  private void requireWholeManifest(Set<String> replaced) throws Refused, IOException {
    if (!replaced.contains(WAL_DIR)) {
      requireNoLogsElsewhere();
    }
    requireKnownFamilies();
    if (Boolean.getBoolean(STRICT) && manifest.unknownFile() != null && !manifest.hasDroppedAny() && !hasOddNumbers()) {
      requireLogs();
    }
  }

  private void requireNoLogsElsewhere() throws Refused, IOException {
    Path stored = walFolder(options == null ? null : options.database().get(WAL_DIR));
    if (logs == null || stored == null || isSame(logs, stored)) {
      return;
    }
    if (!isSame(stored, folder) && FolderFiles.file(stored, "CURRENT").exists()) {
      return; // the logs of another database: this one was copied, and older engines store where it was
    }
    if (!isSame(stored, folder) && LogFolder.isOfAnother(folder, stored)) {
      return; // those of the database that this one is a copy of
    }
    FolderFiles.Numbers its = FolderFiles.in(stored).logs();
    for (int i = 0; i < its.count(); i++) {
      String name = FolderFiles.logName(its.get(i));
      if (its.get(i) >= manifest.firstLog() && FolderFiles.file(stored, name).length() > 0) {
        throw Refused.argument(
            "the database's newest rows are in " + stored.resolve(name) + ", and its logs are looked for in " + logs,
            "set wal_dir to " + stored + "; or move the logs, with the file OWNER if there is one, if they are to be elsewhere from now on");
      }
    }
  }

  /** The folder of the logs; null if it cannot be told. */
  private Path walFolder(String option) {
    String name = option == null ? "" : option.strip();
    if (name.startsWith("{") && name.endsWith("}")) {
      name = name.substring(1, name.length() - 1);
    }
    try {
      return name.isEmpty() ? folder : Path.of(name).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      return null;
    }
  }

  private static boolean isSame(Path a, Path b) throws IOException {
    return a.equals(b) || Files.exists(a) && Files.exists(b) && Files.isSameFile(a, b);
  }

  /** An OPTIONS file that is younger than the MANIFEST's beginning has families that the MANIFEST must know. */
  private void requireKnownFamilies() throws Refused, IOException {
    if (options == null || files.newestOptions() < manifest.number()) {
      return;
    }
    List<String> known = families();
    for (String family : options.families().keySet()) {
      if (!known.contains(family) && !manifest.hasDropped(family) && manifest.isNewest()) {
        throw Refused.damage(
            "the file " + manifest.name() + " is cut off: the column family '" + family + "' is in "
                + files.newestOptionsName() + " and not in it",
            "put the whole file back; or move that OPTIONS file away, to do without the family");
      }
    }
  }

  /** Options by which the numbers of logs in a MANIFEST are not what they are otherwise. */
  private boolean hasOddNumbers() {
    return options != null
        && ("true".equals(options.database().get(OPTIMIZED_MANIFEST))
            || "true".equals(options.database().get(REUSED_MANIFEST)));
  }

  /**
   * There is a table that the MANIFEST does not know. It is none that was just being made when the process ended if the
   * log is gone too, which is kept until the MANIFEST knows the table. But the engine lets a log go without a word in the
   * MANIFEST where no family has rows in it any more, so a whole database can look like that, and this is only asked for
   * by a system property.
   */
  private void requireLogs() throws Refused, IOException {
    if (logs != null && manifest.lacksLog(logFiles.logs()) && manifest.isNewest()) {
      throw Refused.damage(
          "the file " + manifest.name() + " is cut off: " + manifest.unknownFile()
              + " is not in it, and the log with the same rows is gone",
          "put the whole file back; or move the files of tables and blobs away that it does not know, to do without "
              + "their rows");
    }
  }

  /**
   * Refuses to open a column family with what would lose rows, or merge values in two ways.
   *
   * @param mayTake whether what is not set may be set to what is stored
   * @return the options to be set to what is stored
   */
  public Map<String, String> settle(FamilySettings given, boolean mayTake) throws Refused {
    Map.Entry<Integer, Manifest.Family> family = family(given.name());
    if (manifest != null && family == null) {
      return Map.of(); // it is to be created
    }
    Map<String, String> taken = new LinkedHashMap<>();
    Map<String, String> stored = options == null ? null : options.families().get(given.name());
    if (stored != null && mayTake) {
      requireNoTtl(given.name(), stored);
    }
    if (stored != null && stored.containsKey(MERGE_OPERATOR)) {
      settleMerging(given, stored.get(MERGE_OPERATOR), family, mayTake, taken);
    } else if (given.mergeOperator() == null) {
      requireNoMerges(given, family, "it is not known with which merge operator it was written");
    }
    if (stored != null) {
      requireNoFifo(given, stored.get(COMPACTION_STYLE));
    }
    boolean isReverse = family != null && REVERSE_ORDER.equals(family.getValue().comparator);
    if (mayTake && isReverse && !given.isOrderedInJava() && !given.settings().containsKey(COMPARATOR)) {
      taken.put(COMPARATOR, REVERSE_ORDER);
    }
    return taken;
  }

  /** A program that sets its options itself may open it as it was written; here there is no way to. */
  private static void requireNoTtl(String family, Map<String, String> stored) throws Refused {
    for (String option : List.of(FILTER, FILTER_FACTORY)) {
      if (OF_TTL.contains(ObjectType.idOf(stored.getOrDefault(option, "")))) {
        throw Refused.argument(
            "the column family '" + family + "' was written by a database with a time to live (TtlDB), which adds four bytes "
                + "to each value, and would be read with them",
            "open it with org.rocksdb.TtlDB, and copy its rows; here, an Expiry drops rows by a time that values have");
      }
    }
  }

  /** Null if there is none, or if that is not known. */
  private Map.Entry<Integer, Manifest.Family> family(String name) {
    if (manifest != null) {
      for (var family : manifest.families().entrySet()) {
        if (family.getValue().name.equals(name)) {
          return family;
        }
      }
    }
    return null;
  }

  private void settleMerging(
      FamilySettings given,
      String storedText,
      Map.Entry<Integer, Manifest.Family> family,
      boolean mayTake,
      Map<String, String> taken) throws Refused {
    MergeOperatorName stored = MergeOperatorName.stored(storedText);
    MergeOperatorName set = given.mergeOperator();
    if (stored == null || set != null && set.isLike(stored)) {
      return;
    }
    String written = "the column family '" + given.name() + "' was written with the merge operator " + stored;
    if (given.replaces(MERGE_OPERATOR) || given.replaces(UNUSED_MERGE_OPERATOR)) {
      if (set == null || given.replaces(UNUSED_MERGE_OPERATOR)) {
        requireNoMerges(given, family, written);
      }
    } else if (set != null) {
      throw Refused.argument(
          written + ", and is opened with " + set + ", which would merge values in two ways",
          "open it with the one that it was written with; Options.replaceStored(\"merge_operator\") replaces it");
    } else if (mayTake && stored.isMadeByTheEngine() && !given.settings().containsKey(MERGE_OPERATOR)) {
      taken.put(MERGE_OPERATOR, storedText);
    } else {
      throw Refused.argument(
          written + ", and is opened without one: what is merged in the log would be lost, with all that was written "
              + "after it",
          "set Options.mergeOperator; Options.replaceStored(\"merge_operator\") does without one, if the log has no merges");
    }
  }

  private void requireNoMerges(FamilySettings given, Map.Entry<Integer, Manifest.Family> family, String why)
      throws Refused {
    if (family == null) {
      return;
    }
    String found;
    try {
      found = logs == null ? null : LogMerges.find(logs, FolderFiles.in(logs).logs(), family);
    } catch (IOException e) {
      throw Refused.io(e);
    }
    if (found != null) {
      throw Refused.argument(
          "the column family '" + given.name() + "' is opened "
              + (given.mergeOperator() == null ? "without a" : "with another") + " merge operator, and " + found + "; " + why,
          "set Options.mergeOperator, or all that is in the log behind the first merge would be lost");
    }
  }

  private static void requireNoFifo(FamilySettings given, String storedStyle) throws Refused {
    if (storedStyle != null
        && !storedStyle.equals(FIFO)
        && FIFO.equals(given.settings().get(COMPACTION_STYLE))
        && !given.replaces(COMPACTION_STYLE)) {
      throw Refused.argument(
          "the column family '" + given.name() + "' was written with compaction_style=" + storedStyle
              + ", and is opened with " + FIFO + ", which deletes the oldest rows when there are many",
          "Options.replaceStored(\"compaction_style\") says that they may go");
    }
  }

  /**
   * The same for a program that sets its options itself: nothing is taken from what is stored.
   *
   * @return why it is not to be opened like this, in the engine's notation; null if it may be
   */
  public static String refusal(Path folder, Map<String, String> settings, List<FamilySettings> families) {
    try {
      StoredDatabase stored = in(folder, settings);
      if (stored == null) {
        return null;
      }
      stored.requireWhole(Set.of());
      for (FamilySettings family : families) {
        stored.settle(family, false);
      }
      return null;
    } catch (Refused e) {
      return e.getMessage();
    }
  }
}
