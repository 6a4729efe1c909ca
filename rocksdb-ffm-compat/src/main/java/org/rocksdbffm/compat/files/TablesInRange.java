/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.files;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import org.rocksdb.ColumnFamilyMetaData;
import org.rocksdb.LevelMetaData;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileMetaData;
import org.rocksdb.TableProperties;
import org.rocksdbffm.compat.support.Slices;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * The properties of SST files that overlap ranges of keys. rocksdbjni's entry point returns the ranges instead of the
 * files.
 */
public final class TablesInRange {
  private TablesInRange() {}

  /** Returns the properties of files in any of the ranges. Two consecutive slices bound a range, both inclusive. */
  public static Map<String, TableProperties> properties(long db, long family, long[] slices) throws RocksDBException {
    Map<String, TableProperties> all = Java_org_rocksdb_RocksDB_getPropertiesOfAllTables(db, family);
    Map<String, TableProperties> found = new HashMap<>();
    ColumnFamilyMetaData files = Java_org_rocksdb_RocksDB_getColumnFamilyMetaData(db, family);
    for (LevelMetaData level : files.levels()) {
      for (SstFileMetaData file : level.files()) {
        String name = file.path() + file.fileName();
        TableProperties properties = all.get(name);
        if (properties != null && isInAny(file, slices, order(properties.getComparatorName()))) {
          found.put(name, properties);
        }
      }
    }
    return found;
  }

  private static boolean isInAny(SstFileMetaData file, long[] slices, Comparator<byte[]> order) {
    for (int i = 0; i + 1 < slices.length; i += 2) {
      if (order.compare(key(slices[i]), file.largestKey()) <= 0
          && order.compare(file.smallestKey(), key(slices[i + 1])) <= 0) {
        return true;
      }
    }
    return false;
  }

  private static byte[] key(long slice) {
    return Memory.toArray(Slices.data(slice), Slices.length(slice));
  }

  private static Comparator<byte[]> order(String comparator) {
    return switch (comparator) {
      case "leveldb.BytewiseComparator" -> Arrays::compareUnsigned;
      case "rocksdb.ReverseBytewiseComparator" -> (one, other) -> Arrays.compareUnsigned(other, one);
      default -> throw new UnsupportedOperationException(
          "RocksDB.getPropertiesOfTablesInRange: the keys are in the order of "
              + comparator
              + ", which the drop-in does not know; choose from getPropertiesOfAllTables by getColumnFamilyMetaData");
    };
  }

  private static native Map<String, TableProperties> Java_org_rocksdb_RocksDB_getPropertiesOfAllTables(
      long db, long family) throws RocksDBException;

  private static native ColumnFamilyMetaData Java_org_rocksdb_RocksDB_getColumnFamilyMetaData(long db, long family);
}
