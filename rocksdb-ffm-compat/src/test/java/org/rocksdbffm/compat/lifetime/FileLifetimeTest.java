/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.Checkpoint;
import org.rocksdb.Env;
import org.rocksdb.EnvOptions;
import org.rocksdb.ExportImportFilesMetaData;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.Options;
import org.rocksdb.Priority;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksMemEnv;
import org.rocksdb.SstFileManager;
import org.rocksdb.SstFileWriter;
import org.rocksdb.TimedEnv;

/** Objects that work on files can be closed before or after the objects that they use. */
@Timeout(300)
class FileLifetimeTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final byte[] VALUE = "value".getBytes(UTF_8);

  @TempDir Path folder;
  private Options options;
  private RocksDB db;

  @BeforeEach
  void open() throws RocksDBException {
    RocksDB.loadLibrary();
    options = new Options().setCreateIfMissing(true);
    db = RocksDB.open(options, folder.resolve("db").toString());
    db.put(KEY, VALUE);
  }

  @AfterEach
  void close() {
    db.close();
    options.close();
  }

  private static void assertClosed(String what, Executable use) {
    assertEquals(what + " is closed", assertThrows(IllegalStateException.class, use).getMessage());
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  @Test
  void aCheckpointIsClosedWithItsDatabaseAndWhatWasExportedIsNot() throws RocksDBException {
    Checkpoint checkpoint = Checkpoint.create(db);
    ExportImportFilesMetaData exported = checkpoint.exportColumnFamily(db.getDefaultColumnFamily(), path("export"));
    db.close();
    assertClosed("Checkpoint", () -> checkpoint.createCheckpoint(path("copy")));
    checkpoint.close();
    exported.close();
    exported.close();
  }

  @Test
  void aClosedWriterOfTablesSaysSo() throws RocksDBException {
    EnvOptions env = new EnvOptions();
    SstFileWriter writer = new SstFileWriter(env, options);
    env.close();
    writer.open(path("table"));
    writer.put(KEY, VALUE);
    writer.close();
    writer.close();
    assertClosed("SstFileWriter", () -> writer.put(KEY, VALUE));
    assertClosed("SstFileWriter", writer::finish);
    IngestExternalFileOptions ingest = new IngestExternalFileOptions();
    ingest.close();
    assertClosed(
        "IngestExternalFileOptions", () -> db.ingestExternalFile(List.of(path("table")), ingest));
  }

  @Test
  void anEnvironmentLivesAsLongAsTheWriterOfTablesInIt() throws RocksDBException {
    RocksMemEnv memory = new RocksMemEnv(Env.getDefault());
    Options inMemory = new Options().setEnv(memory);
    EnvOptions env = new EnvOptions();
    try (SstFileWriter writer = new SstFileWriter(env, inMemory)) {
      inMemory.close();
      memory.close();
      env.close();
      writer.open("/table");
      writer.put(KEY, VALUE);
      writer.finish();
    }
  }

  @Test
  void anEnvironmentLivesAsLongAsTheEngineOfBackupsInIt() throws RocksDBException {
    RocksMemEnv memory = new RocksMemEnv(Env.getDefault());
    Options inMemory = new Options().setCreateIfMissing(true).setEnv(memory);
    BackupEngineOptions backupOptions = new BackupEngineOptions("/").setBackupEnv(memory);
    RocksDB other = RocksDB.open(inMemory, "/other");
    try (BackupEngine engine = BackupEngine.open(memory, backupOptions)) {
      other.put(KEY, VALUE);
      backupOptions.close();
      inMemory.close();
      memory.close();
      engine.createNewBackup(other, true);
      other.close();
      assertEquals(1, engine.getBackupInfo().size());
      assertClosed("RocksDB", () -> engine.createNewBackup(other));
    }
  }

  @Test
  void anEnvironmentLivesAsLongAsOneThatIsMadeOfIt() throws RocksDBException {
    RocksMemEnv memory = new RocksMemEnv(Env.getDefault());
    TimedEnv timed = new TimedEnv(memory);
    Options inMemory = new Options().setCreateIfMissing(true).setEnv(timed);
    SstFileManager files = new SstFileManager(timed);
    inMemory.setSstFileManager(files);
    RocksDB other = RocksDB.open(inMemory, "/other");
    Env borrowed = other.getEnv();
    memory.close();
    timed.close();
    files.close();
    inMemory.close();
    other.put(KEY, VALUE);
    other.compactRange();
    assertArrayEquals(VALUE, other.get(KEY));
    other.close();
    assertClosed("RocksDB", () -> borrowed.getBackgroundThreads(Priority.LOW));
  }
}
