/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.store;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.Opening;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Scan;
import org.rocksdbffm.TableFilter;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionalDb;
import org.rocksdbffm.WriteBatch;

/** A store with this library's API. */
final class FfmStore implements ProgramStore {
  private final BlockCache cache = BlockCache.lru(ByteSize.bytes(Stores.CACHE_BYTES));
  private final RocksDb db;
  private final List<ColumnFamily> families = new ArrayList<>();

  FfmStore(Path folder, Kind kind, int count, boolean isEncrypted) {
    TableOptions table = TableOptions.defaults().blockCache(cache).filter(TableFilter.bloom(Stores.FILTER_BITS));
    FamilyOptions family =
        FamilyOptions.defaults().table(table).writeBufferSize(ByteSize.bytes(Stores.WRITE_BUFFER_BYTES));
    DatabaseOptions options =
        DatabaseOptions.defaults().maxBackgroundJobs(Stores.BACKGROUND_JOBS)
            .option("keep_log_file_num", Stores.INFO_LOGS);
    if (isEncrypted) {
      options = options.encryption(Stores.KEYS);
    }
    Map<String, FamilyOptions> named = new LinkedHashMap<>();
    for (int i = 1; i < count; i++) {
      named.put(Stores.familyName(i), family);
    }
    Opening opening = RocksDb.at(folder).options(options).defaults(family).families(named);
    db =
        switch (kind) {
          case PLAIN -> opening.open();
          case LOCKING -> opening.openTransactional();
          case OPTIMISTIC -> opening.openOptimistic();
        };
    families.add(db.family(RocksDb.DEFAULT_COLUMN_FAMILY));
    named.keySet().forEach(name -> families.add(db.family(name)));
  }

  @Override
  public void put(int family, byte[] key, byte[] value) {
    families.get(family).put(key, value);
  }

  @Override
  public byte[] get(int family, byte[] key) {
    return families.get(family).get(key);
  }

  @Override
  public void delete(int family, byte[] key) {
    families.get(family).delete(key);
  }

  @Override
  public void deleteRange(int family, byte[] from, byte[] until) {
    families.get(family).deleteRange(from, until);
  }

  @Override
  public StoreBatch batch() {
    return new Batch(families, new WriteBatch());
  }

  @Override
  public void write(StoreBatch batch) {
    db.write(((Batch) batch).batch);
  }

  @Override
  public StoreRows rows(int family) {
    return new Rows(families.get(family).cursor());
  }

  @Override
  public StoreRows rows(int family, byte[] until) {
    return new Rows(families.get(family).cursor(KeyRange.until(until)));
  }

  @Override
  public void scan(int family, byte[] from, int rows, RowSink sink) {
    KeySpace space = families.get(family);
    int left = rows;
    try (Scan scan = space.scan(from == null ? KeyRange.all() : KeyRange.from(from))) {
      while (left-- > 0 && scan.next() && sink.row(scan.keyBytes(), scan.valueBytes())) {}
    }
  }

  @Override
  public void scanBackward(int family, RowSink sink) {
    try (Scan scan = families.get(family).scanBackward(KeyRange.all())) {
      while (scan.next() && sink.row(scan.keyBytes(), scan.valueBytes())) {}
    }
  }

  @Override
  public StoreTransaction begin() {
    return new Began(families, ((TransactionalDb) db).begin());
  }

  @Override
  public void flush(int family) {
    families.get(family).flush();
  }

  @Override
  public void close() {
    db.close();
    cache.close();
  }

  private record Batch(List<ColumnFamily> families, WriteBatch batch) implements StoreBatch {
    @Override
    public void put(int family, byte[] key, byte[] value) {
      batch.in(families.get(family)).put(key, value);
    }

    @Override
    public void delete(int family, byte[] key) {
      batch.in(families.get(family)).delete(key);
    }

    @Override
    public void deleteRange(int family, byte[] from, byte[] until) {
      batch.in(families.get(family)).deleteRange(from, until);
    }

    @Override
    public void close() {} // a batch has no native memory
  }

  private record Began(List<ColumnFamily> families, Transaction transaction) implements StoreTransaction {
    @Override
    public void put(int family, byte[] key, byte[] value) {
      transaction.in(families.get(family)).put(key, value);
    }

    @Override
    public void delete(int family, byte[] key) {
      transaction.in(families.get(family)).delete(key);
    }

    @Override
    public byte[] get(int family, byte[] key) {
      return transaction.in(families.get(family)).get(key);
    }

    @Override
    public byte[] getForUpdate(int family, byte[] key) {
      return transaction.in(families.get(family)).getForUpdate(key);
    }

    @Override
    public StoreRows rows(int family) {
      return new Rows(transaction.in(families.get(family)).cursor());
    }

    @Override
    public void commit() {
      transaction.commit();
    }

    @Override
    public void close() {
      transaction.close();
    }
  }

  private record Rows(Cursor cursor) implements StoreRows {
    @Override
    public boolean first() {
      return cursor.first();
    }

    @Override
    public boolean last() {
      return cursor.last();
    }

    @Override
    public boolean seek(byte[] key) {
      return cursor.seek(key);
    }

    @Override
    public boolean seekForPrevious(byte[] key) {
      return cursor.seekForPrevious(key);
    }

    @Override
    public boolean next() {
      return cursor.next();
    }

    @Override
    public boolean previous() {
      return cursor.previous();
    }

    @Override
    public byte[] key() {
      return cursor.keyBytes();
    }

    @Override
    public byte[] value() {
      return cursor.valueBytes();
    }

    @Override
    public void close() {
      cursor.close();
    }
  }
}
