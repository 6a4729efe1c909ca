/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.rocksdbffm.internal.folder.FolderClaim.Use;
import org.rocksdbffm.internal.format.TableProperties;

/**
 * The checks before RocksDB repairs a database, and the cleanup after. A repair trusts its options: it moves tables
 * aside that it cannot read with them, and WAL files that it cannot apply.
 */
public final class RepairCheck {
  private static final String LOST = "lost";
  private static final String FORWARD = "leveldb.BytewiseComparator";
  private static final String REVERSE = "rocksdb.ReverseBytewiseComparator";
  private static final String OPTIONS = "OPTIONS-";

  private final Path folder;
  private final FolderFiles files;
  private final Path logs;
  private final Manifest manifest; // null: missing or unreadable
  private final Set<Integer> families = new HashSet<>(Set.of(0)); // with tables; the default family is always known
  private long skippedBatches;
  private int tablesOfLogs; // the number of tables that the repair should create

  private RepairCheck(Path folder, FolderFiles files, Path logs) throws IOException {
    this.manifest = Manifest.readNewest(folder, files);
    this.folder = folder;
    this.files = files;
    this.logs = logs;
  }

  /**
   * Checks a database; throws if a repair would make it worse.
   *
   * @param given the settings of all families
   * @param comparatorInJava the name of the Java comparator; null for none
   * @param paths the given table folders
   * @param claim of the repair; receives the folders
   */
  public static RepairCheck of(
      Path folder, FamilySettings given, String comparatorInJava, List<Path> paths, FolderClaim claim) throws IOException {
    claim.take(folder, Use.ALONE);
    if (!Files.isDirectory(folder)) {
      throw Refused.argument(folder + " is no folder", "nothing was done");
    }
    requireOneFolder(folder, paths);
    FolderFiles files = FolderFiles.in(folder);
    Path logs = logFolder(folder, files, given);
    claim.take(logs, Use.ALONE);
    DatabaseFolders.requireRepairable(folder, logs);
    RepairCheck check = new RepairCheck(folder, files, logs);
    check.requireSomething();
    check.requireNothingLostBefore();
    check.requireNoBlobs();
    check.requireTables(given, comparatorInJava == null ? comparator(given) : comparatorInJava);
    check.requireLogs(given);
    return check;
  }

  /** Refuses tables in other folders, which the new MANIFEST would lack, so that the next opening would delete them. */
  private static void requireOneFolder(Path folder, List<Path> paths) throws IOException {
    List<Path> others = DatabaseFolders.beside(folder, paths);
    if (!others.isEmpty()) {
      throw Refused.argument(
          "the database in " + folder + " has tables in folders beside its own: " + others,
          "nothing was done, because a repair would lose those: restore a copy of all its folders");
    }
  }

  /** Returns the WAL folder: from the settings, otherwise from the stored options. */
  private static Path logFolder(Path folder, FolderFiles files, FamilySettings given) throws IOException {
    String named = given.settings().get(StoredDatabase.WAL_DIR);
    if (named == null) {
      Path stored = given.replaces(StoredDatabase.WAL_DIR) ? null : OptionsFile.logFolder(folder, files);
      return stored == null ? folder : stored;
    }
    try {
      return named.isEmpty() ? folder : Path.of(named).toAbsolutePath();
    } catch (InvalidPathException e) {
      return folder;
    }
  }

  private static String comparator(FamilySettings given) {
    String named = given.settings().getOrDefault("comparator", FORWARD);
    return named.contains(REVERSE) ? REVERSE : named.contains(FORWARD) ? FORWARD : named;
  }

  private void requireSomething() throws IOException {
    if (files.tables.isEmpty() && FolderFiles.in(logs).logs.isEmpty()) {
      throw Refused.argument("there is neither a table nor a log in " + folder, "nothing was done: there is nothing to repair");
    }
  }

  private void requireNothingLostBefore() throws IOException {
    for (Path lost : new TreeSet<>(List.of(folder.resolve(LOST), logs.resolve(LOST)))) {
      if (!filesIn(lost).isEmpty()) {
        throw Refused.argument(
            "there is " + lost + " from an earlier repair, whose files would be replaced",
            "nothing was done: move that folder away first");
      }
    }
  }

  /** Refuses blob files, which the repair would drop, and the next opening delete. */
  private void requireNoBlobs() throws Refused {
    if (!files.blobs.isEmpty()) {
      throw Refused.argument(
          "there are blob files in " + folder + ", and the engine's repair loses the values in them",
          "nothing was done: restore a backup");
    }
  }

  private void requireTables(FamilySettings given, String comparator) throws IOException {
    for (long number : files.tables) {
      Path table = folder.resolve(FolderFiles.padded(number) + ".sst");
      String order = TableProperties.comparatorOf(table);
      if (order != null && !order.equals(comparator)) {
        throw Refused.argument(
            table + " is in the order " + order + ", and the options say " + comparator,
            "nothing was done: set the FamilyOptions.keyOrder or the comparator that it was written with; families with several "
                + "orders cannot be repaired");
      }
      TableProperties.familyOf(table).ifPresent(id -> families.add((int) id));
      if (given.mergeOperator() == null && TableProperties.hasMerges(table)) {
        throw noMergeOperator(table);
      }
    }
  }

  private void requireLogs(FamilySettings given) throws IOException {
    Set<Map.Entry<Long, Integer>> written = new HashSet<>();
    LogContents contents = LogContents.read(logs, FolderFiles.in(logs).logs, 0, (log, sequence, each) -> {
      if (families.containsAll(each)) {
        each.forEach(family -> written.add(Map.entry(log, family)));
      } else {
        skippedBatches++;
      }
    });
    for (LiveLog log : contents.logs()) {
      LogDamage.requireEndOf(log);
    }
    tablesOfLogs = written.size();
    for (var merges : contents.merges.entrySet()) {
      if (given.mergeOperator() == null) {
        throw noMergeOperator(log(merges.getValue().first()));
      }
      for (long log : merges.getValue()) {
        if (mayBeInTables(merges.getKey(), log)) {
          throw Refused.argument(
              log(log) + " has operands of merges that a table has too, or may have, and a repair would merge them twice",
              "nothing was done: restore a backup; or move that log away, if its rows are in tables");
        }
      }
    }
    if (contents.hasPrepared()) {
      throw Refused.argument(
          log(contents.firstPrepared()) + " has transactions that were prepared, which a repair would take for committed, even "
              + "those that were rolled back",
          "nothing was done: restore a backup; or move that log away, to do without its rows");
    }
  }

  private Path log(long number) {
    return logs.resolve(FolderFiles.logName(number));
  }

  /**
   * Whether tables may contain the writes of a family in a WAL file; known only from a MANIFEST that lists all tables.
   */
  private boolean mayBeInTables(int family, long log) {
    if (manifest == null || !manifest.knowsAllFiles()) {
      return families.contains(family) && !files.tables.isEmpty();
    }
    Manifest.Family known = manifest.families.get(family);
    return known != null && log < known.logNumber;
  }

  private static Refused noMergeOperator(Path file) {
    return Refused.argument(
        file + " has operands of merges, and the options have no merge operator",
        "nothing was done: set FamilyOptions.mergeOperator to the one that it was written with");
  }

  /** Returns the number of WAL batches that are not fully recovered, because they write to a family without a table. */
  public long skippedBatches() {
    return skippedBatches;
  }

  /** Returns the WAL folder for the repair. */
  public Path logs() {
    return logs;
  }

  /**
   * Cleans up after the repair: OPTIONS files with dropped families would look like a truncated MANIFEST, so they are
   * moved aside.
   *
   * @return the files that were moved aside
   */
  public List<Path> setAside() throws IOException {
    FolderFiles now = FolderFiles.in(folder);
    requireTablesOfLogs(now.tables);
    Manifest made = Manifest.read(folder);
    if (made != null && files.hasOptions() && knowsLess(made)) {
      Files.createDirectories(folder.resolve(LOST));
      for (Path each : filesIn(folder)) {
        if (each.getFileName().toString().startsWith(OPTIONS)) {
          Files.move(each, folder.resolve(LOST).resolve(each.getFileName()));
        }
      }
    }
    List<Path> lost = new ArrayList<>(filesIn(folder.resolve(LOST)));
    if (!logs.equals(folder)) {
      lost.addAll(filesIn(logs.resolve(LOST)));
    }
    return List.copyOf(lost);
  }

  /**
   * Throws if tables are missing: the engine also moves a WAL file aside if it could not write its rows to a table, and
   * only logs that.
   */
  private void requireTablesOfLogs(Set<Long> now) throws Refused {
    long made = now.stream().filter(table -> !files.tables.contains(table)).count();
    if (made < tablesOfLogs) {
      throw Refused.io(
          "of the rows in the logs only " + made + " of " + tablesOfLogs + " tables could be made; the file LOG says why",
          "the database is without the others: the logs are in " + logs.resolve(LOST) + "; put them back, move that folder "
              + "away, and repair again, with more room on the disk, say");
    }
  }

  private boolean knowsLess(Manifest made) throws IOException {
    OptionsFile options = OptionsFile.readable(folder, files, Set.of());
    return options == null
        || !made.families.values().stream().map(family -> family.name).toList().containsAll(options.families().keySet());
  }

  private static List<Path> filesIn(Path folder) throws IOException {
    return Files.isDirectory(folder)
        ? FolderPath.entries(folder).stream().filter(Files::isRegularFile).sorted().toList()
        : List.of();
  }
}
