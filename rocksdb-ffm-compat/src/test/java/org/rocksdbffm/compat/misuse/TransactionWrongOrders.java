/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.misuse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.rocksdbffm.compat.misuse.DatabaseWrongOrders.KEY;
import static org.rocksdbffm.compat.misuse.DatabaseWrongOrders.VALUE;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TransactionOptions;
import org.rocksdb.TxnDBWritePolicy;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Transaction databases and objects of transactions, closed and ended in wrong orders. */
final class TransactionWrongOrders {
  private TransactionWrongOrders() {}

  /** Misuses a transaction that has written one key, and its database. */
  private interface Use {
    void of(TransactionDB db, Transaction transaction) throws Exception;
  }

  /** A use that may be wrong. */
  private interface Step {
    void of(Transaction transaction) throws Exception;
  }

  static TransactionDB open(Path folder) throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true);
        TransactionDBOptions transactionOptions = new TransactionDBOptions()) {
      TransactionDB db = TransactionDB.open(options, transactionOptions, folder.toString());
      db.put(KEY, VALUE);
      return db;
    }
  }

  private static OptimisticTransactionDB openOptimistic(Path folder) throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true)) {
      OptimisticTransactionDB db = OptimisticTransactionDB.open(options, folder.toString());
      db.put(KEY, VALUE);
      return db;
    }
  }

  private static byte[] key(int number) {
    return "key%06d".formatted(number).getBytes(UTF_8);
  }

  /** Writes entries to a transaction, in addition to the database's entries. */
  private static void fill(Transaction transaction) throws RocksDBException {
    for (int i = 0; i < 1000; i++) {
      transaction.put(key(i), VALUE);
    }
  }

  private static void walk(RocksIterator rows) {
    for (rows.seekToFirst(); rows.isValid(); rows.next()) {
      rows.key();
      rows.value();
    }
  }

  static void addTo(Map<String, WrongOrders.Case> all) {
    addDatabases(all);
    addFamilies(all);
    addEnds(all);
    addContents(all);
    addParts(all);
  }

  /** Handles of families that the engine still uses after their owner closes them. */
  private static void addFamilies(Map<String, WrongOrders.Case> all) {
    all.put("iterate a transaction after its default family's handle", TransactionWrongOrders::iteratedAfterDefault);
    for (TxnDBWritePolicy policy : TxnDBWritePolicy.values()) {
      String name = "roll back what was prepared after its family's handle, " + policy;
      all.put(name, folder -> rolledBackAfterFamily(folder, policy, false));
      all.put(name + ", of a new family", folder -> rolledBackAfterFamily(folder, policy, true));
    }
  }

  private static void iteratedAfterDefault(Path folder) throws Exception {
    ColumnFamilyOptions merging = new ColumnFamilyOptions().setMergeOperatorName("stringappend");
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    try (TransactionDB db =
        TransactionDB.open(
            new DBOptions().setCreateIfMissing(true),
            new TransactionDBOptions(),
            folder.toString(),
            List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, merging)),
            handles)) {
      db.put(KEY, VALUE);
      Transaction transaction = db.beginTransaction(new WriteOptions());
      RocksIterator rows = transaction.getIterator(new ReadOptions());
      transaction.mergeUntracked(KEY, VALUE);
      handles.getFirst().close();
      churn();
      walk(rows);
      walk(transaction.getIterator(new ReadOptions()));
    }
  }

  private static void rolledBackAfterFamily(Path folder, TxnDBWritePolicy policy, boolean isNew) throws Exception {
    List<ColumnFamilyDescriptor> families = new ArrayList<>();
    families.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY));
    families.add(new ColumnFamilyDescriptor("family".getBytes(UTF_8)));
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    try (TransactionDB db =
        TransactionDB.open(
            new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true),
            new TransactionDBOptions().setWritePolicy(policy),
            folder.toString(),
            families,
            handles)) {
      ColumnFamilyHandle family =
          isNew ? db.createColumnFamily(new ColumnFamilyDescriptor("new".getBytes(UTF_8))) : handles.get(1);
      Transaction transaction = db.beginTransaction(new WriteOptions());
      transaction.setName("prepared");
      transaction.put(family, KEY, VALUE);
      transaction.prepare();
      family.close();
      churn();
      transaction.rollback();
    }
  }

  /** Reuses freed memory. */
  private static void churn() throws RocksDBException {
    for (int i = 0; i < 1000; i++) {
      new ReadOptions().close();
      try (WriteBatch batch = new WriteBatch()) {
        batch.put(new byte[i % 200], new byte[i % 300]);
      }
    }
  }

  private static void addDatabases(Map<String, WrongOrders.Case> all) {
    all.put("begin a transaction after close", afterClose((db, ignored) -> db.beginTransaction(new WriteOptions())));
    all.put("ask who holds locks after close", afterClose((db, ignored) -> db.getLockStatusData()));
    all.put("ask for deadlocks after close", afterClose((db, ignored) -> db.getDeadlockInfoBuffer()));
    all.put("ask for prepared transactions after close", afterClose((db, ignored) -> db.getAllPreparedTransactions()));
    all.put("ask for a transaction by its name after close", afterClose((db, ignored) -> db.getTransactionByName("x")));
    all.put("get from a closed database with transactions", afterClose((db, ignored) -> db.get(KEY)));
    all.put("close a database with transactions twice", afterClose((db, ignored) -> db.close()));

    all.put("a transaction is put into after its database", afterClose((db, its) -> its.put(KEY, VALUE)));
    all.put("a transaction is read after its database", afterClose((db, its) -> its.get(new ReadOptions(), KEY)));
    all.put("a transaction is committed after its database", afterClose((db, its) -> its.commit()));
    all.put("a transaction is rolled back after its database", afterClose((db, its) -> its.rollback()));
    all.put("a transaction is closed after its database", afterClose((db, its) -> its.close()));
    all.put("a transaction is prepared after its database", afterClose((db, its) -> its.prepare()));
    all.put("a transaction is begun anew after its database", TransactionWrongOrders::reusedLate);

    all.put("begin optimistically after close",
        afterOptimisticClose((db, its) -> db.beginTransaction(new WriteOptions())));
    all.put("get from a closed optimistic database", afterOptimisticClose((db, its) -> db.get(KEY)));
    all.put("an optimistic transaction is put into after its database",
        afterOptimisticClose((db, its) -> its.put(KEY, VALUE)));
    all.put("an optimistic transaction is committed after its database",
        afterOptimisticClose((db, its) -> its.commit()));
    all.put("an optimistic transaction is closed after its database", afterOptimisticClose((db, its) -> its.close()));
    all.put("the database below an optimistic one outlives it", TransactionWrongOrders::baseOutlives);
  }

  private static void addEnds(Map<String, WrongOrders.Case> all) {
    all.put("put into a closed transaction", onClosed(its -> its.put(KEY, VALUE)));
    all.put("put untracked into a closed transaction", onClosed(its -> its.putUntracked(KEY, VALUE)));
    all.put("get from a closed transaction", onClosed(its -> its.get(new ReadOptions(), KEY)));
    all.put("lock by a closed transaction", onClosed(its -> its.getForUpdate(new ReadOptions(), KEY, true)));
    all.put("get many from a closed transaction", onClosed(its -> its.multiGetAsList(new ReadOptions(), List.of(KEY))));
    all.put("iterate a closed transaction", onClosed(its -> walk(its.getIterator(new ReadOptions()))));
    all.put("commit a closed transaction", onClosed(Transaction::commit));
    all.put("roll back a closed transaction", onClosed(Transaction::rollback));
    all.put("close a transaction twice", onClosed(Transaction::close));
    all.put("name a closed transaction", onClosed(its -> its.setName("late")));
    all.put("mark a point in a closed transaction", onClosed(Transaction::setSavePoint));
    all.put("go back in a closed transaction", onClosed(Transaction::rollbackToSavePoint));
    all.put("take the batch of a closed transaction", onClosed(its -> its.getWriteBatch().getWriteBatch().count()));
    all.put("take a snapshot in a closed transaction", onClosed(Transaction::setSnapshot));
    all.put("ask for whom a closed transaction waits", onClosed(its -> its.getWaitingTxns().getTransactionIds()));

    all.put("commit twice", with((db, its) -> {
      its.commit();
      its.commit();
    }));
    all.put("roll back after a commit", with((db, its) -> {
      its.commit();
      its.rollback();
    }));
    all.put("put after a commit", with((db, its) -> {
      its.commit();
      its.put(KEY, VALUE);
      its.commit();
    }));
    all.put("go back to a point that is gone", with((db, its) -> {
      its.setSavePoint();
      its.rollbackToSavePoint();
      its.rollbackToSavePoint();
    }));
    all.put("go back to a point before a commit", with((db, its) -> {
      its.setSavePoint();
      its.commit();
      its.rollbackToSavePoint();
    }));
    all.put("a transaction is begun anew while it lasts", with((db, its) -> {
      try (WriteOptions write = new WriteOptions()) {
        db.beginTransaction(write, its).commit();
      }
    }));
    all.put("a closed transaction is begun anew", with((db, its) -> {
      its.close();
      try (WriteOptions write = new WriteOptions()) {
        db.beginTransaction(write, its).put(KEY, VALUE);
      }
    }));
    all.put("a prepared transaction is closed, and found by its name", with((db, its) -> {
      its.setName("its");
      its.prepare();
      Transaction same = db.getTransactionByName("its");
      its.close();
      same.rollback();
    }));
  }

  private static void addContents(Map<String, WrongOrders.Case> all) {
    all.put("an iterator outlives its transaction", iterating((db, its) -> its.close()));
    all.put("an iterator goes on after a commit", iterating((db, its) -> its.commit()));
    all.put("an iterator goes on after a rollback", iterating((db, its) -> its.rollback()));
    all.put("an iterator goes on after going back", iterating((db, its) -> its.rollbackToSavePoint()));
    all.put("an iterator over a transaction outlives the database", iterating((db, its) -> db.close()));
    all.put("an iterator goes on in a transaction begun anew", iterating((db, its) -> {
      try (WriteOptions write = new WriteOptions()) {
        its.commit();
        db.beginTransaction(write, its);
        fill(its);
      }
    }));
    all.put("an iterator is closed after its transaction", with((db, its) -> {
      RocksIterator rows = its.getIterator(new ReadOptions());
      rows.seekToFirst();
      its.close();
      rows.close();
    }));
    all.put("an optimistic transaction's iterator outlives it", TransactionWrongOrders::optimisticIterator);

    all.put("a snapshot outlives its transaction", snapshotAfter((db, its) -> its.close()));
    all.put("a snapshot outlives its transaction's database", snapshotAfter((db, its) -> db.close()));
    all.put("a snapshot is used after it was cleared", snapshotAfter((db, its) -> its.clearSnapshot()));
    all.put("a snapshot is used after another was set", snapshotAfter((db, its) -> {
      db.put(key(1), VALUE);
      its.setSnapshot();
    }));
    all.put("a transaction's snapshot is released", snapshotAfter((db, its) -> db.releaseSnapshot(its.getSnapshot())));
    all.put("a transaction reads at a snapshot that was released", TransactionWrongOrders::readAtReleased);

    all.put("a batch outlives its transaction", batchAfter((db, its) -> its.close()));
    all.put("a batch is used after its transaction's commit", batchAfter((db, its) -> its.commit()));
    all.put("a batch outlives its transaction's database", batchAfter((db, its) -> db.close()));
    all.put("the batch of a transaction's commit outlives it", with((db, its) -> {
      WriteBatch batch = its.getCommitTimeWriteBatch();
      its.close();
      batch.put(KEY, VALUE);
    }));
  }

  private static void addParts(Map<String, WrongOrders.Case> all) {
    all.put("a transaction's write options are closed", TransactionWrongOrders::closedWriteOptions);
    all.put("begin a transaction with closed options", with((db, its) -> {
      TransactionOptions options = new TransactionOptions();
      options.close();
      db.beginTransaction(new WriteOptions(), options).put(KEY, VALUE);
    }));
    all.put("set closed write options in a transaction", with((db, its) -> {
      WriteOptions write = new WriteOptions();
      write.close();
      its.setWriteOptions(write);
      its.commit();
    }));
    all.put("read in a transaction with closed options", with((db, its) -> {
      ReadOptions read = new ReadOptions();
      read.close();
      its.get(read, KEY);
    }));
    all.put("put into a closed family by a transaction", with((db, its) -> {
      ColumnFamilyHandle family = DatabaseWrongOrders.family(db, "f");
      family.close();
      its.put(family, KEY, VALUE);
    }));
    all.put("commit to a family that was closed meanwhile", with((db, its) -> {
      ColumnFamilyHandle family = DatabaseWrongOrders.family(db, "f");
      its.put(family, KEY, VALUE);
      family.close();
      its.commit();
    }));
    all.put("commit to a family that was dropped meanwhile", with((db, its) -> {
      ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(KEY));
      its.put(family, KEY, VALUE);
      db.dropColumnFamily(family);
      family.close();
      its.commit();
    }));
    all.put("rebuild a transaction from a closed batch", with((db, its) -> {
      WriteBatch batch = new WriteBatch();
      batch.put(KEY, VALUE);
      batch.close();
      its.rebuildFromWriteBatch(batch);
    }));
  }

  private static WrongOrders.Case with(Use use) {
    return folder -> {
      try (WriteOptions write = new WriteOptions();
          TransactionDB db = open(folder);
          Transaction transaction = db.beginTransaction(write)) {
        transaction.put(KEY, VALUE);
        use.of(db, transaction);
      }
    };
  }

  private static WrongOrders.Case onClosed(Step step) {
    return with((db, its) -> {
      its.close();
      step.of(its);
    });
  }

  private static WrongOrders.Case afterClose(Use use) {
    return folder -> {
      try (WriteOptions write = new WriteOptions()) {
        TransactionDB db = open(folder);
        Transaction transaction = db.beginTransaction(write);
        transaction.put(key(1), VALUE);
        db.close();
        use.of(db, transaction);
      }
    };
  }

  /** Uses a closed database, and gets conflicts at the commit. */
  private interface OptimisticUse {
    void of(OptimisticTransactionDB db, Transaction transaction) throws Exception;
  }

  private static WrongOrders.Case afterOptimisticClose(OptimisticUse use) {
    return folder -> {
      try (WriteOptions write = new WriteOptions()) {
        OptimisticTransactionDB db = openOptimistic(folder);
        Transaction transaction = db.beginTransaction(write);
        transaction.put(key(1), VALUE);
        db.close();
        use.of(db, transaction);
      }
    };
  }

  private static void reusedLate(Path folder) throws Exception {
    try (WriteOptions write = new WriteOptions()) {
      TransactionDB db = open(folder);
      Transaction transaction = db.beginTransaction(write);
      transaction.commit();
      db.close();
      db.beginTransaction(write, transaction).put(KEY, VALUE);
    }
  }

  private static void baseOutlives(Path folder) throws Exception {
    OptimisticTransactionDB db = openOptimistic(folder);
    RocksDB base = db.getBaseDB();
    db.close();
    base.get(KEY);
    base.close();
  }

  /** Ends an object that an iterator over a transaction uses. */
  private static WrongOrders.Case iterating(Use end) {
    return with((db, its) -> {
      its.setSavePoint();
      fill(its);
      RocksIterator rows = its.getIterator(new ReadOptions());
      rows.seek(key(500));
      rows.next();
      end.of(db, its);
      rows.value();
      rows.next();
      walk(rows);
    });
  }

  private static void optimisticIterator(Path folder) throws Exception {
    try (WriteOptions write = new WriteOptions();
        OptimisticTransactionDB db = openOptimistic(folder)) {
      Transaction transaction = db.beginTransaction(write);
      fill(transaction);
      RocksIterator rows = transaction.getIterator(new ReadOptions());
      rows.seekToFirst();
      transaction.close();
      walk(rows);
    }
  }

  /** Ends an object, and then reads at a transaction's snapshot. */
  private static WrongOrders.Case snapshotAfter(Use end) {
    return with((db, its) -> {
      its.setSnapshot();
      Snapshot snapshot = its.getSnapshot();
      end.of(db, its);
      snapshot.getSequenceNumber();
      try (ReadOptions read = new ReadOptions().setSnapshot(snapshot)) {
        its.get(read, KEY);
      }
    });
  }

  private static void readAtReleased(Path folder) throws Exception {
    with((db, its) -> {
      Snapshot snapshot = db.getSnapshot();
      try (ReadOptions read = new ReadOptions().setSnapshot(snapshot)) {
        db.releaseSnapshot(snapshot);
        its.get(read, KEY);
        walk(its.getIterator(read));
      }
    }).run(folder);
  }

  /** Ends an object, and then uses a transaction's batch. */
  private static WrongOrders.Case batchAfter(Use end) {
    return with((db, its) -> {
      var batch = its.getWriteBatch();
      end.of(db, its);
      batch.put(key(2), VALUE);
      walk(batch.newIteratorWithBase(db.newIterator()));
    });
  }

  private static void closedWriteOptions(Path folder) throws Exception {
    try (TransactionDB db = open(folder)) {
      WriteOptions write = new WriteOptions();
      Transaction transaction = db.beginTransaction(write);
      write.close();
      transaction.put(KEY, VALUE);
      transaction.commit();
    }
  }
}
