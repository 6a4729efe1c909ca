/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.misuse;

import static org.rocksdbffm.compat.misuse.DatabaseWrongOrders.KEY;
import static org.rocksdbffm.compat.misuse.DatabaseWrongOrders.VALUE;
import static org.rocksdbffm.compat.misuse.DatabaseWrongOrders.open;
import static org.rocksdbffm.compat.misuse.DatabaseWrongOrders.openFlushed;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.Checkpoint;
import org.rocksdb.Env;
import org.rocksdb.EnvOptions;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksMemEnv;
import org.rocksdb.SstFileReader;
import org.rocksdb.SstFileReaderIterator;
import org.rocksdb.SstFileWriter;
import org.rocksdb.TransactionLogIterator;

/** Checkpoints, backups, SST files and the WAL, in wrong orders. */
final class FileWrongOrders {
  private FileWrongOrders() {}

  static void addTo(Map<String, WrongOrders.Case> all) {
    all.put("a checkpoint outlives its database", FileWrongOrders::checkpointOutlives);
    all.put("use a closed checkpoint", FileWrongOrders::closedCheckpoint);
    all.put("back up a closed database", FileWrongOrders::backupOfClosed);
    all.put("use a closed engine of backups", FileWrongOrders::closedBackupEngine);
    all.put("an environment is closed before its engine of backups", FileWrongOrders::backupInClosedEnvironment);
    all.put("write to a closed table", FileWrongOrders::closedTable);
    all.put("write to a table that was not opened", FileWrongOrders::tableNotOpened);
    all.put("finish a table twice", FileWrongOrders::tableFinishedTwice);
    all.put("read a table that was not opened", FileWrongOrders::readerNotOpened);
    all.put("ask a table that was not opened", FileWrongOrders::askReaderNotOpened);
    all.put("an iterator outlives the reader of its table", FileWrongOrders::readerClosed);
    all.put("a reader opens another table below its iterator", FileWrongOrders::readerReopened);
    all.put("ingest with closed options", FileWrongOrders::ingestWithClosedOptions);
    all.put("the log outlives its database", FileWrongOrders::logOutlives);
    all.put("take a batch of the log twice", FileWrongOrders::batchTwice);
    all.put("step through a log that is empty", FileWrongOrders::emptyLog);
    all.put("take a batch behind the end of the log", FileWrongOrders::batchBehindEnd);
    all.put("open a database that lost its CURRENT file", FileWrongOrders::lostCurrent);
  }

  private static void checkpointOutlives(Path folder) throws Exception {
    RocksDB db = open(folder.resolve("db"));
    Checkpoint checkpoint = Checkpoint.create(db);
    db.close();
    checkpoint.createCheckpoint(folder.resolve("copy").toString());
  }

  private static void closedCheckpoint(Path folder) throws Exception {
    try (RocksDB db = open(folder.resolve("db"))) {
      Checkpoint checkpoint = Checkpoint.create(db);
      checkpoint.close();
      checkpoint.createCheckpoint(folder.resolve("copy").toString());
    }
  }

  private static BackupEngine backupEngine(Path folder) throws Exception {
    Path backups = Files.createDirectories(folder.resolve("backups"));
    try (BackupEngineOptions options = new BackupEngineOptions(backups.toString())) {
      return BackupEngine.open(Env.getDefault(), options);
    }
  }

  private static void backupOfClosed(Path folder) throws Exception {
    RocksDB db = open(folder.resolve("db"));
    try (BackupEngine engine = backupEngine(folder)) {
      db.close();
      engine.createNewBackup(db);
    }
  }

  private static void closedBackupEngine(Path folder) throws Exception {
    try (RocksDB db = open(folder.resolve("db"))) {
      BackupEngine engine = backupEngine(folder);
      engine.close();
      engine.createNewBackup(db);
      engine.getBackupInfo();
    }
  }

  private static void backupInClosedEnvironment(Path folder) throws Exception {
    RocksMemEnv env = new RocksMemEnv(Env.getDefault());
    try (Options options = new Options().setCreateIfMissing(true).setEnv(env);
        RocksDB db = RocksDB.open(options, "/db");
        BackupEngineOptions backups = new BackupEngineOptions("/").setBackupEnv(env);
        BackupEngine engine = BackupEngine.open(env, backups)) {
      env.close();
      engine.createNewBackup(db, true);
    }
  }

  private static SstFileWriter writer() {
    try (EnvOptions env = new EnvOptions();
        Options options = new Options()) {
      return new SstFileWriter(env, options);
    }
  }

  private static String table(Path folder, String name) throws Exception {
    String file = folder.resolve(name).toString();
    try (SstFileWriter writer = writer()) {
      writer.open(file);
      for (int i = 0; i < 10_000; i++) {
        writer.put("key%06d".formatted(i).getBytes(), VALUE);
      }
      writer.finish();
    }
    return file;
  }

  private static void closedTable(Path folder) throws Exception {
    SstFileWriter writer = writer();
    writer.open(folder.resolve("table").toString());
    writer.put(KEY, VALUE);
    writer.close();
    writer.put(VALUE, VALUE);
    writer.finish();
  }

  private static void tableNotOpened(Path folder) throws Exception {
    try (SstFileWriter writer = writer()) {
      writer.put(KEY, VALUE);
    }
  }

  private static void tableFinishedTwice(Path folder) throws Exception {
    try (SstFileWriter writer = writer()) {
      writer.open(folder.resolve("table").toString());
      writer.put(KEY, VALUE);
      writer.finish();
      writer.finish();
    }
  }

  private static void readerNotOpened(Path folder) throws Exception {
    try (Options options = new Options();
        ReadOptions read = new ReadOptions();
        SstFileReader reader = new SstFileReader(options)) {
      reader.newIterator(read).seekToFirst();
    }
  }

  private static void askReaderNotOpened(Path folder) throws Exception {
    try (Options options = new Options();
        SstFileReader reader = new SstFileReader(options)) {
      reader.getTableProperties();
    }
  }

  private static void readerClosed(Path folder) throws Exception {
    try (Options options = new Options();
        ReadOptions read = new ReadOptions()) {
      SstFileReader reader = new SstFileReader(options);
      reader.open(table(folder, "table"));
      SstFileReaderIterator rows = reader.newIterator(read);
      rows.seekToFirst();
      reader.close();
      while (rows.isValid()) {
        rows.key();
        rows.next();
      }
      rows.close();
    }
  }

  private static void readerReopened(Path folder) throws Exception {
    try (Options options = new Options();
        ReadOptions read = new ReadOptions();
        SstFileReader reader = new SstFileReader(options)) {
      reader.open(table(folder, "table"));
      SstFileReaderIterator rows = reader.newIterator(read);
      rows.seekToFirst();
      reader.open(table(folder, "other"));
      while (rows.isValid()) {
        rows.key();
        rows.next();
      }
      rows.close();
    }
  }

  private static void ingestWithClosedOptions(Path folder) throws Exception {
    try (RocksDB db = open(folder.resolve("db"))) {
      IngestExternalFileOptions options = new IngestExternalFileOptions();
      options.close();
      db.ingestExternalFile(List.of(table(folder, "table")), options);
    }
  }

  private static void logOutlives(Path folder) throws Exception {
    RocksDB db = open(folder);
    TransactionLogIterator log = db.getUpdatesSince(1);
    db.close();
    for (int i = 0; i < 200; i++) {
      log.next();
    }
    log.close();
  }

  private static void batchTwice(Path folder) throws Exception {
    try (RocksDB db = open(folder);
        TransactionLogIterator log = db.getUpdatesSince(1)) {
      log.getBatch().writeBatch().close();
      log.getBatch().writeBatch().count();
    }
  }

  private static void emptyLog(Path folder) throws Exception {
    try (RocksDB db = openFlushed(folder.resolve("flushed"));
        TransactionLogIterator log = db.getUpdatesSince(db.getLatestSequenceNumber())) {
      log.next();
      log.next();
    }
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, folder.resolve("empty").toString());
        TransactionLogIterator log = db.getUpdatesSince(0)) {
      log.next();
    }
  }

  private static void batchBehindEnd(Path folder) throws Exception {
    try (RocksDB db = open(folder);
        TransactionLogIterator log = db.getUpdatesSince(db.getLatestSequenceNumber())) {
      log.next();
      log.getBatch().writeBatch().count();
    }
  }

  /** Loses the CURRENT file, and expects the entry when the file is back. */
  private static void lostCurrent(Path folder) throws Exception {
    openFlushed(folder).close();
    Path current = folder.resolve("CURRENT");
    byte[] content = Files.readAllBytes(current);
    Files.delete(current);
    for (int attempt = 0; attempt < 2; attempt++) {
      try (Options options = new Options().setCreateIfMissing(true)) {
        RocksDB.open(options, folder.toString()).close();
      } catch (org.rocksdb.RocksDBException e) {
        // programs try again
      }
    }
    Files.write(current, content);
    try (Options options = new Options();
        RocksDB db = RocksDB.open(options, folder.toString())) {
      if (db.get(KEY) == null) {
        throw new IllegalArgumentException("the database is lost");
      }
    }
  }
}
