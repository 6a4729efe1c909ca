/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.misuse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.rocksdbffm.compat.misuse.DatabaseWrongOrders.KEY;
import static org.rocksdbffm.compat.misuse.DatabaseWrongOrders.VALUE;
import static org.rocksdbffm.compat.misuse.DatabaseWrongOrders.openFlushed;

import java.util.Map;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WBWIRocksIterator;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.util.ReverseBytewiseComparator;

/** Indexed batches and their iterators, closed in wrong orders. */
final class IndexedBatchWrongOrders {
  private IndexedBatchWrongOrders() {}

  /** Misuses a batch with some entries, and a database with the same number of entries. */
  private interface Use {
    void of(RocksDB db, WriteBatchWithIndex batch) throws Exception;
  }

  /** Uses an iterator over a batch and a database, after another object was closed. */
  private interface End {
    void of(RocksDB db, WriteBatchWithIndex batch, RocksIterator base) throws Exception;
  }

  private static WrongOrders.Case with(Use use) {
    return folder -> {
      try (RocksDB db = openFlushed(folder);
          WriteBatchWithIndex batch = new WriteBatchWithIndex(true)) {
        fill(batch);
        use.of(db, batch);
      }
    };
  }

  private static void fill(WriteBatchWithIndex batch) throws RocksDBException {
    for (int i = 0; i < 1000; i++) {
      batch.put("key%06d".formatted(i).getBytes(UTF_8), VALUE);
    }
  }

  private static WrongOrders.Case onClosed(Use use) {
    return with((db, batch) -> {
      batch.close();
      use.of(db, batch);
    });
  }

  /** Closes an object that an iterator over a batch's entries uses. */
  private static WrongOrders.Case entriesAfter(Use end) {
    return with((db, batch) -> {
      WBWIRocksIterator entries = batch.newIterator();
      entries.seekToFirst();
      end.of(db, batch);
      entries.entry().getKey();
      entries.next();
      entries.isValid();
      entries.entry().getValue();
    });
  }

  /** Closes an object that an iterator over a batch and a database uses. */
  private static WrongOrders.Case rowsAfter(End end) {
    return with((db, batch) -> {
      RocksIterator base = db.newIterator();
      RocksIterator rows = batch.newIteratorWithBase(base);
      rows.seekToFirst();
      end.of(db, batch, base);
      rows.value();
      for (rows.next(); rows.isValid(); rows.next()) {
        rows.key();
      }
    });
  }

  static void addTo(Map<String, WrongOrders.Case> all) {
    all.put("fill a closed indexed batch", onClosed((db, batch) -> fill(batch)));
    all.put("read a closed indexed batch", onClosed((db, batch) -> batch.getFromBatch(new DBOptions(), KEY)));
    all.put(
        "read a closed indexed batch and a database",
        onClosed((db, batch) -> batch.getFromBatchAndDB(db, new ReadOptions(), KEY)));
    all.put("count a closed indexed batch", onClosed((db, batch) -> batch.count()));
    all.put("clear a closed indexed batch", onClosed((db, batch) -> batch.clear()));
    all.put("mark a point in a closed indexed batch", onClosed((db, batch) -> batch.setSavePoint()));
    all.put("go back in a closed indexed batch", onClosed((db, batch) -> batch.rollbackToSavePoint()));
    all.put("close an indexed batch twice", onClosed((db, batch) -> batch.close()));
    all.put("iterate a closed indexed batch", onClosed((db, batch) -> batch.newIterator().seekToFirst()));
    all.put("go back to a point that there is none of", with((db, batch) -> {
      batch.setSavePoint();
      batch.popSavePoint();
      batch.rollbackToSavePoint();
    }));
    all.put("read an indexed batch and a closed database", with((db, batch) -> {
      db.close();
      batch.getFromBatchAndDB(db, new ReadOptions(), "none".getBytes(UTF_8));
    }));

    all.put("entries are read after their batch was closed", entriesAfter((db, batch) -> batch.close()));
    all.put("entries are read after their batch was cleared", entriesAfter((db, batch) -> batch.clear()));
    all.put("entries are read after their batch went back", with((db, batch) -> {
      batch.clear();
      batch.setSavePoint();
      fill(batch);
      WBWIRocksIterator entries = batch.newIterator();
      entries.seekToFirst();
      batch.rollbackToSavePoint();
      entries.entry().getKey();
      entries.next();
    }));
    all.put("an entry is read after its batch grew", entriesAfter((db, batch) -> fill(batch)));
    all.put("an entry is read after its iterator was closed", with((db, batch) -> {
      WBWIRocksIterator entries = batch.newIterator();
      entries.seekToFirst();
      WBWIRocksIterator.WriteEntry entry = entries.entry();
      entries.close();
      entry.getKey().data();
    }));
    all.put("an entry is read where there is none", with((db, batch) -> {
      WBWIRocksIterator entries = batch.newIterator();
      entries.seekToLast();
      entries.next();
      entries.entry().getKey();
    }));

    all.put("rows go on after their batch was closed", rowsAfter((db, batch, base) -> batch.close()));
    all.put("rows go on after their batch was cleared", rowsAfter((db, batch, base) -> batch.clear()));
    all.put("rows go on after their batch grew", rowsAfter((db, batch, base) -> fill(batch)));
    all.put("rows go on after their database was closed", rowsAfter((db, batch, base) -> db.close()));
    all.put("rows go on after the iterator below them was closed", rowsAfter((db, batch, base) -> base.close()));
    all.put("the iterator below others is moved", rowsAfter((db, batch, base) -> base.seekToLast()));
    all.put("one iterator is below two others",
        rowsAfter((db, batch, base) -> batch.newIteratorWithBase(base).close()));

    all.put("a comparator is closed before its batch", IndexedBatchWrongOrders::closedComparator);
    all.put("a family's comparator is closed before a batch", folder -> familyWithComparator(folder, false));
    all.put("a new family's comparator is closed before a batch", folder -> familyWithComparator(folder, true));
  }

  /** The index of a batch calls the comparators of its families. */
  private static void familyWithComparator(java.nio.file.Path folder, boolean isBoundBefore) throws Exception {
    ReverseBytewiseComparator order = new ReverseBytewiseComparator(new ComparatorOptions());
    ColumnFamilyOptions ordered = new ColumnFamilyOptions().setComparator(order);
    try (WriteBatchWithIndex batch = new WriteBatchWithIndex(true)) {
      RocksDB db = openFlushed(folder);
      if (isBoundBefore) {
        batch.put(db.getDefaultColumnFamily(), KEY, VALUE);
      }
      ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor("f".getBytes(UTF_8), ordered));
      batch.setSavePoint();
      for (int i = 0; i < 100; i++) {
        batch.put(family, "key%06d".formatted(i).getBytes(UTF_8), VALUE);
      }
      family.close();
      db.close();
      ordered.close();
      order.close();
      batch.newIterator().seekToLast();
      batch.rollbackToSavePoint();
    }
  }

  private static void closedComparator(java.nio.file.Path folder) throws Exception {
    ReverseBytewiseComparator order = new ReverseBytewiseComparator(new ComparatorOptions());
    try (WriteBatchWithIndex batch = new WriteBatchWithIndex(order, 1024, true)) {
      fill(batch);
      order.close();
      fill(batch);
    }
  }
}
