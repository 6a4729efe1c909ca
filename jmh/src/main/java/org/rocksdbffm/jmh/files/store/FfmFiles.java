/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.store;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.Backups;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.Compression;
import org.rocksdbffm.DatabaseFiles;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Scan;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.WriteBatch;

/** Files with this library's API. */
final class FfmFiles implements FileStore {
  private static final DatabaseOptions DATABASE = DatabaseOptions.defaults().option("keep_log_file_num", 1);
  private static final FamilyOptions OPTIONS =
      FamilyOptions.defaults()
          .compression(Compression.NONE)
          .writeBufferSize(ByteSize.bytes(FileStores.WRITE_BUFFER_BYTES))
          .disableAutoCompactions(true);

  private final RocksDb db;

  FfmFiles(Path folder) {
    db = RocksDb.at(folder).options(DATABASE).defaults(OPTIONS).open();
  }

  @Override
  public void put(byte[] key, byte[] value) {
    db.put(key, value);
  }

  @Override
  public void putAll(FileRows rows, int size) {
    WriteBatch batch = new WriteBatch();
    for (int row = 0; row < rows.count(); row++) {
      batch.put(rows.key(row), rows.value(row));
      if (batch.count() == size || row == rows.count() - 1) {
        db.write(batch);
        batch.clear();
      }
    }
  }

  @Override
  public void flush() {
    db.flush();
  }

  @Override
  public void writeTable(Path file, FileRows rows) {
    try (TableWriter table = TableWriter.create(file, OPTIONS)) {
      for (int row = 0; row < rows.count(); row++) {
        table.put(rows.key(row), rows.value(row));
      }
      table.finish();
    }
  }

  /** Does nothing, because the writer has already synced the name. */
  @Override
  public void syncName(Path file) {}

  @Override
  public void ingest(Path file) {
    db.files().ingest(file);
  }

  @Override
  public List<byte[]> batches() {
    List<byte[]> batches = new ArrayList<>();
    try (DatabaseFiles.LogReader log = db.files().logSince(1)) {
      while (log.next()) {
        batches.add(log.batch(bytes -> bytes.toArray(ValueLayout.JAVA_BYTE)));
      }
    }
    return batches;
  }

  @Override
  public Tail tail() {
    long bytes = 0;
    long sum = 0;
    try (DatabaseFiles.LogReader log = db.files().logSince(1)) {
      while (log.next()) {
        Tail its = log.batch(FfmFiles::look);
        bytes += its.bytes();
        sum += its.sum();
      }
    }
    return new Tail(bytes, sum);
  }

  private static Tail look(MemorySegment batch) {
    return new Tail(batch.byteSize(), batch.get(ValueLayout.JAVA_BYTE, batch.byteSize() - 1));
  }

  @Override
  public void apply(List<byte[]> batches) {
    for (byte[] bytes : batches) {
      db.write(WriteBatch.from(MemorySegment.ofArray(bytes)));
    }
  }

  @Override
  public void checkpoint(Path target) {
    db.files().checkpoint(target);
  }

  @Override
  public void backup(Path folder) {
    try (Backups backups = Backups.open(folder)) {
      backups.create(db);
    }
  }

  static void restore(Path folder, Path target) {
    try (Backups backups = Backups.open(folder)) {
      backups.restoreLatest(target);
    }
  }

  @Override
  public long sum() {
    long sum = 0;
    try (Scan rows = db.scan(KeyRange.all())) {
      while (rows.next()) {
        byte[] value = rows.valueBytes();
        sum += rows.keyBytes().length + value.length + value[0];
      }
    }
    return sum;
  }

  @Override
  public void close() {
    db.close();
  }
}
