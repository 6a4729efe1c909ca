/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.arguments;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
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
import org.rocksdbffm.Follower;
import org.rocksdbffm.Opening;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.StoredOptions;
import org.rocksdbffm.internal.folder.OptionsFile;
import org.rocksdbffm.internal.options.MergeOperatorName;
import org.rocksdbffm.metrics.InfoLog;

import picocli.CommandLine.Parameters;

/** Opens the folder of a database with what it was written with: its orders, merge operators and other options. */
public final class Database {
  private static final String LOGS = "wal_dir";
  private static final int FEW = 20; // tables that are open at a time; the engine takes no fewer
  private static final DatabaseOptions READING = DatabaseOptions.defaults().infoLog(InfoLog.none());

  @Parameters(index = "0", paramLabel = "DIR", description = "folder of the database")
  private Path folder;

  /**
   * The database in a folder.
   *
   * @param folder where it is
   * @return the database, not opened yet
   */
  public static Database at(Path folder) {
    Database database = new Database();
    database.folder = folder;
    return database;
  }

  /**
   * Its folder.
   *
   * @return the path, as it was named
   */
  public Path folder() {
    return folder;
  }

  /**
   * Opens all families for reading alone, also while another process has them open.
   *
   * @return the database, which the caller closes
   */
  public RocksDb openReadOnly() {
    return reading().openReadOnly();
  }

  /**
   * Opens all families for figures of their tables: without the log, and with few tables open, of which it estimates.
   *
   * @return the database, which the caller closes
   * @throws IOException if a folder in the place of that of the logs cannot be made
   */
  public RocksDb openTables() throws IOException {
    requireExisting();
    try (TemporaryFolder noLogs = TemporaryFolder.create()) {
      DatabaseOptions options = READING.option("max_open_files", FEW).option(LOGS, noLogs.path()).replaceWalDir();
      return RocksDb.at(folder).options(options).mustExist().openReadOnly();
    }
  }

  /**
   * Opens one family for reading alone, also where another has an order in Java. With a merge operator that is not known
   * here, rows without merges are read.
   *
   * @param family its name
   * @param operands take the place of such an operator; null if only rows without merges can be used
   * @return the database, which the caller closes
   */
  public RocksDb openReadOnly(String family, Operands operands) {
    FamilyOptions stored = FamilyOptions.defaults(); // an opening takes the engine's own orders and merge operators
    try {
      return reading().onlyNamed().family(family, stored).openReadOnly();
    } catch (RocksDbException e) {
      if (e.code() != RocksDbException.Code.INVALID_ARGUMENT) {
        throw e;
      }
      String operator = mergeOperator(family);
      if (operator == null) { // that is not what it lacks
        throw e;
      }
      FamilyOptions unmerged = stored.replaceStored("merge_operator");
      FamilyOptions read = operands == null ? unmerged : operands.in(stored, operator);
      try {
        return reading().onlyNamed().defaults(unmerged).family(family, read).openReadOnly();
      } catch (RocksDbException ignored) {
        throw e;
      }
    }
  }

  private String mergeOperator(String family) {
    try {
      OptionsFile stored = OptionsFile.newest(folder);
      Map<String, String> options = stored == null ? Map.of() : stored.families().getOrDefault(family, Map.of());
      MergeOperatorName operator = MergeOperatorName.stored(options.get("merge_operator"));
      return operator == null ? null : operator.name();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Opens all families for reading alone, at one moment and at later ones.
   *
   * @return the follower, which the caller closes
   */
  public Follower openFollower() {
    return reading().openFollower();
  }

  private Path logs() {
    requireExisting();
    String logs = known().database().settings().get(LOGS);
    return logs == null || logs.isEmpty() ? folder : folder.resolve(logs);
  }

  /**
   * The files of its log, which the next opening reads.
   *
   * @return their paths, the oldest first
   * @throws IOException if the folder cannot be read
   */
  public List<Path> logFiles() throws IOException {
    try (Stream<Path> files = Files.list(logs())) {
      return files.filter(file -> file.getFileName().toString().matches("\\d+\\.log"))
          .sorted(Comparator.comparingLong(Database::number))
          .toList();
    }
  }

  /**
   * The number in the name of a file of the log.
   *
   * @param log its path
   * @return the number
   */
  public static long number(Path log) {
    String name = log.getFileName().toString();
    return Long.parseLong(name.substring(0, name.indexOf('.')));
  }

  /**
   * How large its log is.
   *
   * @return the size of all files of it
   * @throws IOException if the folder cannot be read
   */
  public ByteSize logSize() throws IOException {
    return ByteSize.bytes(logFiles().stream().mapToLong(file -> file.toFile().length()).sum()); // 0 of one that is gone
  }

  /** Of the database as a whole, a reader needs to know where its logs are; it writes no messages to the folder. */
  private Opening reading() {
    requireExisting();
    String logs = known().database().settings().get(LOGS);
    return RocksDb.at(folder).options(logs == null ? READING : READING.option(LOGS, logs)).mustExist();
  }

  /**
   * Reads the options that are stored, unless one names code that is not known here; an opening says so, if it needs that.
   *
   * @return the options; none where one is not known
   */
  public StoredOptions known() {
    try {
      return StoredOptions.load(folder);
    } catch (IllegalArgumentException e) {
      return new StoredOptions(DatabaseOptions.defaults(), Map.of());
    }
  }

  /**
   * Opens it for writing, with the options that are stored.
   *
   * @return the database, which the caller closes
   */
  public RocksDb open() {
    StoredOptions stored = stored();
    Map<String, FamilyOptions> families = new HashMap<>(stored.families());
    families.keySet().retainAll(RocksDb.families(folder)); // one that was dropped since is not created again
    return RocksDb.at(folder).options(stored.database()).families(families).mustExist().open();
  }

  /**
   * Opens it for writing, and requires a family.
   *
   * @param family its name
   * @return the database, which the caller closes
   */
  public RocksDb open(String family) {
    requireExisting();
    if (!RocksDb.families(folder).contains(family)) {
      throw new IllegalArgumentException(folder + " has no column family '" + family + "'; it has " + RocksDb.families(folder));
    }
    return open();
  }

  /**
   * Reads the options that are stored.
   *
   * @return the options
   */
  public StoredOptions stored() {
    requireExisting();
    return StoredOptions.load(folder);
  }

  /** Makes a database. */
  @FunctionalInterface
  public interface Making {
    /**
     * Makes it.
     *
     * @param made where it is made
     * @throws IOException what is passed on
     */
    void make(Path made) throws IOException;
  }

  /**
   * Has the database made: it is there when it is whole, and not before.
   *
   * @param making writes it
   * @throws IOException if that fails
   */
  public void make(Making making) throws IOException {
    String[] files = folder.toFile().list();
    if (files == null ? Files.exists(folder) : files.length > 0) {
      throw new IllegalArgumentException(folder + " is not empty: name a new folder");
    }
    try (TemporaryFolder beside = TemporaryFolder.beside(folder)) {
      Path made = beside.path().resolve("database");
      making.make(made);
      Files.move(made, folder, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** Refuses a folder that is no database. */
  public void requireExisting() {
    if (Files.notExists(folder.resolve("CURRENT"))) { // and not hidden from this user
      throw new IllegalArgumentException(folder + " is no database: it has no file CURRENT");
    }
  }
}
