/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import java.io.File;
import java.util.Arrays;
import java.util.Properties;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** Uses that RocksDB's documentation does not specify, in a JVM that has not loaded the library yet. */
final class UnsaidProgram {
  private UnsaidProgram() {}

  public static void main(String[] arguments) throws RocksDBException {
    Properties properties = new Properties();
    properties.setProperty("max_background_jobs", "3");
    try (DBOptions options = DBOptions.getDBOptionsFromProps(properties)) {
      System.out.println("jobs " + options.maxBackgroundJobs());
    }
    properties.clear();
    properties.setProperty("write_buffer_size", "1048576");
    try (ColumnFamilyOptions options = ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties)) {
      System.out.println("buffer " + options.writeBufferSize());
    }
    try (Options options = new Options().setCreateIfMissing(true);
        WriteOptions unlogged = new WriteOptions().setDisableWAL(true)) {
      RocksDB db = RocksDB.open(options, "db");
      db.put(unlogged, new byte[] {1}, new byte[] {1});
      try (Checkpoint checkpoint = Checkpoint.create(db)) {
        checkpoint.createCheckpoint("checkpoint");
      }
      report("open", () -> db.get((ColumnFamilyHandle) null, new byte[] {1}));
      db.close();
      report("closed", () -> db.get((ColumnFamilyHandle) null, new byte[] {1}));
    }
    long empty = Arrays.stream(new File("checkpoint").listFiles()).filter(file -> file.length() == 0).count();
    System.out.println("empty files " + empty);
    try (Options options = new Options();
        RocksDB copy = RocksDB.open(options, "checkpoint")) {
      System.out.println("copy " + copy.get(new byte[] {1}).length);
    }
  }

  private interface Use {
    void run() throws RocksDBException;
  }

  private static void report(String state, Use use) throws RocksDBException {
    try {
      use.run();
      System.out.println(state + " works");
    } catch (RuntimeException e) {
      System.out.println(state + " " + e.getClass().getSimpleName());
    }
  }
}
