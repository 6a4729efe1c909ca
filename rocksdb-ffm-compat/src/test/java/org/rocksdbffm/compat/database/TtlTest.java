/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.TtlDB;

/** Databases with a time to live. */
@Tag("oracle")
class TtlTest {
  @TempDir Path folder;

  @BeforeAll
  static void load() {
    RocksDB.loadLibrary();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  @Test
  void whatIsOlderThanItsTimeIsGoneAfterACompaction() throws Exception {
    try (Options options = new Options().setCreateIfMissing(true).setMaxCompactionBytes(0);
        TtlDB db = TtlDB.open(options, folder.toString(), 1, false)) {
      ColumnFamilyHandle lasting =
          db.createColumnFamilyWithTtl(new ColumnFamilyDescriptor(bytes("lasting")), 100_000);
      db.put(bytes("k"), bytes("v"));
      db.put(lasting, bytes("k"), bytes("v"));
      try (RocksIterator rows = db.newIterator()) {
        rows.seekToFirst();
        assertArrayEquals(bytes("v"), rows.value());
      }
      Thread.sleep(2100);
      db.compactRange();
      db.compactRange(lasting);
      assertNull(db.get(bytes("k")));
      assertArrayEquals(bytes("v"), db.get(lasting, bytes("k")));
    }
  }

  @Test
  void eachFamilyIsOpenedWithATimeOfItsOwn() throws RocksDBException {
    List<ColumnFamilyDescriptor> names =
        List.of(
            new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY), new ColumnFamilyDescriptor(bytes("other")));
    for (int round = 0; round < 2; round++) {
      List<ColumnFamilyHandle> families = new ArrayList<>();
      try (DBOptions options = new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
          TtlDB db = TtlDB.open(options, folder.toString(), names, families, List.of(100, 0), false)) {
        assertEquals(2, families.size());
        if (round == 0) {
          db.put(families.get(1), bytes("k"), bytes("v"));
        }
        assertArrayEquals(bytes("v"), db.get(families.get(1), bytes("k")));
        assertNull(db.get(bytes("k")));
      }
    }
  }

  @Test
  void itIsOpenedForReadingAlone() throws RocksDBException {
    List<ColumnFamilyDescriptor> names = List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY));
    try (Options options = new Options().setCreateIfMissing(true);
        DBOptions databaseOptions = new DBOptions()) {
      try (TtlDB db = TtlDB.open(options, folder.toString(), 1000, false)) {
        db.put(bytes("k"), bytes("v"));
      }
      try (TtlDB db = TtlDB.open(options, folder.toString(), 1000, true)) {
        assertArrayEquals(bytes("v"), db.get(bytes("k")));
        assertThrows(RocksDBException.class, () -> db.put(bytes("k"), bytes("w")));
      }
      List<ColumnFamilyHandle> families = new ArrayList<>();
      try (TtlDB db = TtlDB.open(databaseOptions, folder.toString(), names, families, List.of(1), true)) {
        assertArrayEquals(bytes("v"), db.get(families.getFirst(), bytes("k")));
      }
    }
  }
}
