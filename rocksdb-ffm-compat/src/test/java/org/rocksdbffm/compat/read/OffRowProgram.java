/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.read;

import org.rocksdb.EnvOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksIterator;
import org.rocksdb.SstFileReader;
import org.rocksdb.SstFileReaderIterator;
import org.rocksdb.SstFileWriter;
import org.rocksdb.WriteBatchWithIndex;

/** Reads the keys of iterators that are off an entry. */
public final class OffRowProgram {
  private OffRowProgram() {}

  public static void main(String[] arguments) throws Exception {
    RocksDB.loadLibrary();
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, "off-row");
        EnvOptions env = new EnvOptions();
        ReadOptions reads = new ReadOptions();
        SstFileWriter writer = new SstFileWriter(env, options);
        SstFileReader reader = new SstFileReader(options);
        WriteBatchWithIndex batch = new WriteBatchWithIndex()) {
      db.put("k".getBytes(), "v".getBytes());
      writer.open("table.sst");
      writer.put("t".getBytes(), "v".getBytes());
      writer.finish();
      reader.open("table.sst");
      try (RocksIterator rows = db.newIterator();
          RocksIterator overBatch = batch.newIteratorWithBase(db.newIterator());
          SstFileReaderIterator table = reader.newIterator(reads)) {
        rows.seekToFirst();
        rows.next();
        overBatch.seek("z".getBytes());
        table.seekToFirst();
        table.next();
        System.out.println(
            "key " + OffRowTest.keyOf(rows) + ", target " + OffRowTest.keyOf(overBatch) + ", table "
            + OffRowTest.keyOf(table));
      }
    }
  }
}
