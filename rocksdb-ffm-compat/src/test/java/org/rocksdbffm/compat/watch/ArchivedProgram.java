/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.EnvOptions;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksMemEnv;
import org.rocksdb.SstFileWriter;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WriteOptions;

/** A program that knows nothing of archives. */
public final class ArchivedProgram {
  private static final byte[] FAMILY = "keyValueWithTimestamp".getBytes(UTF_8);
  private static final int ROWS = 200;

  private ArchivedProgram() {}

  public static void main(String[] arguments) throws Exception {
    RocksDB.loadLibrary();
    switch (arguments[0]) {
      case "write" -> {
        store("store", true);
        tables();
        transactions();
        others();
      }
      case "read" -> store(arguments[1], false);
      case "readTables" -> readTables(arguments[1]);
      case "lose" -> lose();
      case "pause" -> pause();
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    System.out.println("done");
  }

  private static byte[] bytes(String text, int number) {
    return (text + number).getBytes(UTF_8);
  }

  /** Uses two families and no WAL, as a store of Kafka Streams does; or reads the rows. */
  private static void store(String folder, boolean isWritten) throws RocksDBException {
    List<ColumnFamilyHandle> families = new ArrayList<>();
    try (DBOptions options = new DBOptions().setCreateIfMissing(isWritten).setCreateMissingColumnFamilies(isWritten);
        ColumnFamilyOptions ofFamily = new ColumnFamilyOptions();
        WriteOptions withoutLog = new WriteOptions().setDisableWAL(true);
        RocksDB db =
            RocksDB.open(
                options,
                folder,
                List.of(
                    new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, ofFamily),
                    new ColumnFamilyDescriptor(FAMILY, ofFamily)),
                families)) {
      for (int i = 0; i < ROWS; i++) {
        for (ColumnFamilyHandle family : families) {
          if (isWritten) {
            db.put(family, withoutLog, bytes("row", i), bytes("value", i));
          }
          require(Arrays.equals(db.get(family, bytes("row", i)), bytes("value", i)), "row " + i + " in " + folder);
        }
      }
      families.forEach(ColumnFamilyHandle::close);
    }
  }

  private static void tables() throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true);
        EnvOptions env = new EnvOptions();
        SstFileWriter writer = new SstFileWriter(env, options);
        IngestExternalFileOptions ingesting = new IngestExternalFileOptions();
        RocksDB db = RocksDB.open(options, "tables")) {
      writer.open("table.sst");
      writer.put(bytes("ingested", 1), bytes("value", 1));
      writer.finish();
      db.put(bytes("row", 1), bytes("value", 1));
      db.ingestExternalFile(List.of("table.sst"), ingesting);
      db.put(bytes("row", 2), bytes("value", 2));
    }
  }

  private static void readTables(String folder) throws RocksDBException {
    try (Options options = new Options();
        RocksDB db = RocksDB.openReadOnly(options, folder)) {
      for (String row : List.of("ingested1", "row1", "row2")) {
        require(db.get(row.getBytes(UTF_8)) != null, row);
      }
    }
  }

  private static void transactions() throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true);
        TransactionDBOptions locks = new TransactionDBOptions();
        TransactionDB db = TransactionDB.open(options, locks, "transactions")) {
      db.put(bytes("row", 1), bytes("value", 1));
    }
  }

  /** Opens databases that are not archived. */
  private static void others() throws RocksDBException {
    try (RocksMemEnv memory = new RocksMemEnv(Env.getDefault());
        Options inMemory = new Options().setCreateIfMissing(true).setEnv(memory);
        Options options = new Options();
        RocksDB db = RocksDB.open(inMemory, Path.of("memory").toAbsolutePath().toString());
        RocksDB reader = RocksDB.openReadOnly(options, "tables");
        RocksDB secondary = RocksDB.openAsSecondary(options, "tables", "secondary")) {
      db.put(bytes("row", 1), bytes("value", 1));
      require(reader.get(bytes("row", 1)) != null && secondary.get(bytes("row", 1)) != null, "rows of readers");
    }
  }

  private static void lose() throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, "lost")) {
      db.put(bytes("row", 1), bytes("value", 1));
    }
    try (Options options = new Options();
        RocksDB db = RocksDB.openReadOnly(options, "lost")) {
      require(db.get(bytes("row", 1)) != null, "the row of the closed database");
    }
  }

  /** Closes a database with paused background work, after a change that needs a base, and so a flush. */
  private static void pause() throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true);
        EnvOptions env = new EnvOptions();
        SstFileWriter writer = new SstFileWriter(env, options);
        IngestExternalFileOptions ingesting = new IngestExternalFileOptions();
        RocksDB db = RocksDB.open(options, "paused")) {
      writer.open("table.sst");
      writer.put(bytes("ingested", 1), bytes("value", 1));
      writer.finish();
      db.pauseBackgroundWork();
      db.ingestExternalFile(List.of("table.sst"), ingesting);
      db.put(bytes("row", 1), bytes("value", 1));
    }
  }

  private static void require(boolean holds, String claim) {
    if (!holds) {
      throw new AssertionError(claim);
    }
  }
}
