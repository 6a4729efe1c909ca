/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.misuse;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.Range;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Databases and column families that are used after their close, or closed before their children. */
final class DatabaseWrongOrders {
  static final byte[] KEY = "key".getBytes(UTF_8);
  static final byte[] VALUE = "value".getBytes(UTF_8);

  private DatabaseWrongOrders() {}

  /** Uses a database with some entries. */
  interface Use {
    void of(RocksDB db) throws Exception;
  }

  static RocksDB open(Path folder) throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true)) {
      RocksDB db = RocksDB.open(options, folder.toString());
      for (int i = 0; i < 100; i++) {
        db.put(("key" + i).getBytes(UTF_8), VALUE);
      }
      db.put(KEY, VALUE);
      return db;
    }
  }

  /** Opens a database with its entries in an SST file. */
  static RocksDB openFlushed(Path folder) throws RocksDBException {
    RocksDB db = open(folder);
    try (FlushOptions flush = new FlushOptions()) {
      db.flush(flush);
    }
    return db;
  }

  /** Creates a column family with an entry. */
  static ColumnFamilyHandle family(RocksDB db, String name) throws RocksDBException {
    ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(name.getBytes(UTF_8)));
    db.put(family, KEY, VALUE);
    return family;
  }

  private static WrongOrders.Case afterClose(Use use) {
    return folder -> {
      RocksDB db = open(folder);
      db.close();
      use.of(db);
    };
  }

  private static WrongOrders.Case onClosedFamily(FamilyUse use) {
    return folder -> {
      try (RocksDB db = open(folder)) {
        ColumnFamilyHandle family = family(db, "f");
        family.close();
        use.of(db, family);
      }
    };
  }

  private interface FamilyUse {
    void of(RocksDB db, ColumnFamilyHandle family) throws Exception;
  }

  static void addTo(Map<String, WrongOrders.Case> all) {
    all.put("get after close", afterClose(db -> db.get(KEY)));
    all.put("get into an array after close", afterClose(db -> db.get(KEY, new byte[10])));
    all.put("get into a buffer after close", afterClose(DatabaseWrongOrders::getIntoBuffer));
    all.put("put after close", afterClose(db -> db.put(KEY, VALUE)));
    all.put("delete after close", afterClose(db -> db.delete(KEY)));
    all.put("delete a range after close", afterClose(db -> db.deleteRange(KEY, VALUE)));
    all.put("write after close", afterClose(DatabaseWrongOrders::writeBatch));
    all.put("many gets after close", afterClose(db -> db.multiGetAsList(List.of(KEY, VALUE))));
    all.put("iterate after close", afterClose(db -> db.newIterator().seekToFirst()));
    all.put("snapshot after close", afterClose(RocksDB::getSnapshot));
    all.put("flush after close", afterClose(DatabaseWrongOrders::flush));
    all.put("compact after close", afterClose(RocksDB::compactRange));
    all.put("ask for a property after close", afterClose(db -> db.getProperty("rocksdb.stats")));
    all.put("ask for sizes after close", afterClose(DatabaseWrongOrders::sizes));
    all.put("make a family after close", afterClose(db -> family(db, "f")));
    all.put("read the log after close", afterClose(db -> db.getUpdatesSince(0)));
    all.put("list files after close", afterClose(RocksDB::getLiveFilesMetaData));
    all.put("ask for the environment after close", afterClose(db -> db.getEnv().getThreadList()));
    all.put("close twice", afterClose(RocksDB::close));
    all.put("close for good after close", afterClose(RocksDB::closeE));

    all.put("use a closed family", onClosedFamily((db, family) -> db.get(family, KEY)));
    all.put("write to a closed family", onClosedFamily((db, family) -> db.put(family, KEY, VALUE)));
    all.put("iterate a closed family", onClosedFamily((db, family) -> db.newIterator(family).seekToFirst()));
    all.put("drop a closed family", onClosedFamily(RocksDB::dropColumnFamily));
    all.put("name a closed family", onClosedFamily((db, family) -> family.getName()));
    all.put("put a closed family into a batch", onClosedFamily(DatabaseWrongOrders::batchOf));
    all.put("close a family twice", onClosedFamily((db, family) -> family.close()));

    all.put("a family outlives its database", DatabaseWrongOrders::familyOutlives);
    all.put("a family of one database is used in another", DatabaseWrongOrders::familyElsewhere);
    all.put("an iterator outlives its database", DatabaseWrongOrders::iteratorOutlives);
    all.put("an iterator is closed after its database", DatabaseWrongOrders::iteratorClosedLate);
    all.put("an iterator outlives its family", DatabaseWrongOrders::iteratorOutlivesFamily);
    all.put("a snapshot outlives its database", DatabaseWrongOrders::snapshotOutlives);
    all.put("a snapshot is released after its database", DatabaseWrongOrders::snapshotReleasedLate);
    all.put("a snapshot is released twice", DatabaseWrongOrders::snapshotReleasedTwice);
    all.put("a released snapshot is read at", DatabaseWrongOrders::readAtReleased);
    all.put("a snapshot of a closed database is read at in another", DatabaseWrongOrders::readAtForeign);
    all.put("families are opened and used after close", DatabaseWrongOrders::openedFamilies);
  }

  private static void getIntoBuffer(RocksDB db) throws RocksDBException {
    try (ReadOptions read = new ReadOptions()) {
      db.get(read, ByteBuffer.allocateDirect(3).put(KEY).flip(), ByteBuffer.allocateDirect(10));
    }
  }

  private static void writeBatch(RocksDB db) throws RocksDBException {
    try (WriteBatch batch = new WriteBatch();
        WriteOptions write = new WriteOptions()) {
      batch.put(KEY, VALUE);
      db.write(write, batch);
    }
  }

  private static void flush(RocksDB db) throws RocksDBException {
    try (FlushOptions flush = new FlushOptions()) {
      db.flush(flush);
    }
  }

  private static void sizes(RocksDB db) {
    try (Slice from = new Slice("a");
        Slice to = new Slice("z")) {
      db.getApproximateSizes(List.of(new Range(from, to)));
    }
  }

  private static void batchOf(RocksDB db, ColumnFamilyHandle family) throws RocksDBException {
    try (WriteBatch batch = new WriteBatch();
        WriteOptions write = new WriteOptions()) {
      batch.put(family, KEY, VALUE);
      db.write(write, batch);
    }
  }

  private static void familyOutlives(Path folder) throws Exception {
    RocksDB db = open(folder);
    ColumnFamilyHandle family = family(db, "f");
    db.close();
    family.getName();
    family.getDescriptor();
    family.close();
  }

  private static void familyElsewhere(Path folder) throws Exception {
    RocksDB db = open(folder.resolve("one"));
    ColumnFamilyHandle family = family(db, "f");
    db.close();
    try (RocksDB other = open(folder.resolve("two"))) {
      other.get(family, KEY);
      other.put(family, KEY, VALUE);
    }
  }

  private static void iteratorOutlives(Path folder) throws Exception {
    RocksDB db = openFlushed(folder);
    RocksIterator rows = db.newIterator();
    rows.seekToFirst();
    db.close();
    while (rows.isValid()) {
      rows.key();
      rows.value();
      rows.next();
    }
    rows.seek(KEY);
  }

  private static void iteratorClosedLate(Path folder) throws Exception {
    RocksDB db = openFlushed(folder);
    RocksIterator rows = db.newIterator();
    rows.seekToFirst();
    db.close();
    rows.close();
  }

  private static void iteratorOutlivesFamily(Path folder) throws Exception {
    try (RocksDB db = open(folder)) {
      ColumnFamilyHandle family = family(db, "f");
      RocksIterator rows = db.newIterator(family);
      rows.seekToFirst();
      db.dropColumnFamily(family);
      family.close();
      rows.next();
      rows.seekToFirst();
      rows.value();
      rows.close();
    }
  }

  private static void snapshotOutlives(Path folder) throws Exception {
    RocksDB db = open(folder);
    Snapshot snapshot = db.getSnapshot();
    db.close();
    snapshot.getSequenceNumber();
  }

  private static void snapshotReleasedLate(Path folder) throws Exception {
    RocksDB db = open(folder);
    Snapshot snapshot = db.getSnapshot();
    db.close();
    db.releaseSnapshot(snapshot);
  }

  private static void snapshotReleasedTwice(Path folder) throws Exception {
    try (RocksDB db = open(folder)) {
      Snapshot snapshot = db.getSnapshot();
      Snapshot other = db.getSnapshot();
      db.releaseSnapshot(snapshot);
      db.releaseSnapshot(snapshot);
      db.releaseSnapshot(other);
    }
  }

  private static void readAtReleased(Path folder) throws Exception {
    try (RocksDB db = openFlushed(folder);
        ReadOptions read = new ReadOptions()) {
      Snapshot snapshot = db.getSnapshot();
      read.setSnapshot(snapshot);
      db.releaseSnapshot(snapshot);
      db.get(read, KEY);
      db.newIterator(read).seekToFirst();
    }
  }

  private static void readAtForeign(Path folder) throws Exception {
    RocksDB db = open(folder.resolve("one"));
    try (ReadOptions read = new ReadOptions().setSnapshot(db.getSnapshot());
        RocksDB other = open(folder.resolve("two"))) {
      db.close();
      other.get(read, KEY);
    }
  }

  private static void openedFamilies(Path folder) throws Exception {
    List<ColumnFamilyHandle> families = new ArrayList<>();
    try (DBOptions options = new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true)) {
      RocksDB db =
          RocksDB.open(
              options,
              folder.toString(),
              List.of(
                  new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY),
                  new ColumnFamilyDescriptor("f".getBytes(UTF_8))),
              families);
      db.put(families.get(1), KEY, VALUE);
      db.close();
      db.get(families.get(1), KEY);
    }
  }
}
