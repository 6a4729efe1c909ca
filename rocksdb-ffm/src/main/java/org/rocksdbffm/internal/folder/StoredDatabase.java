/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.rocksdbffm.internal.options.DatabaseKind;
import org.rocksdbffm.internal.options.MergeOperatorName;
import org.rocksdbffm.internal.options.table.ObjectType;

/**
 * A database on disk: the newest MANIFEST and OPTIONS file, read before the engine may write, and compared with the
 * options of the opening. RocksDB trusts its options: it drops data that it cannot recover with them, and then deletes
 * the unknown WAL files and tables.
 */
public final class StoredDatabase {
  public static final String MERGE_OPERATOR = "merge_operator";

  /** Allows another merge operator unless the WAL contains merges; used like the names of replaced options. */
  public static final String UNUSED_MERGE_OPERATOR = "unused merge_operator";

  public static final String WAL_DIR = OptionsFile.WAL_DIR;
  public static final String COMPACTION_STYLE = "compaction_style";

  /** Makes the engine recover prepared transactions. */
  public static final String TWO_PHASES = OptionsFile.TWO_PHASES;

  /** Allows to lose the writes after damage in the WAL; used like the names of replaced options. */
  public static final String DAMAGED_LOG = "damaged log";

  /** The option that makes the engine skip damaged records. */
  public static final String RECOVERY_MODE = "wal_recovery_mode";

  public static final String CHECKS = "paranoid_checks";
  public static final String SKIPS_DAMAGE = "kSkipAnyCorruptedRecords";

  private static final String COMPARATOR = "comparator";
  private static final String REVERSE_ORDER = "rocksdb.ReverseBytewiseComparator";
  private static final String FIFO = "kCompactionStyleFIFO";
  private static final String TRACKED_LOGS = "track_and_verify_wals_in_manifest";
  private static final String TRUE = "true";

  private static final String FILTER = "compaction_filter";
  private static final String FILTER_FACTORY = "compaction_filter_factory";

  /** The family options whose stored value may be replaced intentionally. */
  public static final Set<String> REPLACED = Set.of(MERGE_OPERATOR, COMPACTION_STYLE, FILTER, FILTER_FACTORY);

  /** The filters of a TtlDB, which has timestamps in its values. */
  private static final Set<String> OF_TTL = Set.of("TtlCompactionFilter", "TtlCompactionFilterFactory");

  private static final Set<String> WANTED =
      Set.of(MERGE_OPERATOR, WAL_DIR, COMPACTION_STYLE, TWO_PHASES, FILTER, FILTER_FACTORY);

  private final Path folder;
  private final boolean passesOverDamage;
  private final FolderFiles files;
  private final Path logs; // the WAL folder of the opening; null if unknown
  private final Manifest manifest; // null: unreadable
  private final OptionsFile options; // null: missing or unreadable
  private LogContents contents; // null: not read yet

  private StoredDatabase(Path folder, Map<String, String> settings) throws IOException {
    this.folder = folder;
    passesOverDamage = SKIPS_DAMAGE.equals(settings.get(RECOVERY_MODE)) || "false".equals(settings.get(CHECKS));
    logs = walFolder(settings.get(WAL_DIR));
    files = FolderFiles.in(folder);
    options = OptionsFile.readable(folder, files, WANTED);
    manifest = Manifest.read(folder);
  }

  /**
   * Reads the database in a folder.
   *
   * @param settings the database options of the opening, by the engine's names
   * @return null if there is no database
   */
  public static StoredDatabase in(Path folder, Map<String, String> settings) throws IOException {
    if (!isIn(folder)) {
      return null;
    }
    FolderFiles.requireKeys(folder);
    return new StoredDatabase(folder, settings);
  }

  /** Refuses a database whose files cannot be read with the keys of the running operation, or without. */
  public static void requireKeys(Path folder) throws IOException {
    FolderFiles.requireKeys(folder);
  }

  /** Whether there is a database in a folder. */
  public static boolean isIn(Path folder) {
    return FolderFiles.file(folder, FolderFiles.CURRENT).exists();
  }

  /** Whether a database was opened for writing in its folder, unlike a checkpoint or restored backup. */
  static boolean hasBeenWritten(Path folder) {
    return FolderFiles.file(folder, "LOCK").exists();
  }

  /** Returns a database file in a folder without CURRENT; null if absent, or the folder cannot be listed. */
  public static String leftOver(Path folder) {
    String[] names = isIn(folder) ? null : folder.toFile().list();
    for (String name : names == null ? new String[0] : names) {
      if (name.matches("\\d+\\.(log|sst|blob)")) {
        return name;
      }
    }
    return null;
  }

  /** Returns the names of the column families; null if unknown. */
  public List<String> families() {
    return manifest == null ? null : manifest.families.values().stream().map(family -> family.name).toList();
  }

  /** Returns the stored value of a database option; null if unknown. */
  private String stored(String option) {
    return options == null ? null : options.database().get(option);
  }

  /**
   * Refuses an opening in which the engine would miss existing rows.
   *
   * @param kind the kind of opening
   * @param replaced names of options whose stored value is replaced intentionally
   * @return the database options that must be set
   */
  public Map<String, String> requireWhole(DatabaseKind kind, Set<String> replaced) throws IOException {
    Path stored = walFolder(stored(WAL_DIR));
    if (!replaced.contains(WAL_DIR) && logs != null && stored != null) {
      if (FolderPath.isSame(logs, stored)) {
        requireAnyLog(stored, "there, with its newest rows");
      } else if (!Files.exists(stored)) {
        requireAnyLog(stored, "in " + stored + ", which is missing, with its newest rows");
      } else if (manifest != null) {
        requireNoLogsElsewhere(stored);
      }
    }
    if (manifest != null) {
      requireKnownFamilies();
    }
    Map<String, String> recovery = recovery(kind);
    if (logs != null) {
      boolean readsPrepared = kind == DatabaseKind.LOCKING || recovery.containsKey(TWO_PHASES);
      long from = manifest == null ? 0 : readsPrepared ? manifest.minLog() : manifest.firstLog();
      boolean isAccepted = passesOverDamage || replaced.contains(DAMAGED_LOG);
      LogDamage.requireNone(logs, FolderFiles.in(logs).logs.tailSet(from, true), contents == null ? null : contents.logs(), isAccepted);
    }
    return recovery;
  }

  /** Returns the options that the engine needs to recover everything in the WAL. */
  private Map<String, String> recovery(DatabaseKind kind) throws IOException {
    Map<String, String> taken = new HashMap<>();
    if (kind == DatabaseKind.FOR_READING && manifest != null && manifest.tracksLogs()) {
      taken.put(TRACKED_LOGS, TRUE); // otherwise the engine disables tracking, which fails read-only
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
   * Refuses to open a database with prepared transactions as another kind. RocksDB refuses such transactions if it
   * finds them. But without {@code allow_2pc} it does not read WAL files before the first with unflushed rows, so it
   * finds neither such transactions nor the rows of one that was committed later; and with it, it drops unfinished
   * ones.
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

  /** Returns the number of the oldest WAL file with unflushed data. */
  private long firstLog() {
    return manifest == null ? 0 : mayHavePrepared() ? manifest.minLog() : manifest.firstLog();
  }

  /**
   * Refuses a WAL folder without WAL files, for example because its disk is not mounted. The engine always keeps the
   * newest WAL file, so a database that was opened has one, unlike a copy.
   */
  private void requireAnyLog(Path stored, String where) throws IOException {
    if (!FolderPath.isSame(stored, folder) && hasBeenWritten(folder) && hasNoLog() && hasNoLog()) {
      throw Refused.argument(
          logs + " has no log at all, and the database had its logs " + where,
          "mount the disk, or put the logs back; DatabaseOptions.replaceWalDir() does without their rows");
    }
  }

  /**
   * Whether there is no WAL file. Called twice, because another process may replace the only file during the first
   * listing.
   */
  private boolean hasNoLog() throws IOException {
    return FolderFiles.in(logs).logs.isEmpty();
  }

  private void requireNoLogsElsewhere(Path stored) throws IOException {
    boolean isElsewhere = !FolderPath.isSame(stored, folder);
    Path owner = isElsewhere ? OwnerFile.read(stored) : null;
    boolean isOfAnother = owner != null && !FolderPath.isSame(owner, folder);
    if (isElsewhere && (isIn(stored) || isOfAnother && !hasBeenWritten(folder))) {
      return; // the WAL of this copy's original; older engines store the path of the creation
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

  /** Returns the WAL folder; null if the path is invalid. */
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

  /** Refuses a truncated MANIFEST: it must contain all families of an OPTIONS file that is newer than its start. */
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
   * Refuses to open a column family if rows would be lost, or merged in two ways.
   *
   * @param mayTake whether missing options may be set to the stored values
   * @return the options to be set to the stored values
   */
  public Map<String, String> requireFamily(FamilySettings given, boolean mayTake) throws IOException {
    Map.Entry<Integer, Manifest.Family> family = family(given.name());
    if (manifest != null && family == null) {
      return Map.of(); // to be created
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

  /** Refuses a database of TtlDB. Not called for callers that set all options themselves, which may open a TtlDB. */
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

  /** Returns a family of the MANIFEST; null if it is missing or unknown. */
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

  /** Describes a WAL file with unflushed merges of a family, or an unreadable one; null if absent. */
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
   * As {@link #requireWhole} and {@link #requireFamily}, for callers that set all options themselves: no family option
   * is taken from the stored ones.
   *
   * @param replaced names of options whose stored value is replaced on purpose
   * @param taken receives the database options that must be set
   * @return the reason for a refusal as an error message; null if the database may be opened
   */
  public static String refusal(
      Path folder,
      DatabaseKind kind,
      Map<String, String> settings,
      List<FamilySettings> families,
      Set<String> replaced,
      Map<String, String> taken) {
    try {
      StoredDatabase stored = in(folder, settings);
      if (stored != null) {
        taken.putAll(stored.requireWhole(kind, replaced));
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
