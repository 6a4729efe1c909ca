/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.misuse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.rocksdbffm.compat.misuse.DatabaseWrongOrders.KEY;
import static org.rocksdbffm.compat.misuse.DatabaseWrongOrders.VALUE;
import static org.rocksdbffm.compat.misuse.DatabaseWrongOrders.family;
import static org.rocksdbffm.compat.misuse.DatabaseWrongOrders.open;
import static org.rocksdbffm.compat.misuse.DatabaseWrongOrders.openFlushed;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Env;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.SstFileManager;
import org.rocksdb.SstFileReader;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Objects that one thread closes while other threads use them. */
final class RacingWrongOrders {
  private static final int THREADS = 4;
  private static final int ROUNDS = 10;

  private RacingWrongOrders() {}

  /** An action that a thread repeats until it is rejected. */
  private interface Work {
    void once() throws Exception;
  }

  static void addTo(Map<String, WrongOrders.Case> all) {
    all.put("close while others get", folder -> closing(folder, db -> db.get(KEY)));
    all.put("close while others put", folder -> closing(folder, db -> db.put(KEY, VALUE)));
    all.put("close while others get many", folder -> closing(folder, db -> db.multiGetAsList(List.of(KEY, VALUE))));
    all.put("close while others iterate", folder -> closing(folder, RacingWrongOrders::iterate));
    all.put("close while others take snapshots", folder -> closing(folder, RacingWrongOrders::readAtSnapshot));
    all.put("close while others compact", folder -> closing(folder, RocksDB::compactRange));
    all.put("close while others list files", folder -> closing(folder, RocksDB::getLiveFilesMetaData));
    all.put("close while others close", folder -> closing(folder, RocksDB::close));
    all.put("close a family while others read it", RacingWrongOrders::closingFamily);
    all.put("close an iterator while others move it", RacingWrongOrders::closingIterator);
    all.put("close an iterator while others scan with it", RacingWrongOrders::closingScan);
    all.put("close a batch while others fill it", RacingWrongOrders::closingBatch);
    all.put("close a slice while others read it", RacingWrongOrders::closingSlice);
    all.put("close options while others read with them", RacingWrongOrders::closingOptions);
    all.put("close options while others make readers of them", RacingWrongOrders::closingOptionsOfReaders);
    all.put("set parts of options while others copy them", RacingWrongOrders::settingOptions);
    all.put("release a snapshot while others read at it", RacingWrongOrders::releasingSnapshot);
    all.put("move an iterator from many threads", RacingWrongOrders::sharedIterator);
    all.put("scan with one iterator from many threads", RacingWrongOrders::sharedScan);
    all.put("fill a batch from many threads", RacingWrongOrders::sharedBatch);
    all.put("give a file manager its first rate from many threads", RacingWrongOrders::firstRate);
    all.put("close a transaction while others put into it", RacingWrongOrders::closingTransaction);
    all.put("close a database while others commit", RacingWrongOrders::closingBelowTransactions);
    all.put("put into a transaction from many threads", RacingWrongOrders::sharedTransaction);
  }

  private static void firstRate(Path folder) throws Exception {
    for (int round = 0; round < 10 * ROUNDS; round++) {
      try (SstFileManager files = new SstFileManager(Env.getDefault())) {
        together(() -> files.setDeleteRateBytesPerSecond(1 << 20));
      }
    }
  }

  private static void iterate(RocksDB db) {
    RocksIterator rows = db.newIterator();
    for (rows.seekToFirst(); rows.isValid(); rows.next()) {
      rows.value();
    }
    rows.close();
  }

  private static void readAtSnapshot(RocksDB db) throws Exception {
    Snapshot snapshot = db.getSnapshot();
    try (ReadOptions read = new ReadOptions().setSnapshot(snapshot)) {
      db.get(read, KEY);
    }
    db.releaseSnapshot(snapshot);
  }

  private static void closing(Path folder, DatabaseWrongOrders.Use use) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      RocksDB db = openFlushed(folder.resolve("db" + round));
      race(() -> use.of(db), db);
    }
  }

  private static void closingFamily(Path folder) throws Exception {
    try (RocksDB db = open(folder)) {
      for (int round = 0; round < ROUNDS; round++) {
        ColumnFamilyHandle family = family(db, "f" + round);
        race(() -> db.get(family, KEY), () -> {
          db.dropColumnFamily(family);
          family.close();
        });
      }
    }
  }

  private static void closingIterator(Path folder) throws Exception {
    try (RocksDB db = openFlushed(folder)) {
      for (int round = 0; round < ROUNDS; round++) {
        RocksIterator rows = db.newIterator();
        race(() -> rows.seek(KEY), rows);
      }
    }
  }

  private static void closingScan(Path folder) throws Exception {
    try (RocksDB db = openFilled(folder)) {
      for (int round = 0; round < ROUNDS; round++) {
        RocksIterator rows = db.newIterator();
        rows.seekToFirst();
        race(() -> scan(rows), rows);
      }
    }
  }

  /** Opens a database with enough entries for reading ahead. */
  private static RocksDB openFilled(Path folder) throws Exception {
    RocksDB db = openFlushed(folder);
    for (int i = 0; i < 2000; i++) {
      db.put("%08d".formatted(i).getBytes(UTF_8), new byte[i % 200]);
    }
    return db;
  }

  /** Moves forward and back, while other threads may move the iterator. */
  private static void scan(RocksIterator rows) {
    for (int i = 0; i < 50; i++) {
      look(rows);
      rows.next();
    }
    for (int i = 0; i < 20; i++) {
      look(rows);
      rows.prev();
    }
    if (!rows.isValid()) {
      rows.seekToFirst();
    }
  }

  private static void look(RocksIterator rows) {
    if (rows.isValid()) {
      rows.key(new byte[8]);
      rows.value();
      rows.value(ByteBuffer.allocateDirect(100));
    }
  }

  private static void closingBatch(Path folder) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      WriteBatch batch = new WriteBatch();
      race(() -> batch.put(KEY, VALUE), batch);
    }
  }

  private static void closingSlice(Path folder) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Slice slice = new Slice(new byte[1 << 20]);
      race(slice::data, slice);
    }
  }

  private static void closingOptions(Path folder) throws Exception {
    try (RocksDB db = openFlushed(folder)) {
      for (int round = 0; round < ROUNDS; round++) {
        ReadOptions read = new ReadOptions();
        race(() -> db.get(read, KEY), read);
      }
    }
  }

  private static void closingOptionsOfReaders(Path folder) throws Exception {
    for (int round = 0; round < 20 * ROUNDS; round++) {
      Options options = new Options().setWalDir("x".repeat(1000));
      race(() -> new SstFileReader(options).close(), options);
    }
  }

  private static void settingOptions(Path folder) throws Exception {
    try (Options options = new Options()) {
      AtomicInteger threads = new AtomicInteger();
      together(() -> {
        boolean sets = threads.getAndIncrement() % 2 == 0;
        for (int i = 0; i < 20_000; i++) {
          if (sets) {
            options.setMergeOperatorName("stringappend").setWalDir("x".repeat(100 + i % 100)).walDir();
          } else {
            new Options(options).close();
          }
        }
      });
    }
  }

  private static void releasingSnapshot(Path folder) throws Exception {
    try (RocksDB db = openFlushed(folder)) {
      for (int round = 0; round < ROUNDS; round++) {
        Snapshot snapshot = db.getSnapshot();
        try (ReadOptions read = new ReadOptions().setSnapshot(snapshot)) {
          race(() -> db.get(read, KEY), () -> db.releaseSnapshot(snapshot));
        }
      }
    }
  }

  private static void sharedIterator(Path folder) throws Exception {
    try (RocksDB db = openFlushed(folder);
        RocksIterator rows = db.newIterator()) {
      together(() -> {
        for (int i = 0; i < 1000; i++) {
          rows.seekToFirst();
          rows.next();
          rows.seek(KEY);
          rows.prev();
        }
      });
    }
  }

  /** Each thread may get the exception that another thread moved the iterator. */
  private static void sharedScan(Path folder) throws Exception {
    try (RocksDB db = openFilled(folder);
        RocksIterator rows = db.newIterator()) {
      rows.seekToFirst();
      together(() -> {
        for (int i = 0; i < 300; i++) {
          try {
            scan(rows);
          } catch (IllegalStateException movedByAnother) {
            rows.seekToFirst();
          }
        }
      });
    }
  }

  private static void sharedBatch(Path folder) throws Exception {
    try (RocksDB db = open(folder);
        WriteBatch batch = new WriteBatch();
        WriteOptions write = new WriteOptions()) {
      together(() -> {
        for (int i = 0; i < 10_000; i++) {
          batch.put(KEY, new byte[i % 100]);
        }
      });
      if (batch.count() != THREADS * 10_000) {
        throw new IllegalArgumentException("the batch has " + batch.count() + " rows");
      }
      db.write(write, batch);
    }
  }

  private static void closingTransaction(Path folder) throws Exception {
    try (TransactionDB db = TransactionWrongOrders.open(folder);
        WriteOptions write = new WriteOptions()) {
      for (int round = 0; round < ROUNDS; round++) {
        Transaction transaction = db.beginTransaction(write);
        race(() -> transaction.put(KEY, VALUE), transaction);
      }
    }
  }

  private static void closingBelowTransactions(Path folder) throws Exception {
    try (WriteOptions write = new WriteOptions()) {
      for (int round = 0; round < ROUNDS; round++) {
        TransactionDB db = TransactionWrongOrders.open(folder.resolve("db" + round));
        race(() -> {
          Transaction transaction = db.beginTransaction(write);
          transaction.put(KEY, VALUE);
          transaction.commit();
          transaction.close();
        }, db);
      }
    }
  }

  private static void sharedTransaction(Path folder) throws Exception {
    try (TransactionDB db = TransactionWrongOrders.open(folder);
        WriteOptions write = new WriteOptions();
        Transaction transaction = db.beginTransaction(write)) {
      together(() -> {
        for (int i = 0; i < 10_000; i++) {
          transaction.put(KEY, new byte[i % 100]);
        }
      });
      transaction.commit();
    }
  }

  private static void together(Work work) throws Exception {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> threads = IntStream.range(0, THREADS).mapToObj(i -> Thread.ofPlatform().start(() -> {
      try {
        work.once();
      } catch (Throwable e) {
        failure.set(e);
      }
    })).toList();
    for (Thread thread : threads) {
      thread.join();
    }
    if (failure.get() != null) {
      throw new IllegalArgumentException(failure.get());
    }
  }

  /**
   * Closes an object while all threads repeat their action. The threads end when the action is rejected, or after a
   * limit.
   */
  private static void race(Work work, AutoCloseable closed) throws Exception {
    CountDownLatch working = new CountDownLatch(THREADS);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> threads =
        IntStream.range(0, THREADS)
            .mapToObj(i -> Thread.ofPlatform().start(() -> workUntilRefused(work, working, failure)))
            .toList();
    working.await();
    Thread.sleep(2);
    closed.close();
    for (Thread thread : threads) {
      thread.join();
    }
    if (failure.get() != null) {
      throw new IllegalArgumentException(failure.get());
    }
  }

  private static void workUntilRefused(Work work, CountDownLatch working, AtomicReference<Throwable> failure) {
    boolean begun = false;
    try {
      for (int i = 0; i < 20_000; i++) {
        work.once();
        if (!begun) {
          working.countDown();
          begun = true;
        }
      }
    } catch (IllegalStateException | RocksDBException refused) {
      // expected
    } catch (Throwable e) {
      failure.set(e);
    } finally {
      if (!begun) {
        working.countDown();
      }
    }
  }
}
