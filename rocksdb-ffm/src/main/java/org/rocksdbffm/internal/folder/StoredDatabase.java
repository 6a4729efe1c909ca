/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.rocksdbffm.internal.options.DatabaseKind;
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

  /** Has the engine recover transactions that were prepared. */
  public static final String TWO_PHASES = "allow_2pc";

  private static final String COMPARATOR = "comparator";
  private static final String REVERSE_ORDER = "rocksdb.ReverseBytewiseComparator";
  private static final String FIFO = "kCompactionStyleFIFO";
  private static final String TRACKED_LOGS = "track_and_verify_wals_in_manifest";
  private static final String TRUE = "true";

  private static final String FILTER = "compaction_filter";
  private static final String FILTER_FACTORY = "compaction_filter_factory";

  /** The options of a family whose stored value may be replaced on purpose. */
  public static final Set<String> REPLACED = Set.of(MERGE_OPERATOR, COMPACTION_STYLE, FILTER, FILTER_FACTORY);

  /** The filters that a database with times in its values has. */
  private static final Set<String> OF_TTL = Set.of("TtlCompactionFilter", "TtlCompactionFilterFactory");

  private static final Set<String> WANTED =
      Set.of(MERGE_OPERATOR, WAL_DIR, COMPACTION_STYLE, TWO_PHASES, FILTER, FILTER_FACTORY);

  private final Path folder;
  private final FolderFiles files;
  private final Path logs; // of the logs that the engine is to read; null if it cannot be told
  private final Manifest manifest; // null: it cannot be read here
  private final OptionsFile options; // likewise, or there is none
  private LogContents contents; // null: the logs were not read yet

  private StoredDatabase(Path folder, Map<String, String> settings) throws IOException {
    this.folder = folder;
    logs = walFolder(settings.get(WAL_DIR));
    files = FolderFiles.in(folder);
    options = OptionsFile.readable(folder, files, WANTED);
    manifest = Manifest.read(folder);
  }

  /**
   * The database in a folder.
   *
   * @param settings with which it is to be opened as a whole, by the engine's names
   * @return null if there is none
   */
  public static StoredDatabase in(Path folder, Map<String, String> settings) throws IOException {
    return isIn(folder) ? new StoredDatabase(folder, settings) : null;
  }

  /** Whether there is a database in a folder. */
  public static boolean isIn(Path folder) {
    return FolderFiles.file(folder, FolderFiles.CURRENT).exists();
  }

  /** Whether a database was opened for writing in its folder, where a checkpoint and a restored backup were not. */
  static boolean hasBeenWritten(Path folder) {
    return FolderFiles.file(folder, "LOCK").exists();
  }

  /** A file of a database in a folder that has lost its CURRENT file; null if there is none, or it cannot be told. */
  public static String leftOver(Path folder) {
    String[] names = isIn(folder) ? null : folder.toFile().list();
    return names == null
        ? null
        : Stream.of(names).filter(name -> name.matches("\\d+\\.(log|sst|blob)")).findFirst().orElse(null);
  }

  /** The column families, or null if that is not known. */
  public List<String> families() {
    return manifest == null ? null : manifest.families.values().stream().map(family -> family.name).toList();
  }

  /** The stored value of an option of the database as a whole; null if it is not known. */
  private String stored(String option) {
    return options == null ? null : options.database().get(option);
  }

  /**
   * Refuses to open a database where the engine would not find rows that are there.
   *
   * @param kind as which it is to be opened
   * @param replaced names of options whose stored value is replaced on purpose
   * @return the options of the database as a whole that are to be set
   */
  public Map<String, String> requireWhole(DatabaseKind kind, Set<String> replaced) throws IOException {
    Path stored = walFolder(stored(WAL_DIR));
    if (!replaced.contains(WAL_DIR) && logs != null && stored != null) {
      if (FolderPath.isSame(logs, stored)) {
        requireAnyLog();
      } else if (manifest != null) {
        requireNoLogsElsewhere(stored);
      }
    }
    if (manifest != null) {
      requireKnownFamilies();
    }
    return recovery(kind);
  }

  /** The options by which the engine's recovery finds all that the log holds, which it does not by itself. */
  private Map<String, String> recovery(DatabaseKind kind) throws IOException {
    Map<String, String> taken = new HashMap<>();
    if (kind == DatabaseKind.FOR_READING && manifest != null && manifest.tracksLogs()) {
      taken.put(TRACKED_LOGS, TRUE); // or it notes that none is tracked any more, for which it has nothing here
    }
    if (kind != DatabaseKind.LOCKING && mayHavePrepared()) {
      if (!kind.isForReading()) {
        requireNonePrepared();
      }
      if (kind.isForReading() || logContents().hasPrepared()) {
        taken.put(TWO_PHASES, TRUE);
      }
    }
    return taken;
  }

  private boolean mayHavePrepared() {
    return options == null || TRUE.equals(stored(TWO_PHASES));
  }

  /**
   * Refuses to open a database with transactions that are prepared by what has no place for them. The engine refuses those that
   * it finds. But unless it expects some, it does not read the logs before the first with unflushed rows, so that it finds
   * neither those nor the rows of one that was committed later; and if it expects some, it forgets those that have not ended.
   */
  private void requireNonePrepared() throws IOException {
    LogContents contents = logContents();
    String found = contents.prepared().isEmpty() ? null : "the log has transactions that are prepared: " + contents.prepared();
    if (contents.unreadable() != null
        && (contents.hasPrepared() || manifest != null && contents.firstUnreadable() < manifest.firstLog())) {
      found = "the log " + contents.unreadable() + ", so that nobody knows whether it has transactions that are prepared";
    }
    if (found != null) {
      throw Refused.argument(
          found,
          "open it by TransactionDb.open, end those that TransactionDb.prepared has, and flush it; or open it by "
              + "openReadOnly, to do without their rows");
    }
  }

  private LogContents logContents() throws IOException {
    if (contents == null) {
      NavigableSet<Long> numbers = logs == null ? new TreeSet<>() : FolderFiles.in(logs).logs;
      contents = LogContents.read(logs, numbers, firstLog(), (log, sequence, families) -> {});
    }
    return contents;
  }

  /** The number of the first log that has something which no table has. */
  private long firstLog() {
    return manifest == null ? 0 : mayHavePrepared() ? manifest.minLog() : manifest.firstLog();
  }

  /**
   * Refuses to open a database whose folder of logs is there without them, as where its disk is not mounted. The engine keeps
   * the log that it has begun last, so that a database that was opened has one; a copy was not.
   */
  private void requireAnyLog() throws IOException {
    if (!FolderPath.isSame(logs, folder) && hasBeenWritten(folder) && hasNoLog() && hasNoLog()) {
      throw Refused.argument(
          logs + " has no log at all, and the database had its logs there, with its newest rows",
          "mount the disk, or put the logs back; DatabaseOptions.replaceWalDir() does without their rows");
    }
  }

  /** Another process may have made a new one and deleted the last in between: there is one at a second look, then. */
  private boolean hasNoLog() throws IOException {
    return FolderFiles.in(logs).logs.isEmpty();
  }

  private void requireNoLogsElsewhere(Path stored) throws IOException {
    boolean isElsewhere = !FolderPath.isSame(stored, folder);
    Path owner = isElsewhere ? OwnerFile.read(stored) : null;
    boolean isOfAnother = owner != null && !FolderPath.isSame(owner, folder);
    if (isElsewhere && (isIn(stored) || isOfAnother && !hasBeenWritten(folder))) {
      return; // the logs of the database that this one is a copy of; older engines store where a database was
    }
    Path log = FolderFiles.logWithRows(stored, firstLog());
    if (log != null && isOfAnother) {
      throw Refused.argument(
          "the database was written with its log in " + stored + ", which is the log of the database in " + owner
              + ", and its newest rows may be in " + log,
          "if this is a copy, DatabaseOptions.replaceWalDir() opens it without them; if the database was moved here, write the line "
              + OwnerFile.line(stored, folder) + " into the file " + OwnerFile.in(stored) + ", and set wal_dir to " + stored);
    }
    if (log != null) {
      throw Refused.argument(
          "the database's newest rows are in " + log + ", and it is opened with its logs in " + logs,
          "set wal_dir to " + stored + "; or move the logs, with the file OWNER if there is one, if they are to be elsewhere from now on");
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

  /** An OPTIONS file that is younger than the MANIFEST's beginning has families that the MANIFEST must know. */
  private void requireKnownFamilies() throws IOException {
    if (options == null || files.newestOptions() < manifest.number()) {
      return;
    }
    List<String> known = families();
    for (String family : options.families().keySet()) {
      if (!known.contains(family) && !manifest.hasDropped(family) && manifest.isNewest()) {
        throw Refused.damage(
            "the file " + manifest.name + " is cut off: the column family '" + family + "' is in "
                + files.newestOptionsName() + " and not in it",
            "put the whole file back; or move that OPTIONS file away, to do without the family");
      }
    }
  }

  /**
   * Refuses to open a column family with what would lose rows, or merge values in two ways.
   *
   * @param mayTake whether what is not set may be set to what is stored
   * @return the options to be set to what is stored
   */
  public Map<String, String> requireFamily(FamilySettings given, boolean mayTake) throws IOException {
    Map.Entry<Integer, Manifest.Family> family = family(given.name());
    if (manifest != null && family == null) {
      return Map.of(); // it is to be created
    }
    Map<String, String> taken = new HashMap<>();
    Map<String, String> stored = options == null ? Map.of() : options.families().getOrDefault(given.name(), Map.of());
    if (mayTake) {
      requireNoTtl(given, stored);
    }
    if (stored.containsKey(MERGE_OPERATOR)) {
      requireMerging(given, stored.get(MERGE_OPERATOR), family, mayTake, taken);
    } else if (given.mergeOperator() == null) {
      requireNoMerges(given, family, "it is not known with which merge operator it was written");
    }
    requireNoFifo(given, stored.get(COMPACTION_STYLE));
    boolean isReverse = family != null && REVERSE_ORDER.equals(family.getValue().comparator);
    if (mayTake && isReverse && !given.isOrderedInJava() && !given.settings().containsKey(COMPARATOR)) {
      taken.put(COMPARATOR, REVERSE_ORDER);
    }
    return taken;
  }

  /** A program that sets its options itself may open it as it was written; here there is no way to. */
  private static void requireNoTtl(FamilySettings given, Map<String, String> stored) throws Refused {
    for (String option : List.of(FILTER, FILTER_FACTORY)) {
      if (OF_TTL.contains(ObjectType.idOf(stored.getOrDefault(option, ""))) && !given.replaces(option)) {
        throw Refused.argument(
            "the column family '" + given.name() + "' was written by a database with a time to live (TtlDB), which adds four bytes "
                + "to each value, and would be read with them",
            "open it with org.rocksdb.TtlDB, and copy its rows; FamilyOptions.replaceStored(\"" + option + "\") reads those bytes too");
      }
    }
  }

  /** Null if there is none, or if that is not known. */
  private Map.Entry<Integer, Manifest.Family> family(String name) {
    if (manifest != null) {
      for (var family : manifest.families.entrySet()) {
        if (family.getValue().name.equals(name)) {
          return family;
        }
      }
    }
    return null;
  }

  private void requireMerging(
      FamilySettings given,
      String storedText,
      Map.Entry<Integer, Manifest.Family> family,
      boolean mayTake,
      Map<String, String> taken) throws IOException {
    MergeOperatorName stored = MergeOperatorName.stored(storedText);
    MergeOperatorName set = given.mergeOperator();
    boolean isKnown = !mayTake || stored == null || stored.delimiter() == null || stored.isMadeByTheEngine();
    if (stored == null || set != null && set.isLike(stored) && isKnown) {
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
          "open it with the one that it was written with; FamilyOptions.replaceStored(\"merge_operator\") replaces it");
    } else if (mayTake && stored.isMadeByTheEngine() && !given.settings().containsKey(MERGE_OPERATOR)) {
      taken.put(MERGE_OPERATOR, storedText);
    } else {
      throw Refused.argument(
          written + ", and is opened without one: what is merged in the log would be lost, with all that was written "
              + "after it",
          "set FamilyOptions.mergeOperator; FamilyOptions.replaceStored(\"merge_operator\") does without one, if the log has no merges");
    }
  }

  private void requireNoMerges(FamilySettings given, Map.Entry<Integer, Manifest.Family> family, String why)
      throws IOException {
    if (family == null) {
      return;
    }
    String found = merges(family);
    if (found != null) {
      throw Refused.argument(
          "the column family '" + given.name() + "' is opened "
              + (given.mergeOperator() == null ? "without a" : "with another") + " merge operator, and " + found + "; " + why,
          "set FamilyOptions.mergeOperator, or all that is in the log behind the first merge would be lost");
    }
  }

  /** The log that has merges of a family which no table has, or cannot be read; null if there is none. */
  private String merges(Map.Entry<Integer, Manifest.Family> family) throws IOException {
    LogContents contents = logContents();
    Long merged = contents.merges.getOrDefault(family.getKey(), new TreeSet<>()).ceiling(family.getValue().logNumber);
    if (merged != null) {
      return "the log " + FolderFiles.logName(merged) + " has merges";
    }
    String unreadable = contents.unreadable();
    return unreadable == null ? null : "the log " + unreadable + ", so that nobody knows whether it has merges";
  }

  private static void requireNoFifo(FamilySettings given, String storedStyle) throws Refused {
    if (storedStyle != null
        && !storedStyle.equals(FIFO)
        && FIFO.equals(given.settings().get(COMPACTION_STYLE))
        && !given.replaces(COMPACTION_STYLE)) {
      throw Refused.argument(
          "the column family '" + given.name() + "' was written with compaction_style=" + storedStyle
              + ", and is opened with " + FIFO + ", which deletes the oldest rows when there are many",
          "FamilyOptions.replaceStored(\"compaction_style\") says that they may go");
    }
  }

  /**
   * The same for a program that sets its options itself: of families, nothing is taken from what is stored.
   *
   * @param taken gets the options of the database as a whole that are to be set
   * @return why it is not to be opened like this, in the engine's notation; null if it may be
   */
  public static String refusal(
      Path folder,
      DatabaseKind kind,
      Map<String, String> settings,
      List<FamilySettings> families,
      Map<String, String> taken) {
    try {
      StoredDatabase stored = in(folder, settings);
      if (stored != null) {
        taken.putAll(stored.requireWhole(kind, Set.of()));
        for (FamilySettings family : families) {
          stored.requireFamily(family, false);
        }
      }
      return null;
    } catch (IOException e) {
      return Refused.of(e).getMessage();
    }
  }
}
