/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.forgotten;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.*;
import org.rocksdb.util.ReverseBytewiseComparator;
import org.rocksdbffm.compat.lifetime.Guard;
import org.rocksdbffm.compat.lifetime.OpenObjects;
import org.rocksdbffm.compat.lifetime.UpstreamFields;

/** An unreachable object that can be in use through another object is not reclaimed. */
class StillInUseTest {
  private static final byte[] A = {'a'};
  private static final byte[] B = {'b'};
  private static final int ROUNDS = 10;

  @TempDir Path folder;

  /** Makes the collector find unreachable objects, and the reclaimer destroy their native objects. */
  private static void collect() throws InterruptedException {
    for (int i = 0; i < ROUNDS; i++) {
      WeakReference<Object> found = new WeakReference<>(new Object());
      while (!found.refersTo(null)) {
        System.gc();
      }
      new WriteOptions(); // when a later collection has found this object, it has found all earlier ones
      long open = OpenObjects.counts().getOrDefault("WriteOptions", 0L);
      assertTrue(open < 1000, "nothing is reclaimed");
    }
  }

  private RocksDB open() throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true)) {
      return RocksDB.open(options, folder.resolve("db").toString());
    }
  }

  @Test
  void aDatabaseIsOpenAsLongAsAnIteratorOfIts() throws Exception {
    try (RocksIterator iterator = iterator()) {
      collect();
      iterator.seekToFirst();
      assertArrayEquals(A, iterator.key());
    }
  }

  private RocksIterator iterator() throws RocksDBException {
    RocksDB db = open();
    db.put(A, A);
    return db.newIterator();
  }

  @Test
  void aDatabaseIsOpenAsLongAsItsLogIsRead() throws Exception {
    try (TransactionLogIterator log = log()) {
      collect();
      assertTrue(log.isValid());
      assertEquals(1, log.getBatch().writeBatch().count());
    }
  }

  private TransactionLogIterator log() throws RocksDBException {
    RocksDB db = open();
    db.put(A, A);
    return db.getUpdatesSince(0);
  }

  @Test
  void aDatabaseIsOpenAsLongAsAFamilyOfIts() throws Exception {
    try (ColumnFamilyHandle family = family()) {
      collect();
      assertArrayEquals("family".getBytes(), family.getName());
    }
  }

  private ColumnFamilyHandle family() throws RocksDBException {
    return open().createColumnFamily(new ColumnFamilyDescriptor("family".getBytes()));
  }

  @Test
  void whatBoundsAnIteratorAndSaysWhatItSeesIsThereAsLongAsTheIterator() throws Exception {
    try (RocksDB db = open()) {
      db.put(A, A);
      db.put(B, B);
      try (RocksIterator iterator = bounded(db)) {
        db.delete(A);
        collect();
        iterator.seekToFirst();
        assertArrayEquals(A, iterator.key());
        iterator.next();
        assertFalse(iterator.isValid());
      }
    }
  }

  private static RocksIterator bounded(RocksDB db) {
    ReadOptions options = new ReadOptions();
    options.setIterateUpperBound(new Slice(B)).setSnapshot(db.getSnapshot());
    return db.newIterator(options);
  }

  @Test
  void whatTheEngineCallsIsThereAsLongAsTheDatabase() throws Exception {
    try (RocksDB db = reversed()) {
      db.put(A, A);
      db.put(B, B);
      collect();
      try (RocksIterator iterator = db.newIterator()) {
        iterator.seekToFirst();
        assertArrayEquals(B, iterator.key());
      }
    }
  }

  private RocksDB reversed() throws RocksDBException {
    Options options = new Options().setCreateIfMissing(true);
    options.setComparator(new ReverseBytewiseComparator(new ComparatorOptions()));
    options.setEnv(new TimedEnv(Env.getDefault())).setRowCache(new LRUCache(1 << 20)).setStatistics(new Statistics());
    options.setTableFormatConfig(new BlockBasedTableConfig().setFilterPolicy(new BloomFilter()));
    options.setListeners(List.of(new AbstractEventListener() {}));
    return RocksDB.open(options, folder.resolve("reversed").toString());
  }

  @Test
  void aTransactionThatItsDatabaseKnowsByNameIsThere() throws Exception {
    try (Options options = new Options().setCreateIfMissing(true);
        TransactionDBOptions locking = new TransactionDBOptions();
        TransactionDB db = TransactionDB.open(options, locking, folder.resolve("db").toString());
        WriteOptions writes = new WriteOptions()) {
      beginNamed(db, writes);
      collect();
      assertNotNull(db.getTransactionByName("known"));
    }
  }

  /** The reclaimer asks for the name of a leaked transaction, while another thread may close the database. */
  @Test
  void aForgottenTransactionOfAClosedDatabaseIsNotAsked() throws Exception {
    try (Options options = new Options().setCreateIfMissing(true);
        TransactionDBOptions locking = new TransactionDBOptions();
        WriteOptions writes = new WriteOptions()) {
      TransactionDB db = TransactionDB.open(options, locking, folder.resolve("db").toString());
      Guard guard = UpstreamFields.guard(db.beginTransaction(writes));
      db.close();
      guard.closeForgotten(); // would crash the JVM
      assertTrue(guard.isClosed());
    }
  }

  private static void beginNamed(TransactionDB db, WriteOptions writes) throws RocksDBException {
    Transaction transaction = db.beginTransaction(writes);
    transaction.setName("known");
    transaction.put(A, A);
  }

  @Test
  void aTransactionLastsAsLongAsItsBatchAndItsIterator() throws Exception {
    try (Options options = new Options().setCreateIfMissing(true);
        TransactionDBOptions locking = new TransactionDBOptions();
        TransactionDB db = TransactionDB.open(options, locking, folder.resolve("db").toString());
        WriteOptions writes = new WriteOptions()) {
      List<Object> kept = new ArrayList<>();
      put(db, writes, kept);
      collect();
      assertEquals(1, ((WriteBatchWithIndex) kept.get(0)).count());
      RocksIterator iterator = (RocksIterator) kept.get(1);
      iterator.seekToFirst();
      assertArrayEquals(B, iterator.key());
      iterator.close();
    }
  }

  private static void put(TransactionDB db, WriteOptions writes, List<Object> kept) throws RocksDBException {
    Transaction batched = db.beginTransaction(writes);
    batched.put(A, A);
    kept.add(batched.getWriteBatch());
    Transaction iterated = db.beginTransaction(writes);
    iterated.put(B, B);
    kept.add(iterated.getIterator(new ReadOptions()));
  }

  @Test
  void anOptimisticDatabaseIsOpenAsLongAsTheOneBelow() throws Exception {
    RocksDB below = below();
    collect();
    below.put(A, A);
    assertArrayEquals(A, below.get(A));
  }

  private RocksDB below() throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true)) {
      return OptimisticTransactionDB.open(options, folder.resolve("db").toString()).getBaseDB();
    }
  }
}
