/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.ConfigOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.EnvOptions;
import org.rocksdb.ExportImportFilesMetaData;
import org.rocksdb.FlushOptions;
import org.rocksdb.ImportColumnFamilyOptions;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.Options;
import org.rocksdb.OptionsUtil;
import org.rocksdb.ReadOptions;
import org.rocksdb.RestoreOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;
import org.rocksdb.SstFileReaderIterator;
import org.rocksdb.SstFileWriter;
import org.rocksdb.StringAppendOperator;
import org.rocksdbffm.compat.tools.LambdaComparator;

/**
 * A program for {@link NamedCodeTest}: opens a database with a Java comparator, range deletions and merges in all ways
 * in which the engine opens SST files knowing only the comparator's name.
 */
final class NamedCode {
  private final Path folder;
  private final Options options;

  private NamedCode(Path folder, Options options) {
    this.folder = folder;
    this.options = options;
  }

  public static void main(String[] arguments) throws Exception {
    RocksDB.loadLibrary();
    Path folder = Files.createTempDirectory(Path.of("").toAbsolutePath(), "named");
    Files.createDirectories(folder.resolve("backups"));
    try (BackupEngineOptions backups = new BackupEngineOptions(folder.resolve("backups").toString());
        BackupEngine early = BackupEngine.open(Env.getDefault(), backups);
        ComparatorOptions comparing = new ComparatorOptions();
        LambdaComparator backward = new LambdaComparator(comparing, "a backward order", Comparator.reverseOrder());
        StringAppendOperator merging = new StringAppendOperator();
        Options options = new Options().setCreateIfMissing(true).setComparator(backward).setMergeOperator(merging);
        RocksDB db = RocksDB.open(options, folder.resolve("db").toString())) {
      NamedCode code = new NamedCode(folder, options);
      code.fill(db);
      code.back(db, early, backups);
      code.copy(db);
      code.takeIn(db);
      code.read(db);
    }
    System.out.println("done");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }

  private void fill(RocksDB db) throws RocksDBException {
    for (int i = 0; i < 10; i++) {
      db.put(bytes("key" + i), bytes("value"));
    }
    db.deleteRange(bytes("key4"), bytes("key2"));
    db.merge(bytes("key9"), bytes("more"));
    try (FlushOptions flushing = new FlushOptions()) {
      db.flush(flushing);
    }
  }

  private void check(String name) throws RocksDBException {
    try (RocksDB db = RocksDB.openReadOnly(options, folder.resolve(name).toString())) {
      require(db.get(bytes("key3")) == null, "a deleted row");
      require(Arrays.equals(bytes("value,more"), db.get(bytes("key9"))), "a merged row");
    }
  }

  private void back(RocksDB db, BackupEngine early, BackupEngineOptions backups) throws RocksDBException {
    try {
      early.createNewBackup(db);
      throw new AssertionError("an engine that opens tables without their comparator");
    } catch (IllegalStateException refused) {
      require(refused.getMessage().endsWith("open it again"), refused.toString());
    }
    try (BackupEngine engine = BackupEngine.open(Env.getDefault(), backups);
        RestoreOptions restoring = new RestoreOptions(false)) {
      engine.createNewBackup(db);
      engine.createNewBackupWithMetadata(db, "text", true);
      String restored = folder.resolve("restored").toString();
      engine.restoreDbFromBackup(2, restored, restored, restoring);
    }
    check("restored");
  }

  private void copy(RocksDB db) throws RocksDBException {
    try (Checkpoint checkpoint = Checkpoint.create(db)) {
      checkpoint.createCheckpoint(folder.resolve("checkpoint").toString());
      check("checkpoint");
      try (ExportImportFilesMetaData exported =
              checkpoint.exportColumnFamily(db.getDefaultColumnFamily(), folder.resolve("export").toString());
          ColumnFamilyOptions its = new ColumnFamilyOptions(options);
          ImportColumnFamilyOptions importing = new ImportColumnFamilyOptions();
          ColumnFamilyHandle family =
              db.createColumnFamilyWithImport(
                  new ColumnFamilyDescriptor(bytes("imported"), its), importing, exported)) {
        require(db.get(family, bytes("key3")) == null, "a deleted row");
        db.dropColumnFamily(family);
      }
    }
  }

  private void takeIn(RocksDB db) throws RocksDBException {
    String table = folder.resolve("table.sst").toString();
    try (EnvOptions environment = new EnvOptions();
        SstFileWriter writer = new SstFileWriter(environment, options);
        IngestExternalFileOptions ingesting = new IngestExternalFileOptions()) {
      writer.open(table);
      writer.put(bytes("kez"), bytes("value"));
      writer.merge(bytes("key9"), bytes("more"));
      writer.finish();
      db.ingestExternalFile(List.of(table), ingesting);
    }
    db.verifyChecksum();
  }

  private void read(RocksDB db) throws RocksDBException {
    for (LiveFileMetaData file : db.getLiveFilesMetaData()) {
      try (SstFileReader reader = new SstFileReader(options);
          ReadOptions reading = new ReadOptions()) {
        reader.open(file.path() + file.fileName());
        reader.verifyChecksum();
        try (SstFileReaderIterator rows = reader.newIterator(reading)) {
          rows.seekToFirst();
          require(rows.isValid(), "a row");
        }
      }
    }
    List<ColumnFamilyDescriptor> families = new ArrayList<>();
    try (ConfigOptions reading = new ConfigOptions();
        DBOptions loaded = new DBOptions()) {
      OptionsUtil.loadLatestOptions(reading, folder.resolve("db").toString(), loaded, families);
      require(families.size() == 1, "a family");
      families.getFirst().getOptions().close();
    }
  }
}
