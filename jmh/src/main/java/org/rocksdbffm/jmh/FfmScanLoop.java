/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh;

import org.openjdk.jmh.infra.Blackhole;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Row;
import org.rocksdbffm.Scan;

/** A thread's scans by this library. */
final class FfmScanLoop extends ScanLoop {
  private final RocksDb db;

  FfmScanLoop(RocksDb db, DataSet data, int rows) {
    super(data, rows);
    this.db = db;
  }

  @Override
  long arrays(Blackhole blackhole) {
    long sum = 0;
    try (Scan scan = db.scan(KeyRange.from(data.key(nextStart())))) {
      for (int left = rows; left > 0 && scan.next(); left--) {
        byte[] key = scan.keyBytes();
        byte[] value = scan.valueBytes();
        blackhole.consume(key);
        blackhole.consume(value);
        sum += Look.at(key) + Look.at(value);
      }
    }
    return sum;
  }

  /** The end is given by count, so that the last block may hold rows that nobody asks for. */
  @Override
  long forward() {
    try (Scan scan = db.scan(KeyRange.from(data.key(nextStart())))) {
      return read(scan);
    }
  }

  @Override
  long backward() {
    try (Scan scan = db.scanBackward(KeyRange.until(data.key(nextStart() + rows)))) {
      return read(scan);
    }
  }

  @Override
  long bounded() {
    int start = nextStart();
    try (Scan scan = db.scan(KeyRange.between(data.key(start), data.key(start + rows)))) {
      return read(scan);
    }
  }

  private long read(Scan scan) {
    long sum = 0;
    for (int left = rows; left > 0 && scan.next(); left--) {
      sum += look(scan);
    }
    return sum;
  }

  @Override
  long cursor() {
    long sum = 0;
    try (Cursor cursor = db.cursor()) {
      boolean found = cursor.seek(data.key(nextStart()));
      for (int left = rows; found && left > 0; left--) {
        sum += look(cursor);
        found = cursor.next();
      }
    }
    return sum;
  }

  private static long look(Row row) {
    return Look.at(row.key()) + Look.at(row.value());
  }
}
