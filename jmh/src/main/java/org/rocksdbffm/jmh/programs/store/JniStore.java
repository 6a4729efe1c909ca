/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.store;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.rocksdbffm.jmh.work.Owned;

/** A store with {@code org.rocksdb}: rocksdbjni, or the drop-in, depending on the class path. */
final class JniStore implements ProgramStore {
  private static final double NO_UNIFORM_CV_THRESHOLD = -1; // the engine's default

  private final Owned owned = new Owned();
  private final List<ColumnFamilyHandle> families = new ArrayList<>();
  private final ReadOptions readOptions;
  private final WriteOptions writeOptions;
  private final RocksDB db;

  JniStore(Path folder, Kind kind, int count) throws RocksDBException {
    RocksDB.loadLibrary();
    readOptions = owned.add(new ReadOptions());
    writeOptions = owned.add(new WriteOptions());
    ColumnFamilyOptions family =
        owned.add(new ColumnFamilyOptions()).setTableFormatConfig(table())
            .setWriteBufferSize(Stores.WRITE_BUFFER_BYTES);
    List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    descriptors.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, family));
    for (int i = 1; i < count; i++) {
      descriptors.add(new ColumnFamilyDescriptor(Stores.familyName(i).getBytes(), family));
    }
    DBOptions options =
        owned.add(new DBOptions())
            .setCreateIfMissing(true)
            .setCreateMissingColumnFamilies(true)
            .setMaxBackgroundJobs(Stores.BACKGROUND_JOBS)
            .setKeepLogFileNum(Stores.INFO_LOGS);
    String path = folder.toString();
    db =
        owned.add(
            switch (kind) {
              case PLAIN -> RocksDB.open(options, path, descriptors, families);
              case OPTIMISTIC -> OptimisticTransactionDB.open(options, path, descriptors, families);
              case LOCKING ->
                  TransactionDB.open(options, owned.add(new TransactionDBOptions()), path, descriptors, families);
            });
  }

  private BlockBasedTableConfig table() {
    return new BlockBasedTableConfig()
        .setUniformCvThreshold(NO_UNIFORM_CV_THRESHOLD)
        .setBlockCache(owned.add(new LRUCache(Stores.CACHE_BYTES)))
        .setFilterPolicy(owned.add(new BloomFilter(Stores.FILTER_BITS)));
  }

  @Override
  public void put(int family, byte[] key, byte[] value) throws RocksDBException {
    db.put(families.get(family), writeOptions, key, value);
  }

  @Override
  public byte[] get(int family, byte[] key) throws RocksDBException {
    return db.get(families.get(family), readOptions, key);
  }

  @Override
  public void delete(int family, byte[] key) throws RocksDBException {
    db.delete(families.get(family), writeOptions, key);
  }

  @Override
  public void deleteRange(int family, byte[] from, byte[] until) throws RocksDBException {
    db.deleteRange(families.get(family), writeOptions, from, until);
  }

  @Override
  public StoreBatch batch() {
    return new Batch(families, new WriteBatch());
  }

  @Override
  public void write(StoreBatch batch) throws RocksDBException {
    db.write(writeOptions, ((Batch) batch).batch);
  }

  @Override
  public StoreRows rows(int family) {
    return new JniRows(db.newIterator(families.get(family)));
  }

  @Override
  public StoreRows rows(int family, byte[] until) {
    Slice bound = new Slice(until);
    ReadOptions options = new ReadOptions().setIterateUpperBound(bound);
    return new JniRows(db.newIterator(families.get(family), options), options, bound);
  }

  @Override
  public void scan(int family, byte[] from, int rows, RowSink sink) throws RocksDBException {
    try (RocksIterator iterator = db.newIterator(families.get(family), readOptions)) {
      if (from == null) {
        iterator.seekToFirst();
      } else {
        iterator.seek(from);
      }
      int left = rows;
      while (left-- > 0 && iterator.isValid() && sink.row(iterator.key(), iterator.value())) {
        iterator.next();
      }
      iterator.status();
    }
  }

  @Override
  public void scanBackward(int family, RowSink sink) throws RocksDBException {
    try (RocksIterator iterator = db.newIterator(families.get(family), readOptions)) {
      for (iterator.seekToLast(); iterator.isValid() && sink.row(iterator.key(), iterator.value()); iterator.prev()) {}
      iterator.status();
    }
  }

  @Override
  public StoreTransaction begin() {
    return new Began(
        families,
        readOptions,
        db instanceof TransactionDB locking
            ? locking.beginTransaction(writeOptions)
            : ((OptimisticTransactionDB) db).beginTransaction(writeOptions));
  }

  @Override
  public void flush(int family) throws RocksDBException {
    try (org.rocksdb.FlushOptions options = new org.rocksdb.FlushOptions().setWaitForFlush(true)) {
      db.flush(options, families.get(family));
    }
  }

  @Override
  public void close() {
    families.forEach(ColumnFamilyHandle::close);
    owned.close();
  }

  private record Batch(List<ColumnFamilyHandle> families, WriteBatch batch) implements StoreBatch {
    @Override
    public void put(int family, byte[] key, byte[] value) throws RocksDBException {
      batch.put(families.get(family), key, value);
    }

    @Override
    public void delete(int family, byte[] key) throws RocksDBException {
      batch.delete(families.get(family), key);
    }

    @Override
    public void deleteRange(int family, byte[] from, byte[] until) throws RocksDBException {
      batch.deleteRange(families.get(family), from, until);
    }

    @Override
    public void close() {
      batch.close();
    }
  }

  private record Began(List<ColumnFamilyHandle> families, ReadOptions readOptions, Transaction transaction)
      implements StoreTransaction {
    @Override
    public void put(int family, byte[] key, byte[] value) throws RocksDBException {
      transaction.put(families.get(family), key, value);
    }

    @Override
    public void delete(int family, byte[] key) throws RocksDBException {
      transaction.delete(families.get(family), key);
    }

    @Override
    public byte[] get(int family, byte[] key) throws RocksDBException {
      return transaction.get(readOptions, families.get(family), key);
    }

    @Override
    public byte[] getForUpdate(int family, byte[] key) throws RocksDBException {
      return transaction.getForUpdate(readOptions, families.get(family), key, true);
    }

    @Override
    public StoreRows rows(int family) {
      return new JniRows(transaction.getIterator(readOptions, families.get(family)));
    }

    @Override
    public void commit() throws RocksDBException {
      transaction.commit();
    }

    @Override
    public void close() {
      transaction.close();
    }
  }
}
