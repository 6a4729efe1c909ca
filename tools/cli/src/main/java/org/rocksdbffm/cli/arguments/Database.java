/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.arguments;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.Opening;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.StoredOptions;
import org.rocksdbffm.internal.folder.OptionsFile;
import org.rocksdbffm.internal.format.Fields;
import org.rocksdbffm.internal.format.LogRecords;
import org.rocksdbffm.internal.options.MergeOperatorName;
import org.rocksdbffm.internal.options.table.NearestName;
import org.rocksdbffm.reports.InfoLog;
import picocli.CommandLine.Parameters;

/** Opens a database folder with its stored comparators, merge operators and other options. */
public final class Database {
  /** The order of column families in lists: the default family first. */
  public static final Comparator<String> BY_NAME = (a, b) ->
      isDefault(a) == isDefault(b) ? a.compareTo(b) : isDefault(a) ? -1 : 1;

  private static final String LOGS = "wal_dir";
  private static final String TRACKS_LOGS = "track_and_verify_wals_in_manifest"; // opens only with all WAL files
  private static final Path NO_LOGS = Path.of(System.getProperty("java.home")); // a folder without WAL files
  private static final int FEW = 20; // the number of open tables; the engine's minimum
  private static final long END = 1 << 20; // the end of a WAL file, which mostly has its newest write
  private static final DatabaseOptions READING = DatabaseOptions.defaults().infoLog(InfoLog.none());

  /** Opens with built-in comparators and merge operators, and without filters; values include TtlDB's times. */
  private static final FamilyOptions KNOWN =
      FamilyOptions.defaults().replaceStored("compaction_filter").replaceStored("compaction_filter_factory");

  @Parameters(index = "0", paramLabel = "DIR", description = "folder of the database")
  private Path folder;

  private OptionsFile options; // null if missing or damaged
  private boolean areOptionsRead;

  private static boolean isDefault(String family) {
    return family.equals(RocksDb.DEFAULT_COLUMN_FAMILY);
  }

  /** Returns the database in a folder. */
  public static Database at(Path folder) {
    Database database = new Database();
    database.folder = folder;
    return database;
  }

  public Path folder() {
    return folder;
  }

  /** Opens a family read-only, so that others may have Java comparators; null opens all families. */
  public Opening rows(String family, Operands operands) {
    String logs = settings().get(LOGS);
    return reading(folder, family, operands, logs == null ? READING : READING.option(LOGS, logs));
  }

  /** Like {@link #rows}, without the writes after damage in the WAL. */
  public Opening rowsBesideDamage(String family, Operands operands) {
    String logs = settings().get(LOGS);
    return reading(folder, family, operands, (logs == null ? READING : READING.option(LOGS, logs)).acceptWalDamage());
  }

  /** Like {@link #rows}, in another folder with links to some of the files. */
  public Opening rowsIn(Path view, String family, Operands operands) {
    return reading(view, family, operands, READING.option("max_open_files", FEW).acceptWalDamage());
  }

  /** Opens the tables of a family, or of all, for statistics: without the WAL, which may be long, and with few open. */
  public Opening tables(String family) {
    DatabaseOptions few = READING.option("max_open_files", FEW);
    boolean tracks = "true".equals(settings().get(TRACKS_LOGS));
    return reading(folder, family, new Operands(false), few.option(LOGS, tracks ? logs() : NO_LOGS).replaceWalDir());
  }

  private Opening reading(Path place, String only, Operands operands, DatabaseOptions options) {
    Map<String, FamilyOptions> unknown = new HashMap<>();
    families().forEach((name, settings) -> {
      MergeOperatorName operator = MergeOperatorName.stored(settings.get("merge_operator"));
      if (operator != null && !operator.isMadeByTheEngine()) {
        unknown.put(name, operands.in(KNOWN, operator));
      }
    });
    Opening opening = RocksDb.at(place).options(options).mustExist();
    if (only != null) {
      FamilyOptions first = unknown.getOrDefault(RocksDb.DEFAULT_COLUMN_FAMILY, KNOWN);
      return opening.onlyNamed().defaults(first).family(only, unknown.getOrDefault(only, KNOWN));
    }
    unknown.keySet().retainAll(unknown.isEmpty() ? List.of() : RocksDb.families(folder)); // some may be dropped since
    return opening.defaults(KNOWN).families(unknown);
  }

  private OptionsFile options() {
    requireExisting();
    if (!areOptionsRead) {
      try {
        options = OptionsFile.newest(folder);
      } catch (IllegalArgumentException damaged) {
        options = null;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      areOptionsRead = true; // the options of a hundred families take long to read
    }
    return options;
  }

  /** Returns the stored options of the database, by the engine's names. */
  private Map<String, String> settings() {
    OptionsFile options = options();
    return options == null ? Map.of() : options.database();
  }

  /** Returns the stored options of each family, including unknown objects; empty if they cannot be read. */
  public Map<String, Map<String, String>> families() {
    OptionsFile options = options();
    return options == null ? Map.of() : options.families();
  }

  /** Whether a family has the reverse bytewise comparator. */
  public boolean isReverse(String family) {
    return KeyOrder.REVERSE_BYTEWISE.id().equals(families().getOrDefault(family, Map.of()).get("comparator"));
  }

  private Path logs() {
    String logs = settings().get(LOGS);
    return logs == null || logs.isEmpty() ? folder : folder.resolve(logs);
  }

  /** Returns the WAL files, the oldest first. */
  public List<Path> logFiles() throws IOException {
    try (Stream<Path> files = Files.list(logs())) {
      return files.filter(file -> file.getFileName().toString().matches("\\d+\\.log"))
          .sorted(Comparator.comparingLong(Database::number))
          .toList();
    }
  }

  /** Returns the number in the name of a WAL file. */
  public static long number(Path log) {
    String name = log.getFileName().toString();
    return Long.parseLong(name.substring(0, name.indexOf('.')));
  }

  /** Returns the size of the WAL. */
  public ByteSize logSize() throws IOException {
    return ByteSize.bytes(logFiles().stream().mapToLong(file -> file.toFile().length()).sum()); // 0 for a deleted file
  }

  /** Returns the sequence number of the WAL's newest write, read from the end of the newest file; 0 if none. */
  public long newestWrite() throws IOException {
    long[] newest = {0};
    for (Path log : logFiles().reversed()) {
      long from = log.toFile().length();
      for (long end = END; newest[0] == 0 && from > 0; end *= 8) {
        from = Math.max(0, log.toFile().length() - end);
        try {
          LogRecords.read(log, number(log), from, (bytes, at, length) -> {
            Fields batch = new Fields(bytes, at, length);
            newest[0] = batch.fixedLong() + Fields.fixedInt(batch.bytes(Integer.BYTES), 0) - 1;
          });
        } catch (NoSuchFileException | Fields.Unreadable e) {
          break; // deleted concurrently, or damaged
        }
      }
    }
    return newest[0];
  }

  /** Opens the database for writing, with its stored options. */
  public RocksDb open() {
    StoredOptions stored = stored();
    Map<String, FamilyOptions> families = new HashMap<>(stored.families());
    families.keySet().retainAll(RocksDb.families(folder)); // does not recreate a family that was dropped since
    return RocksDb.at(folder).options(stored.database()).families(families).mustExist().open();
  }

  /** Returns the names of the column families, the default one first. */
  public List<String> familyNames() {
    return RocksDb.families(folder).stream().sorted(BY_NAME).toList();
  }

  /** Throws if the database does not have a family. */
  void requireFamily(String family) {
    requireExisting();
    List<String> names = familyNames();
    if (!names.contains(family)) {
      throw new IllegalArgumentException(
          folder + " has no column family '" + family + "'; it has " + String.join(", ", names)
              + NearestName.advice(family, names));
    }
  }

  /** Reads the stored options. */
  public StoredOptions stored() {
    requireExisting();
    return StoredOptions.load(folder);
  }

  /** Creates or fills a database. */
  public interface Making<T> {
    void make(T made) throws IOException;
  }

  /** Creates the database in a temporary folder, and renames that folder after the database is complete. */
  public void make(Making<Path> making) throws IOException {
    requireNew();
    try (CommandFolder beside = CommandFolder.beside(folder)) {
      Path made = beside.path().resolve("database");
      making.make(made);
      Files.move(made, folder, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** Throws if the folder has files. */
  public void requireNew() {
    String[] files = folder.toFile().list();
    if (files == null ? Files.exists(folder) : files.length > 0) {
      throw new IllegalArgumentException(folder + " is not empty: name a new folder");
    }
  }

  /** Throws if the folder is not a database. */
  public void requireExisting() {
    if (Files.notExists(folder.resolve("CURRENT"))) { // false if this user may not see it
      throw new IllegalArgumentException(
          isDamaged()
              ? folder + " has lost its file CURRENT, and has others of a database: 'doctor' says what to do"
              : folder + " is no database: it has no file CURRENT");
    }
  }

  /** Like {@link #requireExisting}, but accepts a damaged database, for commands that report damage. */
  public void requireAnything() {
    if (!isDamaged()) {
      requireExisting();
    }
  }

  private boolean isDamaged() {
    String[] names = folder.toFile().list();
    return names != null && Stream.of(names).anyMatch(name -> name.matches("MANIFEST-\\d+|\\d+\\.sst"));
  }
}
