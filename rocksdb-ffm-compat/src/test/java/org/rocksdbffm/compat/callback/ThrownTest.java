/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.callback;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.AbstractTableFilter;
import org.rocksdb.AbstractWalFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksIterator;
import org.rocksdb.TableProperties;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WriteBatch;

/** A callback that throws hides no entries and does not truncate the WAL, and the method that triggered it throws. */
class ThrownTest {
  private static final int ROWS = 100;
  private static final RuntimeException MINE = new IllegalArgumentException("mine");

  @TempDir Path folder;

  @BeforeAll
  static void load() {
    RocksDB.loadLibrary();
  }

  private static void fill(RocksDB db) throws Exception {
    for (int i = 0; i < ROWS; i++) {
      db.put(("key " + i).getBytes(UTF_8), "value".getBytes(UTF_8));
    }
  }

  private static int count(RocksIterator rows) throws Exception {
    int count = 0;
    for (rows.seekToFirst(); rows.isValid(); rows.next()) {
      count++;
    }
    rows.status();
    return count;
  }

  private static final class Throwing extends AbstractTableFilter {
    private boolean throwing = true;

    @Override
    public boolean filter(TableProperties properties) {
      if (throwing) {
        throw MINE;
      }
      return true;
    }
  }

  @Test
  void aTableFilterThatThrowsHidesNoRows() throws Exception {
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, folder.toString());
        FlushOptions flush = new FlushOptions();
        Throwing filter = new Throwing();
        ReadOptions reading = new ReadOptions().setTableFilter(filter)) {
      fill(db);
      db.flush(flush);
      IllegalStateException told = assertThrows(IllegalStateException.class, () -> count(db.newIterator(reading)));
      assertEquals("the Throwing threw: the table was read", told.getMessage());
      assertSame(MINE, told.getCause());
      filter.throwing = false;
      try (RocksIterator rows = db.newIterator(reading)) {
        assertEquals(ROWS, count(rows));
      }
    }
  }

  @Test
  void theRowsAreThereForWhoGoesOnAllTheSame() throws Exception {
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, folder.toString());
        FlushOptions flush = new FlushOptions();
        Throwing filter = new Throwing();
        ReadOptions reading = new ReadOptions().setTableFilter(filter)) {
      fill(db);
      db.flush(flush);
      db.compactRange();
      filter.throwing = false;
      try (RocksIterator rows = db.newIterator(reading)) { // reads SST files below the first level when moved
        filter.throwing = true;
        boolean told = false;
        try {
          rows.seekToFirst();
        } catch (IllegalStateException e) {
          told = true;
        }
        filter.throwing = false;
        assertTrue(told);
        assertTrue(rows.isValid());
        assertEquals(ROWS, count(rows));
      }
    }
  }

  private static final class Breaking extends AbstractWalFilter {
    private boolean called;

    @Override
    public void columnFamilyLogNumberMap(Map<Integer, Long> logs, Map<String, Integer> families) {}

    @Override
    public LogRecordFoundResult logRecordFound(long log, String file, WriteBatch batch, WriteBatch changed) {
      called = true;
      throw MINE;
    }

    @Override
    public String name() {
      return "broken";
    }
  }

  private interface Opening {
    RocksDB open(Options options) throws Exception;
  }

  /** All entries are in the WAL; the WAL filter throws at the first one. */
  private void assertNothingIsLost(Opening opening) throws Exception {
    try (Options options = new Options().setCreateIfMissing(true);
        Breaking filter = new Breaking()) {
      try (RocksDB db = opening.open(options)) {
        fill(db);
      }
      options.setWalFilter(filter);
      IllegalStateException told = assertThrows(IllegalStateException.class, () -> opening.open(options));
      assertEquals("the Breaking threw: the log was replayed as it is", told.getMessage());
      assertSame(MINE, told.getCause());
      assertTrue(filter.called);
    }
    try (Options options = new Options();
        RocksDB db = opening.open(options); // the database is closed
        RocksIterator rows = db.newIterator()) {
      assertEquals(ROWS, count(rows));
    }
  }

  @Test
  void aFilterOfTheLogThatThrowsFailsTheOpenAndLosesNothing() throws Exception {
    assertNothingIsLost(options -> RocksDB.open(options, folder.toString()));
  }

  @Test
  void aFilterOfTheLogThatThrowsFailsTheOpenOfATransactionDatabase() throws Exception {
    try (TransactionDBOptions transactions = new TransactionDBOptions()) {
      assertNothingIsLost(options -> TransactionDB.open(options, transactions, folder.toString()));
    }
  }

  @Test
  void aFilterOfTheLogThatThrowsFailsTheOpenWithFamilies() throws Exception {
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    assertNothingIsLost(
        options -> {
          try (DBOptions its = new DBOptions(options)) {
            handles.clear();
            RocksDB db =
                RocksDB.open(
                    its,
                    folder.toString(),
                    List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY)),
                    handles);
            assertNotNull(db);
            return db;
          }
        });
    assertFalse(handles.isEmpty());
  }
}
