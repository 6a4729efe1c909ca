/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.sweep;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactionOptionsFIFO;
import org.rocksdb.CompactionOptionsUniversal;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.EnvOptions;
import org.rocksdb.HashLinkedListMemTableConfig;
import org.rocksdb.HashSkipListMemTableConfig;
import org.rocksdb.IndexType;
import org.rocksdb.MemTableConfig;
import org.rocksdb.Options;
import org.rocksdb.PlainTableConfig;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SkipListMemTableConfig;
import org.rocksdb.SstFileWriter;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TransactionOptions;
import org.rocksdb.VectorMemTableConfig;
import org.rocksdb.WriteOptions;

/** The classes with settings, how to create an object of each, and how to use a database with it. */
final class Subjects {
  private final Workload workload;

  Subjects(Workload workload) {
    this.workload = workload;
  }

  /** Creates an object whose setters are swept, for use in a folder. */
  interface Maker {
    Object make(Path folder);
  }

  /** Uses a database with an object in which one value is set. */
  interface Use {
    String with(Object settings, Path folder) throws Exception;
  }

  record Subject(String name, Maker maker, Use use) {}

  List<Subject> all() {
    List<Subject> all = new ArrayList<>();
    all.add(new Subject("Options", folder -> options(), (its, folder) -> workload.run((Options) its, folder)));
    all.add(new Subject("DBOptions", folder -> new DBOptions().setCreateIfMissing(true), (its, folder) ->
        opened((DBOptions) its, new ColumnFamilyOptions(), folder)));
    all.add(new Subject("ColumnFamilyOptions", folder -> new ColumnFamilyOptions(), (its, folder) ->
        opened(new DBOptions().setCreateIfMissing(true), (ColumnFamilyOptions) its, folder)));
    tables(all);
    all.add(
        new Subject("CompactionOptionsUniversal", folder ->
            new CompactionOptionsUniversal(), (its, folder) -> workload.run(
        options().setCompactionStyle(CompactionStyle.UNIVERSAL)
            .setCompactionOptionsUniversal((CompactionOptionsUniversal) its),
        folder)));
    all.add(new Subject("CompactionOptionsFIFO", folder -> new CompactionOptionsFIFO(), (its, folder) -> workload.run(
        options().setCompactionStyle(CompactionStyle.FIFO)
            .setCompactionOptionsFIFO((CompactionOptionsFIFO) its), folder)));
    for (CompressionType type :
        List.of(CompressionType.ZLIB_COMPRESSION, CompressionType.ZSTD_COMPRESSION, CompressionType.LZ4_COMPRESSION)) {
      all.add(
          new Subject("CompressionOptions of " + type, folder ->
              new CompressionOptions(), (its, folder) -> workload.run(
          options().setCompressionType(type).setCompressionOptions((CompressionOptions) its), folder)));
    }
    operations(all);
    transactions(all);
    return all;
  }

  private void tables(List<Subject> all) {
    all.add(new Subject("BlockBasedTableConfig", folder -> table(), (its, folder) ->
        workload.run(options().setTableFormatConfig((BlockBasedTableConfig) its), folder)));
    all.add(new Subject("BlockBasedTableConfig with hashes", folder -> table(), (its, folder) -> workload.run(
        options().useFixedLengthPrefixExtractor(3)
            .setTableFormatConfig(((BlockBasedTableConfig) its).setIndexType(IndexType.kHashSearch)),
        folder)));
    all.add(new Subject("PlainTableConfig", folder -> new PlainTableConfig(), (its, folder) -> workload.run(
        options().useFixedLengthPrefixExtractor(3).setAllowMmapReads(true).setTableFormatConfig((PlainTableConfig) its),
        folder)));
    List<Maker> memtables =
        List.of(
            folder -> new SkipListMemTableConfig(), folder -> new VectorMemTableConfig(),
            folder -> new HashSkipListMemTableConfig(), folder -> new HashLinkedListMemTableConfig());
    for (Maker memtable : memtables) {
      all.add(new Subject(memtable.make(null).getClass().getSimpleName(), memtable, (its, folder) -> workload.run(
          options().useFixedLengthPrefixExtractor(8).setAllowConcurrentMemtableWrite(false)
              .setMemTableConfig((MemTableConfig) its),
          folder)));
    }
  }

  private void operations(List<Subject> all) {
    all.add(new Subject("ReadOptions", folder -> new ReadOptions(), (its, folder) -> {
      try (Options options = options().useFixedLengthPrefixExtractor(3);
          RocksDB db = RocksDB.open(options, folder.toString())) {
        fill(db, new WriteOptions());
        return rows(db, (ReadOptions) its);
      }
    }));
    all.add(new Subject("WriteOptions", folder -> new WriteOptions(), (its, folder) -> {
      try (Options options = options();
          RocksDB db = RocksDB.open(options, folder.toString())) {
        fill(db, (WriteOptions) its);
        return rows(db, new ReadOptions());
      }
    }));
    all.add(new Subject("CompactRangeOptions", folder -> new CompactRangeOptions(), (its, folder) -> {
      try (Options options = options();
          RocksDB db = RocksDB.open(options, folder.toString())) {
        fill(db, new WriteOptions());
        db.compactRange(db.getDefaultColumnFamily(), null, null, (CompactRangeOptions) its);
        return rows(db, new ReadOptions());
      }
    }));
    all.add(new Subject("EnvOptions", folder -> new EnvOptions(), (its, folder) -> {
      String table = folder.resolve("table.sst").toString();
      try (Options options = options();
          SstFileWriter writer = new SstFileWriter((EnvOptions) its, options)) {
        writer.open(table);
        writer.put("k1".getBytes(UTF_8), "v".repeat(5000).getBytes(UTF_8));
        writer.put("k2".getBytes(UTF_8), "v".repeat(5000).getBytes(UTF_8));
        writer.finish();
        return "finished";
      }
    }));
    all.add(new Subject("BackupEngineOptions", folder -> new BackupEngineOptions(folder.toString()), (its, folder) -> {
      try (Options options = options();
          RocksDB db = RocksDB.open(options, folder.resolve("db").toString());
          BackupEngine engine = BackupEngine.open(Env.getDefault(), (BackupEngineOptions) its)) {
        fill(db, new WriteOptions());
        engine.createNewBackup(db, true);
        engine.restoreDbFromLatestBackup(
            folder + "/restored", folder + "/restored", new org.rocksdb.RestoreOptions(false));
        return engine.getBackupInfo().size() + " backups";
      }
    }));
  }

  private void transactions(List<Subject> all) {
    all.add(new Subject("TransactionDBOptions", folder -> new TransactionDBOptions(), (its, folder) -> workload.run(
        path -> TransactionDB.open(options(), (TransactionDBOptions) its, path), folder)));
    all.add(new Subject("TransactionOptions", folder -> new TransactionOptions(), (its, folder) -> {
      try (TransactionDB db = TransactionDB.open(options(), new TransactionDBOptions(), folder.toString());
          Transaction transaction = db.beginTransaction(new WriteOptions(), (TransactionOptions) its)) {
        transaction.put("k".getBytes(UTF_8), "v".getBytes(UTF_8));
        transaction.getForUpdate(new ReadOptions(), "k".getBytes(UTF_8), true);
        transaction.commit();
        return rows(db, new ReadOptions());
      }
    }));
  }

  static Options options() {
    return new Options().setCreateIfMissing(true);
  }

  private static BlockBasedTableConfig table() {
    return new BlockBasedTableConfig().setFilterPolicy(new BloomFilter(10));
  }

  private String opened(DBOptions database, ColumnFamilyOptions family, Path folder) throws Exception {
    List<ColumnFamilyDescriptor> families = List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, family));
    return workload.run(path -> {
      List<ColumnFamilyHandle> handles = new ArrayList<>();
      return RocksDB.open(database, path, families, handles);
    }, folder);
  }

  static void fill(RocksDB db, WriteOptions writing) throws RocksDBException {
    for (int i = 0; i < 300; i++) {
      db.put(writing, "key%05d".formatted(i).getBytes(UTF_8), ("value" + i).repeat(30).getBytes(UTF_8));
      if (i % 100 == 99) {
        db.flush(new org.rocksdb.FlushOptions());
      }
    }
  }

  static String rows(RocksDB db, ReadOptions reading) throws RocksDBException {
    int rows = 0;
    try (RocksIterator iterator = db.newIterator(reading)) {
      for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
        rows += iterator.value().length;
      }
      iterator.status();
      iterator.seek("key00100".getBytes(UTF_8));
      rows += iterator.isValid() ? 1 : 0;
    }
    byte[] value = db.get(reading, "key00007".getBytes(UTF_8));
    return rows + " bytes, " + (value == null ? "none" : value.length);
  }
}
