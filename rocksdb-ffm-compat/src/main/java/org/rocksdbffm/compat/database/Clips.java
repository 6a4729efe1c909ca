/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import java.util.Arrays;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactRangeOptions.BottommostLevelCompaction;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * Deletes a column family's entries outside of a range. RocksDB's ClipColumnFamily deletes whole files first, including
 * a file whose last key is the range's first key, and then reads keys of files that a compaction may have freed.
 */
public final class Clips {
  private Clips() {}

  /** Keeps the keys from {@code begin}, inclusive, to {@code end}, exclusive. */
  public static void clip(RocksDB db, ColumnFamilyHandle family, byte[] begin, byte[] end) throws RocksDBException {
    Secondaries.refuseClip(db.getNativeHandle());
    byte[] first;
    byte[] last;
    try (ReadOptions reading = new ReadOptions().setTotalOrderSeek(true);
        RocksIterator rows = db.newIterator(family, reading)) {
      first = firstBefore(rows, begin);
      last = lastFrom(rows, end);
      rows.status();
    }
    if (first != null) {
      db.deleteRange(family, first, begin);
    }
    if (last != null) {
      db.deleteRange(family, end, last);
      db.delete(family, last);
    }
    if (first != null || last != null) {
      try (CompactRangeOptions compaction =
          new CompactRangeOptions()
              .setExclusiveManualCompaction(true)
              .setBottommostLevelCompaction(BottommostLevelCompaction.kForceOptimized)) {
        db.compactRange(family, null, null, compaction);
      }
    }
  }

  /** Returns the family's first key if it is before the given key; otherwise null. */
  private static byte[] firstBefore(RocksIterator rows, byte[] begin) {
    rows.seekForPrev(begin);
    if (rows.isValid() && Arrays.equals(rows.key(), begin)) {
      rows.prev();
    }
    if (!rows.isValid()) {
      return null;
    }
    rows.seekToFirst();
    return rows.key();
  }

  /** Returns the family's last key if it is not before the given key; otherwise null. */
  private static byte[] lastFrom(RocksIterator rows, byte[] end) {
    rows.seek(end);
    if (!rows.isValid()) {
      return null;
    }
    rows.seekToLast();
    return rows.key();
  }
}
