/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines.ffm;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.MultiGet;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.jmh.work.UpstreamDatabase;

/** A database of upstream's benchmarks, opened by this library. */
public final class FfmUpstreamDatabase implements UpstreamDatabase {
  private final RocksDb db;
  private final List<ColumnFamily> families = new ArrayList<>();
  private final MultiGet request;

  public FfmUpstreamDatabase(Path folder, int families) {
    Map<String, FamilyOptions> named = new HashMap<>();
    for (int i = 1; i <= families; i++) {
      named.put("cf" + i, FamilyOptions.defaults());
    }
    FamilyOptions options = FamilyOptions.defaults();
    db = RocksDb.at(folder).defaults(options).families(named).open();
    this.families.add(db.family(RocksDb.DEFAULT_COLUMN_FAMILY));
    for (int i = 1; i <= families; i++) {
      this.families.add(db.family("cf" + i));
    }
    request = db.multiGet();
  }

  @Override
  public void put(int family, byte[] key, byte[] value) {
    families.get(family).put(key, value);
  }

  @Override
  public void putWithOptions(int family, byte[] key, byte[] value) {
    families.get(family).with(WriteOptions.defaults()).put(key, value);
  }

  @Override
  public void putWithOptions(int family, ByteBuffer key, ByteBuffer value) {
    families.get(family).with(WriteOptions.defaults()).put(MemorySegment.ofBuffer(key), MemorySegment.ofBuffer(value));
  }

  @Override
  public void flush() {
    families.forEach(ColumnFamily::flush);
  }

  @Override
  public byte[] get(int family, byte[] key) {
    return families.get(family).get(key);
  }

  @Override
  public long getInto(int family, byte[] key, byte[] target) {
    return families.get(family).getInto(key, target);
  }

  @Override
  public long getInto(int family, ByteBuffer key, ByteBuffer target) {
    return families.get(family).getInto(MemorySegment.ofBuffer(key), MemorySegment.ofBuffer(target.clear()));
  }

  @Override
  public long getPinned(int family, byte[] key) {
    try (PinnedValue value = families.get(family).getPinned(key)) {
      return value.size();
    }
  }

  @Override
  public List<byte[]> multiGet(List<byte[]> keys) {
    return db.multiGet(keys);
  }

  @Override
  public List<byte[]> multiGet(List<Integer> families, List<byte[]> keys) {
    request.clear();
    for (int i = 0; i < keys.size(); i++) {
      request.add(this.families.get(families.get(i)), keys.get(i));
    }
    try (PinnedValues values = request.get()) {
      return values.toList();
    }
  }

  /** Copies the values from the engine's memory to the buffers. */
  @Override
  public long multiGetInto(List<ByteBuffer> keys, List<ByteBuffer> values) {
    request.clear();
    keys.forEach(key -> request.add(MemorySegment.ofBuffer(key)));
    long size = 0;
    try (PinnedValues found = request.get()) {
      for (int i = 0; i < keys.size(); i++) {
        values.get(i).clear().put(found.segment(i).asByteBuffer()).flip();
        size += found.size(i);
      }
    }
    return size;
  }

  @Override
  public void close() {
    db.close();
  }
}
