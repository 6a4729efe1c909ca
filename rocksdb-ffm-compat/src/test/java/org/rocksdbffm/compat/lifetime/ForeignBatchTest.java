/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;

/** A batch can be written to any database in which its family IDs have the same names. */
class ForeignBatchTest {
  @TempDir Path folder;

  private final WriteOptions writes = new WriteOptions();
  private final List<Side> open = new ArrayList<>();

  @BeforeAll
  static void load() {
    RocksDB.loadLibrary();
  }

  @AfterEach
  void close() {
    open.forEach(Side::close);
  }

  /** A database with families of the given names, whose IDs are their indexes, from 1. */
  private final class Side {
    final List<ColumnFamilyHandle> families = new ArrayList<>();
    final RocksDB db;

    Side(String name, String... names) throws RocksDBException {
      List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
      descriptors.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY));
      for (String family : names) {
        descriptors.add(new ColumnFamilyDescriptor(family.getBytes(UTF_8)));
      }
      try (DBOptions options = new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true)) {
        db = RocksDB.open(options, folder.resolve(name).toString(), descriptors, families);
      }
      open.add(this);
    }

    String get(int family, String key) throws RocksDBException {
      byte[] value = db.get(families.get(family), key.getBytes(UTF_8));
      return value == null ? null : new String(value, UTF_8);
    }

    void close() {
      families.forEach(ColumnFamilyHandle::close);
      db.close();
    }
  }

  private static void put(WriteBatch batch, ColumnFamilyHandle family, String key) throws RocksDBException {
    batch.put(family, key.getBytes(UTF_8), "value".getBytes(UTF_8));
  }

  @Test
  @Tag("oracle")
  void aBatchIsWrittenToASecondDatabaseAndAfterAReopen() throws RocksDBException {
    Side one = new Side("one", "x", "y");
    Side two = new Side("two", "x", "y");
    try (WriteBatch batch = new WriteBatch()) {
      put(batch, one.families.get(1), "a");
      one.db.write(writes, batch);
      two.db.write(writes, batch);
      put(batch, two.families.get(2), "b");
      one.close();
      two.db.write(writes, batch);
      Side again = new Side("one", "x", "y");
      again.db.write(writes, batch);
      for (Side side : List.of(two, again)) {
        assertEquals("value", side.get(1, "a"));
        assertEquals("value", side.get(2, "b"));
      }
    }
  }

  @Test
  @Tag("oracle")
  void soIsAnIndexedOneAndItsRowsAreReadOverTheOther() throws RocksDBException {
    Side one = new Side("one", "x");
    Side two = new Side("two", "x");
    ColumnFamilyHandle there = two.families.get(1);
    two.db.put(there, "below".getBytes(UTF_8), new byte[0]);
    try (WriteBatchWithIndex batch = new WriteBatchWithIndex(true);
        ReadOptions reads = new ReadOptions()) {
      batch.put(one.families.get(1), "a".getBytes(UTF_8), "value".getBytes(UTF_8));
      assertEquals(5, batch.getFromBatchAndDB(two.db, there, reads, "a".getBytes(UTF_8)).length);
      int rows = 0;
      try (RocksIterator iterator = batch.newIteratorWithBase(there, two.db.newIterator(there))) {
        for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
          rows++;
        }
      }
      assertEquals(2, rows);
      two.db.write(writes, batch);
      assertEquals("value", two.get(1, "a"));
    }
  }

  @Test
  @Tag("oracle")
  void theEngineRefusesFamiliesThatThereAreNot() throws RocksDBException {
    Side one = new Side("one", "x", "y");
    Side bare = new Side("bare");
    Side anew = new Side("anew", "x");
    anew.db.dropColumnFamily(anew.families.get(1));
    anew.families.get(1).close();
    anew.families.add(anew.db.createColumnFamily(new ColumnFamilyDescriptor("x".getBytes(UTF_8)))); // has ID 2 now
    try (WriteBatch batch = new WriteBatch()) {
      put(batch, one.families.get(1), "a");
      for (Side side : List.of(bare, anew)) {
        RocksDBException refusal = assertThrows(RocksDBException.class, () -> side.db.write(writes, batch));
        assertEquals("Invalid column family specified in write batch", refusal.getMessage());
      }
    }
  }

  /** With rocksdbjni, the entry is written to the other family. */
  @Test
  void aBatchIsRefusedWhereItsNumberIsAnotherFamily() throws RocksDBException {
    Side one = new Side("one", "x", "y");
    Side swapped = new Side("swapped", "y", "x");
    try (WriteBatch batch = new WriteBatch()) {
      put(batch, one.families.get(1), "a");
      for (int i = 0; i < 2; i++) {
        var refusal = assertThrows(IllegalArgumentException.class, () -> swapped.db.write(writes, batch));
        assertTrue(refusal.getMessage().endsWith("that is another database"), refusal.getMessage());
        assertThrows(IllegalArgumentException.class, () -> put(batch, swapped.families.get(2), "b"));
        one.close(); // its families stay known
      }
      assertNull(swapped.get(1, "a"));
      batch.clear();
      put(batch, swapped.families.get(2), "b");
      swapped.db.write(writes, batch);
      assertEquals("value", swapped.get(2, "b"));
    }
  }
}
