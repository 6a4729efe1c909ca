/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.EnvOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.Options;
import org.rocksdb.RestoreOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SstFileWriter;
import org.rocksdb.StringAppendOperator;

/** A program that makes one operation on files with rocksdbjni; see {@link OtherBindingTest}. */
final class OtherBinding {
  static final int ROWS = 500;
  static final String FAMILY = "other";

  private OtherBinding() {}

  static byte[] key(int row) {
    return "key%05d".formatted(row).getBytes(UTF_8);
  }

  static byte[] value(String who, int row) {
    return (who + " wrote row " + row + "; ").repeat(row % 40).getBytes(UTF_8);
  }

  public static void main(String[] arguments) throws Exception {
    RocksDB.loadLibrary();
    switch (arguments[0]) {
      case "write" -> write(arguments[1]);
      case "empty-range" -> emptyRange(arguments[1]);
      case "read" -> read(arguments[1]);
      case "backup" -> backup(arguments[1], arguments[2], arguments[3]);
      case "restore" -> restore(arguments[1], arguments[2]);
      case "table" -> table(arguments[1]);
      case "ingest" -> ingest(arguments[1], arguments[2]);
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private interface Work {
    void run(RocksDB db, List<ColumnFamilyHandle> families) throws Exception;
  }

  private static void within(String folder, Work work) throws Exception {
    List<ColumnFamilyHandle> families = new ArrayList<>();
    try (StringAppendOperator appending = new StringAppendOperator(',');
        ColumnFamilyOptions options = new ColumnFamilyOptions().setMergeOperator(appending);
        DBOptions all = new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true)) {
      List<ColumnFamilyDescriptor> descriptors =
          List.of(
              new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, options),
              new ColumnFamilyDescriptor(FAMILY.getBytes(UTF_8), options));
      try (RocksDB db = RocksDB.open(all, folder, descriptors, families)) {
        work.run(db, families);
        families.forEach(ColumnFamilyHandle::close);
      }
    }
  }

  private static void write(String folder) throws Exception {
    within(
        folder,
        (db, families) -> {
          for (ColumnFamilyHandle family : families) {
            for (int row = 0; row < ROWS; row++) {
              if (row == ROWS / 2) {
                try (FlushOptions flush = new FlushOptions()) {
                  db.flush(flush, family);
                }
              }
              db.put(family, key(row), value("rocksdbjni", row));
            }
            db.merge(family, key(1), value("a merge", 1));
            db.delete(family, key(2));
            db.deleteRange(family, key(100), key(120));
          }
        });
  }

  private static void emptyRange(String folder) throws Exception {
    within(
        folder,
        (db, families) -> {
          db.put(key(0), key(0));
          db.deleteRange(key(1), key(1));
          db.put(key(2), key(2));
        });
  }

  /** Prints a line for each family. */
  private static void read(String folder) throws Exception {
    within(
        folder,
        (db, families) -> {
          for (ColumnFamilyHandle family : families) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            try (RocksIterator rows = db.newIterator(family)) {
              for (rows.seekToFirst(); rows.isValid(); rows.next()) {
                add(digest, rows.key(), rows.value());
              }
              rows.status();
            }
            System.out.println(line(new String(family.getName(), UTF_8), digest));
          }
        });
  }

  static void add(MessageDigest digest, byte[] key, byte[] value) {
    digest.update(ByteBuffer.allocate(8).putInt(key.length).putInt(value.length).array());
    digest.update(key);
    digest.update(value);
  }

  static String line(String family, MessageDigest digest) {
    return "family " + family + " " + HexFormat.of().formatHex(digest.digest());
  }

  private static void backup(String folder, String backups, String note) throws Exception {
    Files.createDirectories(Path.of(backups)); // rocksdbjni requires the folder
    within(
        folder,
        (db, families) -> {
          try (BackupEngineOptions options = new BackupEngineOptions(backups);
              BackupEngine engine = BackupEngine.open(Env.getDefault(), options)) {
            engine.createNewBackupWithMetadata(db, note, true);
          }
        });
  }

  private static void restore(String backups, String folder) throws RocksDBException {
    try (BackupEngineOptions options = new BackupEngineOptions(backups);
        BackupEngine engine = BackupEngine.open(Env.getDefault(), options);
        RestoreOptions how = new RestoreOptions(false)) {
      engine.restoreDbFromLatestBackup(folder, folder, how);
      engine.getBackupInfo()
          .forEach(each -> System.out.println("backup " + each.backupId() + " " + each.appMetadata()));
    }
  }

  private static void table(String file) throws RocksDBException {
    try (StringAppendOperator appending = new StringAppendOperator(',');
        Options options = new Options().setMergeOperator(appending);
        EnvOptions environment = new EnvOptions();
        SstFileWriter table = new SstFileWriter(environment, options)) {
      table.open(file);
      for (int row = 0; row < ROWS; row++) {
        switch (row % 5) {
          case 0 -> table.merge(key(row), value("a merge of a table", row));
          case 1 -> table.delete(key(row));
          default -> table.put(key(row), value("a table", row));
        }
      }
      table.finish();
    }
  }

  private static void ingest(String folder, String file) throws Exception {
    within(
        folder,
        (db, families) -> {
          try (IngestExternalFileOptions options = new IngestExternalFileOptions()) {
            for (ColumnFamilyHandle family : families) {
              db.ingestExternalFile(family, List.of(file), options);
            }
          }
        });
  }
}
