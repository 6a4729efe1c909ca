/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.ConfigOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.EnvOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.OptionsUtil;
import org.rocksdb.ReadOptions;
import org.rocksdb.RestoreOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksMemEnv;
import org.rocksdb.SstFileManager;
import org.rocksdb.SstFileReader;
import org.rocksdb.SstFileReaderIterator;
import org.rocksdb.SstFileWriter;
import org.rocksdb.TimedEnv;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TtlDB;

/** A program that knows nothing of encryption, with databases of all kinds, their copies and their files. */
public final class EncryptedProgram {
  static final String SECRET = "a secret of four words";

  private static final byte[] DEFAULT = RocksDB.DEFAULT_COLUMN_FAMILY;
  private static final byte[] FAMILY = "second".getBytes(UTF_8);
  private static final int ROWS = 500;

  private EncryptedProgram() {}

  private interface Step {
    void run() throws RocksDBException, IOException;
  }

  public static void main(String[] arguments) throws Exception {
    RocksDB.loadLibrary();
    switch (arguments[0]) {
      case "write" -> {
        kinds();
        families();
        copies();
        tables();
        environments();
      }
      case "read" -> read(arguments[1]);
      case "ingest" -> ingest(arguments[1]);
      case "everyWay" -> everyWay(arguments[1]);
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    System.out.println("done");
  }

  private static void kinds() throws RocksDBException {
    try (Options options = options();
        TransactionDBOptions locks = new TransactionDBOptions()) {
      use(RocksDB.open(options, "plain"));
      use(OptimisticTransactionDB.open(options, "optimistic"));
      use(TransactionDB.open(options, locks, "locks"));
      use(TtlDB.open(options, "ttl", 100_000, false));
      try (RocksDB db = RocksDB.open(options, "plain");
          RocksDB reader = RocksDB.openReadOnly(options, "plain");
          RocksDB secondary = RocksDB.openAsSecondary(options, "plain", "secondary")) {
        requireRows(db);
        requireRows(reader);
        requireRows(secondary);
        db.compactRange();
      }
    }
  }

  private static void use(RocksDB opened) throws RocksDBException {
    try (RocksDB db = opened) {
      write(db);
      requireRows(db);
    }
  }

  private static void families() throws RocksDBException {
    Properties text = new Properties();
    text.setProperty("create_if_missing", "true");
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    try (DBOptions options = DBOptions.getDBOptionsFromProps(text);
        DBOptions copy = new DBOptions(options).setCreateMissingColumnFamilies(true);
        ColumnFamilyOptions ofFamily = new ColumnFamilyOptions();
        Options asked = new Options(copy, ofFamily)) {
      List<ColumnFamilyDescriptor> families =
          List.of(new ColumnFamilyDescriptor(DEFAULT, ofFamily), new ColumnFamilyDescriptor(FAMILY, ofFamily));
      try (RocksDB db = RocksDB.open(copy, "families", families, handles)) {
        write(db);
        db.put(handles.get(1), key(0), value(0));
        handles.forEach(ColumnFamilyHandle::close);
      }
      require(RocksDB.listColumnFamilies(asked, "families").size() == 2, "two families");
      try (ConfigOptions config = new ConfigOptions();
          DBOptions loaded = new DBOptions()) {
        List<ColumnFamilyDescriptor> stored = new ArrayList<>();
        OptionsUtil.loadLatestOptions(config, "families", loaded, stored);
        handles.clear();
        try (RocksDB db = RocksDB.open(loaded, "families", stored, handles)) {
          requireRows(db);
          handles.forEach(ColumnFamilyHandle::close);
        }
        stored.forEach(family -> family.getOptions().close());
      }
      try (RocksDB _ = RocksDB.open(options, "destroyed", families.subList(0, 1), handles)) {
        handles.getLast().close();
      }
      RocksDB.destroyDB("destroyed", asked);
    }
  }

  private static void copies() throws RocksDBException, IOException {
    Files.createDirectory(Path.of("backups"));
    try (Options options = options();
        RocksDB db = RocksDB.open(options, "plain");
        Checkpoint checkpoint = Checkpoint.create(db);
        BackupEngineOptions copies = new BackupEngineOptions("backups");
        BackupEngine backups = BackupEngine.open(Env.getDefault(), copies);
        RestoreOptions restoring = new RestoreOptions(false)) {
      checkpoint.createCheckpoint("checkpoint");
      try (ColumnFamilyHandle family = db.getDefaultColumnFamily()) {
        checkpoint.exportColumnFamily(family, "export");
      }
      backups.createNewBackupWithMetadata(db, SECRET, true);
      require(backups.getBackupInfo().getFirst().appMetadata().equals(SECRET), "the note");
      require(backups.getCorruptedBackups().length == 0, "no damage");
      backups.restoreDbFromLatestBackup("restored", "restored", restoring);
    }
    for (String copy : List.of("checkpoint", "restored")) {
      read(copy);
    }
  }

  private static void tables() throws RocksDBException {
    try (Options options = options();
        EnvOptions env = new EnvOptions();
        SstFileWriter writer = new SstFileWriter(env, options);
        SstFileReader reader = new SstFileReader(options);
        ReadOptions reading = new ReadOptions();
        IngestExternalFileOptions ingesting = new IngestExternalFileOptions();
        RocksDB db = RocksDB.open(options, "ingested")) {
      writer.open("table.sst");
      for (int i = 0; i < ROWS; i++) {
        writer.put(key(i), value(i));
      }
      writer.finish();
      reader.open("table.sst");
      reader.verifyChecksum();
      try (SstFileReaderIterator rows = reader.newIterator(reading)) {
        rows.seekToFirst();
        require(Arrays.equals(rows.value(), value(0)), "the row of a table");
      }
      db.ingestExternalFile(List.of("table.sst"), ingesting);
      requireRows(db);
    }
  }

  /** Ingests a copy of table.sst, and moves it. */
  private static void ingest(String folder) throws RocksDBException, IOException {
    Files.copy(Path.of("table.sst"), Path.of("moved.sst"));
    try (Options options = options();
        IngestExternalFileOptions copying = new IngestExternalFileOptions();
        IngestExternalFileOptions moving = new IngestExternalFileOptions().setMoveFiles(true);
        RocksDB db = RocksDB.open(options, folder)) {
      db.ingestExternalFile(List.of("table.sst"), copying);
      requireRows(db);
      db.ingestExternalFile(List.of("moved.sst"), moving);
      requireRows(db);
    }
    require(Files.exists(Path.of("table.sst")) && !Files.exists(Path.of("moved.sst")), "a copied and a moved table");
  }

  private static void environments() throws RocksDBException {
    try (TimedEnv timed = new TimedEnv(Env.getDefault());
        RocksMemEnv memory = new RocksMemEnv(Env.getDefault());
        SstFileManager files = new SstFileManager(Env.getDefault());
        Options inTimed = options().setEnv(timed);
        Options inDefault = options().setEnv(Env.getDefault()).setSstFileManager(files);
        Options inMemory = options().setEnv(memory)) {
      use(RocksDB.open(inTimed, "timed"));
      use(RocksDB.open(inDefault, "default"));
      use(RocksDB.open(inMemory, Path.of("memory").toAbsolutePath().toString()));
      require(!Files.exists(Path.of("memory", "CURRENT")), "no file of a database in memory");
    }
  }

  private static void read(String folder) throws RocksDBException {
    try (Options options = options();
        RocksDB db = RocksDB.open(options, folder)) {
      requireRows(db);
    }
  }

  /** Prints the exception of each way to use the files in a folder. */
  private static void everyWay(String folder) {
    try (Options options = options().setMergeOperatorName("stringappend");
        DBOptions database = new DBOptions();
        TransactionDBOptions locks = new TransactionDBOptions();
        ConfigOptions config = new ConfigOptions();
        BackupEngineOptions copies = new BackupEngineOptions("backups");
        SstFileReader reader = new SstFileReader(options)) {
      attempt("open", () -> RocksDB.open(options, folder).close());
      attempt("openReadOnly", () -> RocksDB.openReadOnly(options, folder).close());
      attempt("openAsSecondary", () -> RocksDB.openAsSecondary(options, folder, "other").close());
      attempt("optimistic", () -> OptimisticTransactionDB.open(options, folder).close());
      attempt("transactions", () -> TransactionDB.open(options, locks, folder).close());
      attempt("ttl", () -> TtlDB.open(options, folder).close());
      attempt("listColumnFamilies", () -> RocksDB.listColumnFamilies(options, folder));
      attempt("loadLatestOptions", () -> OptionsUtil.loadLatestOptions(config, folder, database, new ArrayList<>()));
      attempt("backups", () -> BackupEngine.open(Env.getDefault(), copies).close());
      attempt("table", () -> reader.open("table.sst"));
    }
  }

  private static void attempt(String way, Step step) {
    try {
      step.run();
      System.out.println(way + ": accepted");
    } catch (RocksDBException | IOException e) {
      System.out.println(way + ": " + e.getMessage());
    }
  }

  private static Options options() {
    return new Options().setCreateIfMissing(true).setInfoLogLevel(InfoLogLevel.DEBUG_LEVEL);
  }

  private static byte[] key(int number) {
    return (SECRET + " %05d".formatted(number)).getBytes(UTF_8);
  }

  private static byte[] value(int number) {
    return ("value: " + SECRET + number).getBytes(UTF_8);
  }

  /** Writes half of the rows to a table, and the rest to the WAL. */
  private static void write(RocksDB db) throws RocksDBException {
    for (int i = 0; i < ROWS; i++) {
      db.put(key(i), value(i));
      if (i == ROWS / 2) {
        try (FlushOptions flush = new FlushOptions()) {
          db.flush(flush);
        }
      }
    }
  }

  private static void requireRows(RocksDB db) throws RocksDBException {
    for (int i = 0; i < ROWS; i++) {
      require(Arrays.equals(db.get(key(i)), value(i)), "row " + i);
    }
  }

  private static void require(boolean holds, String claim) {
    if (!holds) {
      throw new AssertionError(claim);
    }
  }
}
