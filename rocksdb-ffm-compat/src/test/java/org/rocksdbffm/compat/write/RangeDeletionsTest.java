/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.write;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdb.BuiltinComparator;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TransactionLogIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;
import org.rocksdbffm.compat.tools.LambdaComparator;

/** Deletions of empty ranges, which the engine's recovery does not count, and of ranges that end before they start. */
class RangeDeletionsTest {
  private static final byte[] K = bytes("k");

  @TempDir Path folder;

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private interface Use {
    void use(RocksDB db, List<ColumnFamilyHandle> families, WriteOptions options) throws RocksDBException;
  }

  private static int compareIgnoringCase(ByteBuffer a, ByteBuffer b) {
    return UTF_8.decode(a).toString().compareToIgnoreCase(UTF_8.decode(b).toString());
  }

  /** The families are sorted as bytes, in reverse, and by a Java comparator. */
  private void use(Use use) throws RocksDBException {
    try (DBOptions all =
        new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true).setWalTtlSeconds(3600);
        ComparatorOptions how = new ComparatorOptions();
        LambdaComparator ignoring = new LambdaComparator(how, "ignoring case", RangeDeletionsTest::compareIgnoringCase);
        ColumnFamilyOptions plain = new ColumnFamilyOptions();
        ColumnFamilyOptions reverse =
            new ColumnFamilyOptions().setComparator(BuiltinComparator.REVERSE_BYTEWISE_COMPARATOR);
        ColumnFamilyOptions java = new ColumnFamilyOptions().setComparator(ignoring);
        WriteOptions options = new WriteOptions()) {
      List<ColumnFamilyHandle> families = new ArrayList<>();
      List<ColumnFamilyDescriptor> descriptors =
          List.of(
              new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, plain),
              new ColumnFamilyDescriptor(bytes("reverse"), reverse),
              new ColumnFamilyDescriptor(bytes("java"), java));
      try (RocksDB db = RocksDB.open(all, folder.resolve("db").toString(), descriptors, families)) {
        use.use(db, families, options);
      }
    }
  }

  private enum Way {
    ALONE((db, families, options) -> db.deleteRange(K, bytes("k"))),
    OF_A_FAMILY((db, families, options) -> {
      for (ColumnFamilyHandle family : families) {
        db.deleteRange(family, K, bytes("k"));
        db.deleteRange(family, options, K, bytes("k"));
      }
    }),
    WITH_OPTIONS((db, families, options) -> {
      try (WriteOptions synced = new WriteOptions().setSync(true)) {
        db.deleteRange(synced, K, bytes("k"));
      }
    }),
    THE_SAME_KEY_IN_THE_ORDER_OF_THE_FAMILY((db, families, options) -> db.deleteRange(families.get(2), K, bytes("K"))),
    IN_A_BATCH((db, families, options) -> {
      try (WriteBatch batch = batch(families)) {
        byte[] data = batch.data();
        assertEquals(8, batch.count());
        db.write(options, batch);
        assertEquals(8, batch.count());
        assertArrayEquals(data, batch.data());
      }
    }),
    ALONE_IN_A_BATCH((db, families, options) -> {
      try (WriteBatch batch = new WriteBatch()) {
        batch.deleteRange(K, K);
        assertTrue(batch.hasDeleteRange());
        db.write(options, batch);
      }
    }),
    IN_A_BATCH_OF_BYTES((db, families, options) -> {
      try (WriteBatch batch = batch(families);
          WriteBatch read = new WriteBatch(batch.data())) {
        assertEquals(8, read.count());
        db.write(options, read);
      }
    }),
    IN_A_BATCH_OF_CLOSED_FAMILIES((db, families, options) -> {
      try (WriteBatch batch = new WriteBatch()) {
        batch.put(families.get(1), K, K);
        batch.deleteRange(families.get(2), K, K);
        families.forEach(ColumnFamilyHandle::close);
        batch.deleteRange(K, K);
        db.write(options, batch);
      }
    }),
    AFTER_A_SAVE_POINT((db, families, options) -> {
      try (WriteBatch batch = batch(families)) {
        batch.setSavePoint();
        batch.deleteRange(K, K);
        batch.rollbackToSavePoint();
        assertEquals(8, batch.count());
        batch.deleteRange(K, K);
        db.write(options, batch);
      }
    }),
    IN_AN_INDEXED_BATCH((db, families, options) -> {
      try (WriteBatchWithIndex batch = new WriteBatchWithIndex(true)) {
        batch.put(K, K);
        assertThrows(RocksDBException.class, () -> batch.deleteRange(K, K));
        batch.getWriteBatch().deleteRange(K, K);
        batch.getWriteBatch().deleteRange(families.get(1), K, K);
        db.write(options, batch);
      }
    });

    private final Use write;

    Way(Use write) {
      this.write = write;
    }

    /** Returns a batch of eight records, four of which are empty ranges. */
    private static WriteBatch batch(List<ColumnFamilyHandle> families) throws RocksDBException {
      WriteBatch batch = new WriteBatch();
      batch.deleteRange(K, K);
      batch.put(K, K);
      batch.deleteRange(families.get(1), K, K);
      batch.deleteRange(bytes("x"), bytes("y"));
      batch.putLogData(K);
      batch.put(families.get(2), K, K);
      batch.deleteRange(families.get(2), bytes("Ab"), bytes("aB"));
      batch.deleteRange(families.get(1), bytes("y"), bytes("x"));
      batch.deleteRange(families.get(2), K, K);
      return batch;
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void anEmptyRangeHasNoNumberThatTheNextOpeningGivesAway(Way way) throws RocksDBException {
    long[] latest = new long[1];
    use((db, families, options) -> {
      db.put(bytes("first"), K);
      way.write.use(db, families, options);
      latest[0] = db.getLatestSequenceNumber();
    });
    use((db, families, options) -> {
      assertEquals(latest[0], db.getLatestSequenceNumber());
      db.put(bytes("next"), K);
      try (TransactionLogIterator log = db.getUpdatesSince(latest[0] + 1)) {
        assertTrue(log.isValid());
        TransactionLogIterator.BatchResult read = log.getBatch();
        assertEquals(latest[0] + 1, read.sequenceNumber());
        read.writeBatch().close();
      }
    });
  }

  @Test
  void aBatchIsWrittenWithoutItsEmptyRanges() throws RocksDBException {
    use((db, families, options) -> {
      db.put(bytes("x"), K);
      try (WriteBatch batch = Way.batch(families)) {
        db.write(options, batch);
      }
      assertEquals(5, db.getLatestSequenceNumber());
      assertArrayEquals(K, db.get(K));
      assertArrayEquals(K, db.get(families.get(2), bytes("K")));
      assertNull(db.get(bytes("x")));
    });
  }

  @Test
  void aRangeThatEndsBeforeItStartsIsRefusedAndTheDatabaseTakesWrites() throws RocksDBException {
    byte[] a = bytes("a");
    use((db, families, options) -> {
      List<byte[][]> negative = List.of(new byte[][] {K, a}, new byte[][] {a, K}, new byte[][] {bytes("K"), a});
      for (int i = 0; i < 3; i++) {
        ColumnFamilyHandle family = families.get(i);
        byte[] from = negative.get(i)[0];
        byte[] until = negative.get(i)[1];
        assertRefused(assertThrows(RocksDBException.class, () -> db.deleteRange(family, from, until)));
        try (WriteBatch batch = new WriteBatch()) {
          batch.put(family, a, a);
          batch.deleteRange(family, from, until);
          assertEquals(2, batch.count());
          assertRefused(assertThrows(RocksDBException.class, () -> db.write(options, batch)));
        }
        assertNull(db.get(family, a));
        db.put(family, a, K);
        db.deleteRange(family, until, from);
      }
      assertEquals(6, db.getLatestSequenceNumber());
    });
    use((db, families, options) -> assertEquals(6, db.getLatestSequenceNumber()));
  }

  private static void assertRefused(RocksDBException e) {
    assertEquals(Status.Code.InvalidArgument, e.getStatus().getCode());
    assertEquals("end key comes before start key", e.getMessage());
  }

  @Test
  void transactionsTakeNoEmptyRangeByTheBatchesWithinThem() throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true);
        TransactionDBOptions locks = new TransactionDBOptions();
        WriteOptions write = new WriteOptions()) {
      try (TransactionDB db = TransactionDB.open(options, locks, folder.resolve("locks").toString())) {
        assertThrows(RocksDBException.class, () -> db.deleteRange(K, K));
        try (WriteBatch batch = new WriteBatch()) {
          batch.deleteRange(K, K);
          assertThrows(RocksDBException.class, () -> db.write(write, batch));
        }
        try (Transaction transaction = db.beginTransaction(write)) {
          transaction.put(K, K);
          transaction.getWriteBatch().getWriteBatch().deleteRange(K, K);
          transaction.getCommitTimeWriteBatch().deleteRange(K, K);
          transaction.setName("named");
          transaction.prepare();
          transaction.commit();
        }
        assertEquals(1, db.getLatestSequenceNumber());
      }
      try (TransactionDB db = TransactionDB.open(options, locks, folder.resolve("locks").toString())) {
        assertEquals(1, db.getLatestSequenceNumber());
      }
      try (OptimisticTransactionDB db =
          OptimisticTransactionDB.open(options, folder.resolve("optimistic").toString())) {
        assertThrows(RocksDBException.class, () -> db.deleteRange(K, K));
        try (Transaction transaction = db.beginTransaction(write)) {
          transaction.put(K, K);
          transaction.getWriteBatch().getWriteBatch().deleteRange(K, K);
          transaction.commit();
        }
        assertNotNull(db.get(K));
        assertEquals(1, db.getLatestSequenceNumber());
      }
    }
  }

  @Test
  void aDamagedBatchIsTheEnginesToRefuse() throws RocksDBException {
    use((db, families, options) -> {
      try (WriteBatch batch = Way.batch(families)) {
        byte[] data = batch.data();
        try (WriteBatch damaged = new WriteBatch(Arrays.copyOf(data, data.length - 1))) {
          assertThrows(RocksDBException.class, () -> db.write(options, damaged));
        }
      }
    });
  }
}
