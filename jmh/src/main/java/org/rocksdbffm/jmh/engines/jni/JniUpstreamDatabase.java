/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines.jni;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.ByteBufferGetStatus;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.WriteOptions;
import org.rocksdbffm.jmh.work.UpstreamDatabase;

/** A database of upstream's benchmarks, opened by rocksdbjni. */
public final class JniUpstreamDatabase implements UpstreamDatabase {
  private final DBOptions options;
  private final ReadOptions readOptions;
  private final RocksDB db;
  private final List<ColumnFamilyHandle> families = new ArrayList<>();

  public JniUpstreamDatabase(Path folder, int families) throws RocksDBException {
    RocksDB.loadLibrary();
    options = new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
    readOptions = new ReadOptions();
    List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    descriptors.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY));
    for (int i = 1; i <= families; i++) {
      descriptors.add(new ColumnFamilyDescriptor(("cf" + i).getBytes(StandardCharsets.UTF_8)));
    }
    db = RocksDB.open(options, folder.toString(), descriptors, this.families);
  }

  @Override
  public void put(int family, byte[] key, byte[] value) throws RocksDBException {
    db.put(families.get(family), key, value);
  }

  @Override
  public void putWithOptions(int family, byte[] key, byte[] value) throws RocksDBException {
    try (WriteOptions writeOptions = new WriteOptions()) {
      db.put(families.get(family), writeOptions, key, value);
    }
  }

  @Override
  public void putWithOptions(int family, ByteBuffer key, ByteBuffer value) throws RocksDBException {
    try (WriteOptions writeOptions = new WriteOptions()) {
      db.put(families.get(family), writeOptions, key, value);
    }
  }

  @Override
  public void flush() throws RocksDBException {
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      db.flush(flush, families);
    }
  }

  @Override
  public byte[] get(int family, byte[] key) throws RocksDBException {
    return db.get(families.get(family), key);
  }

  @Override
  public long getInto(int family, byte[] key, byte[] target) throws RocksDBException {
    return db.get(families.get(family), key, target);
  }

  @Override
  public long getInto(int family, ByteBuffer key, ByteBuffer target) throws RocksDBException {
    return db.get(families.get(family), readOptions, key.rewind(), target.clear());
  }

  @Override
  public List<byte[]> multiGet(List<byte[]> keys) throws RocksDBException {
    return db.multiGetAsList(keys);
  }

  @Override
  public List<byte[]> multiGet(List<Integer> families, List<byte[]> keys) throws RocksDBException {
    List<ColumnFamilyHandle> handles = new ArrayList<>(families.size());
    for (int family : families) {
      handles.add(this.families.get(family));
    }
    return db.multiGetAsList(handles, keys);
  }

  @Override
  public long multiGetInto(List<ByteBuffer> keys, List<ByteBuffer> values) throws RocksDBException {
    long size = 0;
    for (ByteBufferGetStatus status : db.multiGetByteBuffers(keys, values)) {
      if (status.status.getCode() != Status.Code.Ok) {
        throw new RocksDBException(status.status);
      }
      size += status.requiredSize;
    }
    return size;
  }

  @Override
  public void close() {
    families.forEach(ColumnFamilyHandle::close);
    db.close();
    readOptions.close();
    options.close();
  }
}
