/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines.ffm;

import org.openjdk.jmh.infra.Blackhole;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Row;
import org.rocksdbffm.Scan;
import org.rocksdbffm.jmh.work.Checksum;
import org.rocksdbffm.jmh.work.DataSet;
import org.rocksdbffm.jmh.work.ScanLoop;

/** A thread's scans with this library. */
final class FfmScanLoop extends ScanLoop {
  private final RocksDb db;

  FfmScanLoop(RocksDb db, DataSet data, int rows) {
    super(data, rows);
    this.db = db;
  }

  @Override
  public long arrays(Blackhole blackhole) {
    long sum = 0;
    try (Scan scan = db.scan(KeyRange.from(data.key(nextStart())))) {
      for (int left = rows; left > 0 && scan.next(); left--) {
        byte[] key = scan.keyBytes();
        byte[] value = scan.valueBytes();
        blackhole.consume(key);
        blackhole.consume(value);
        sum += Checksum.at(key) + Checksum.at(value);
      }
    }
    return sum;
  }

  /** Ends after a number of rows, so the last block may contain rows that are not read. */
  @Override
  public long forward() {
    try (Scan scan = db.scan(KeyRange.from(data.key(nextStart())))) {
      return read(scan);
    }
  }

  @Override
  public long backward() {
    try (Scan scan = db.scanBackward(KeyRange.until(data.key(nextStart() + rows)))) {
      return read(scan);
    }
  }

  @Override
  public long bounded() {
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
  public long cursor() {
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
    return Checksum.at(row.key()) + Checksum.at(row.value());
  }
}
