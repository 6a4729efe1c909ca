/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.Checkpoint;
import org.rocksdb.CompressionType;
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
import org.rocksdb.TransactionLogIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Files with {@code org.rocksdb}: rocksdbjni, or the drop-in, depending on the class path. */
final class JniFiles implements FileStore {
  private final Options options;
  private final WriteOptions writeOptions;
  private final RocksDB db;

  JniFiles(Path folder) throws RocksDBException {
    RocksDB.loadLibrary();
    options =
        new Options()
            .setCreateIfMissing(true)
            .setCompressionType(CompressionType.NO_COMPRESSION)
            .setWriteBufferSize(FileStores.WRITE_BUFFER_BYTES)
            .setDisableAutoCompactions(true)
            .setKeepLogFileNum(1);
    writeOptions = new WriteOptions();
    db = RocksDB.open(options, folder.toString());
  }

  @Override
  public void put(byte[] key, byte[] value) throws RocksDBException {
    db.put(writeOptions, key, value);
  }

  @Override
  public void putAll(FileRows rows, int size) throws RocksDBException {
    try (WriteBatch batch = new WriteBatch()) {
      for (int row = 0; row < rows.count(); row++) {
        batch.put(rows.key(row), rows.value(row));
        if (batch.count() == size || row == rows.count() - 1) {
          db.write(writeOptions, batch);
          batch.clear();
        }
      }
    }
  }

  @Override
  public void flush() throws RocksDBException {
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      db.flush(flush);
    }
  }

  @Override
  public void writeTable(Path file, FileRows rows) throws RocksDBException {
    try (EnvOptions environment = new EnvOptions();
        SstFileWriter table = new SstFileWriter(environment, options)) {
      table.open(file.toString());
      for (int row = 0; row < rows.count(); row++) {
        table.put(rows.key(row), rows.value(row));
      }
      table.finish();
    }
  }

  @Override
  public void syncName(Path file) throws IOException {
    try (FileChannel folder = FileChannel.open(file.getParent(), StandardOpenOption.READ)) {
      folder.force(true);
    }
  }

  @Override
  public void ingest(Path file) throws RocksDBException {
    try (IngestExternalFileOptions how = new IngestExternalFileOptions()) {
      db.ingestExternalFile(List.of(file.toString()), how);
    }
  }

  @Override
  public List<byte[]> batches() throws RocksDBException {
    List<byte[]> batches = new ArrayList<>();
    try (TransactionLogIterator log = db.getUpdatesSince(1)) {
      for (; log.isValid(); log.next()) {
        try (WriteBatch batch = log.getBatch().writeBatch()) {
          batches.add(batch.data());
        }
      }
      log.status();
    }
    return batches;
  }

  @Override
  public Tail tail() throws RocksDBException {
    long bytes = 0;
    long sum = 0;
    try (TransactionLogIterator log = db.getUpdatesSince(1)) {
      for (; log.isValid(); log.next()) {
        try (WriteBatch batch = log.getBatch().writeBatch()) {
          byte[] data = batch.data();
          bytes += data.length;
          sum += data[data.length - 1];
        }
      }
      log.status();
    }
    return new Tail(bytes, sum);
  }

  @Override
  public void apply(List<byte[]> batches) throws RocksDBException {
    for (byte[] bytes : batches) {
      try (WriteBatch batch = new WriteBatch(bytes)) {
        db.write(writeOptions, batch);
      }
    }
  }

  @Override
  public void checkpoint(Path target) throws RocksDBException {
    try (Checkpoint checkpoint = Checkpoint.create(db)) {
      checkpoint.createCheckpoint(target.toString());
    }
  }

  @Override
  public void backup(Path folder) throws RocksDBException {
    try (BackupEngineOptions how = new BackupEngineOptions(folder.toString());
        BackupEngine backups = BackupEngine.open(Env.getDefault(), how)) {
      backups.createNewBackup(db, true);
    }
  }

  static void restore(Path folder, Path target) throws RocksDBException {
    try (BackupEngineOptions how = new BackupEngineOptions(folder.toString());
        BackupEngine backups = BackupEngine.open(Env.getDefault(), how);
        RestoreOptions restore = new RestoreOptions(false)) {
      backups.restoreDbFromLatestBackup(target.toString(), target.toString(), restore);
    }
  }

  @Override
  public long sum() throws RocksDBException {
    long sum = 0;
    try (RocksIterator rows = db.newIterator()) {
      for (rows.seekToFirst(); rows.isValid(); rows.next()) {
        byte[] value = rows.value();
        sum += rows.key().length + value.length + value[0];
      }
      rows.status();
    }
    return sum;
  }

  @Override
  public void close() {
    db.close();
    writeOptions.close();
    options.close();
  }
}
