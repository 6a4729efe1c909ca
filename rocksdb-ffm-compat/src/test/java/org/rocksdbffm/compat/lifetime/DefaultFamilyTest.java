/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TtlDB;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;

/**
 * Methods without a family argument use the engine's handle of the default family, even if the program closes its
 * handle.
 */
class DefaultFamilyTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final byte[] VALUE = "value".getBytes(UTF_8);

  @TempDir Path folder;
  private final List<ColumnFamilyHandle> handles = new ArrayList<>();

  /** Opens a database of one kind with a list of families. */
  private interface Opener<D extends RocksDB> {
    D open(DBOptions options, String path, List<ColumnFamilyDescriptor> families) throws RocksDBException;
  }

  private interface Use<D> {
    void of(D db) throws Exception;
  }

  private TransactionDB locking(DBOptions options, String path, List<ColumnFamilyDescriptor> families)
      throws RocksDBException {
    try (TransactionDBOptions transactions = new TransactionDBOptions()) {
      return TransactionDB.open(options, transactions, path, families, handles);
    }
  }

  private OptimisticTransactionDB optimistic(DBOptions options, String path, List<ColumnFamilyDescriptor> families)
      throws RocksDBException {
    return OptimisticTransactionDB.open(options, path, families, handles);
  }

  /** Closes the program's handle of the default family, and uses the family without the handle. */
  private <D extends RocksDB> void afterClose(Opener<D> opener, Use<D> use) throws Exception {
    handles.clear();
    try (DBOptions options = new DBOptions().setCreateIfMissing(true);
        ColumnFamilyOptions merging = new ColumnFamilyOptions().setMergeOperatorName("stringappend")) {
      try (D db =
          opener.open(options, folder.toString(),
              List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, merging)))) {
        assertTrue(handles.getFirst().equals(db.getDefaultColumnFamily()));
        handles.getFirst().close();
        use.of(db);
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> methodsWithoutFamilyWorkAfterTheHandleIsClosed() {
    return Stream.of(
        onDatabase("put and get", db -> db.put(KEY, VALUE)),
        onDatabase("newIterator", db -> {
          try (RocksIterator rows =
              db.newIterator(); ReadOptions read = new ReadOptions(); RocksIterator other = db.newIterator(read)) {
            rows.seekToFirst();
            other.seekToFirst();
          }
        }),
        onDatabase("keyMayExist", db -> db.keyMayExist(ByteBuffer.allocateDirect(3), ByteBuffer.allocateDirect(3))),
        onDatabase("flush", db -> {
          try (FlushOptions options = new FlushOptions()) {
            db.flush(options);
          }
        }),
        onDatabase("ingestExternalFile", db -> {
          try (IngestExternalFileOptions options = new IngestExternalFileOptions()) {
            db.ingestExternalFile(List.of(), options);
          } catch (RocksDBException e) {
            assertEquals("external_files[0] is empty", e.getMessage());
          }
        }),
        onDatabase("getProperty", db -> db.getProperty("rocksdb.stats")),
        onDatabase("suggestCompactRange", RocksDB::suggestCompactRange),
        onDatabase("compactRange", RocksDB::compactRange),
        onDatabase("getColumnFamilyMetaData", RocksDB::getColumnFamilyMetaData),
        onDatabase("getDefaultColumnFamily", db ->
            assertArrayEquals(RocksDB.DEFAULT_COLUMN_FAMILY, db.getDefaultColumnFamily().getName())),
        onDatabase("newIteratorWithBase", db -> {
          try (WriteBatchWithIndex batch = new WriteBatchWithIndex(true);
              ReadOptions read = new ReadOptions()) {
            batch.put(KEY, VALUE);
            batch.newIteratorWithBase(db.newIterator()).seekToFirst();
            batch.newIteratorWithBase(db.newIterator(), read).seekToFirst();
          }
        }),
        DynamicTest.dynamicTest("transaction that locks", () -> afterClose(this::locking, db -> {
          try (WriteOptions write = new WriteOptions(); Transaction transaction = db.beginTransaction(write)) {
            use(transaction);
          }
        })),
        DynamicTest.dynamicTest("optimistic transaction", () -> afterClose(this::optimistic, db -> {
          try (WriteOptions write = new WriteOptions(); Transaction transaction = db.beginTransaction(write)) {
            use(transaction);
          }
        })),
        DynamicTest.dynamicTest("TtlDB", () -> afterClose(
            (options, path, families) -> TtlDB.open(options, path, families, handles, List.of(0), false),
            db -> db.newIterator().close())),
        DynamicTest.dynamicTest("openReadOnly", () -> afterClose(
            (options, path, families) -> {
              RocksDB.open(options, path, families, new ArrayList<>()).close();
              return RocksDB.openReadOnly(options, path, families, handles);
            },
            db -> db.newIterator().close())));
  }

  private DynamicTest onDatabase(String name, Use<RocksDB> use) {
    return DynamicTest.dynamicTest(
        name,
        () -> afterClose((options, path, families) -> RocksDB.open(options, path, families, handles), use));
  }

  private static void use(Transaction transaction) throws RocksDBException {
    try (ReadOptions read = new ReadOptions()) {
      RocksIterator early = transaction.getIterator();
      transaction.put(KEY, VALUE);
      transaction.mergeUntracked(KEY, VALUE);
      transaction.mergeUntracked(ByteBuffer.wrap(KEY), ByteBuffer.wrap(VALUE));
      transaction.get(read, KEY);
      transaction.get(read, KEY, new byte[5]);
      transaction.get(read, ByteBuffer.allocateDirect(3), ByteBuffer.allocateDirect(9));
      transaction.getForUpdate(read, KEY, true);
      transaction.getForUpdate(read, KEY, new byte[5], true);
      transaction.getForUpdate(read, ByteBuffer.allocateDirect(3), ByteBuffer.allocateDirect(9), true);
      early.seekToFirst();
      try (RocksIterator rows = transaction.getIterator(read)) {
        rows.seekToFirst();
        assertArrayEquals("value,value,value".getBytes(UTF_8), rows.value());
      }
    }
  }

  @Test
  void eachHandleOfTheDefaultFamilyIsTheDefaultFamilys() throws Exception {
    try (DBOptions options = new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
        RocksDB db =
            RocksDB.open(
                options,
                folder.toString(),
                List.of(new ColumnFamilyDescriptor(KEY), new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY)),
                handles)) {
      assertEquals(db.getDefaultColumnFamily(), handles.get(1));
      assertTrue(isDefault(handles.get(1)));
      assertTrue(isDefault(db.getDefaultColumnFamily()));
      assertFalse(isDefault(handles.get(0)));
    }
  }

  private static boolean isDefault(ColumnFamilyHandle family) throws ReflectiveOperationException {
    var method = ColumnFamilyHandle.class.getDeclaredMethod("isDefaultColumnFamily");
    method.setAccessible(true);
    return (boolean) method.invoke(family);
  }

  /** rocksdbjni takes the handle by its index in the list, which may contain handles of another database. */
  @Test
  void aListThatHasHandlesOfAnotherDatabaseChangesNothing(@TempDir Path other) throws RocksDBException {
    List<ColumnFamilyDescriptor> families = List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY));
    try (DBOptions options = new DBOptions().setCreateIfMissing(true);
        RocksDB first = RocksDB.open(options, other.toString(), families, handles);
        RocksDB second = RocksDB.open(options, folder.toString(), families, handles)) {
      second.put(KEY, VALUE);
      try (RocksIterator rows = second.newIterator(); RocksIterator none = first.newIterator()) {
        rows.seekToFirst();
        none.seekToFirst();
        assertTrue(rows.isValid());
        assertFalse(none.isValid());
      }
    }
  }

  @Test
  void aForgottenHandleOfTheDefaultFamilyIsNotClosedBeforeItsDatabase() throws Exception {
    try (DBOptions options = new DBOptions().setCreateIfMissing(true);
        RocksDB db =
            RocksDB.open(
                options,
                folder.toString(),
                List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY)),
                new ArrayList<>())) {
      long open = OpenObjects.counts().get("ColumnFamilyHandle");
      for (int i = 0; i < 3; i++) {
        System.gc();
        new ReadOptions().close();
      }
      assertEquals(open, OpenObjects.counts().get("ColumnFamilyHandle"));
      assertFalse(db.isClosed());
    }
  }
}
