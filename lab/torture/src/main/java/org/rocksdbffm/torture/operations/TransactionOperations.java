/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.OptimisticTransactionDb;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.Scan;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionKeys;
import org.rocksdbffm.TransactionOptions;
import org.rocksdbffm.TransactionRetryException;
import org.rocksdbffm.TransactionalDb;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.torture.world.Attempt;
import org.rocksdbffm.torture.world.Bank;
import org.rocksdbffm.torture.world.Bank.Promise;
import org.rocksdbffm.torture.world.ClientBytes;
import org.rocksdbffm.torture.world.Held;
import org.rocksdbffm.torture.world.Operation;
import org.rocksdbffm.torture.world.OwnTransaction;
import org.rocksdbffm.torture.world.World;

/** Transactions on each client's rows, transfers between shared accounts, and two-phase commits of promises. */
public final class TransactionOperations {
  static final List<Operation> ALL =
      List.of(
          new Operation("writeInTransaction", 120, TransactionOperations::write),
          new Operation("readInTransaction", 100, TransactionOperations::read),
          new Operation("scanTransaction", 25, TransactionOperations::scan),
          new Operation("savePoint", 40, TransactionOperations::savePoint),
          new Operation("endTransaction", 30, TransactionOperations::end),
          new Operation("moveMoney", 40, TransactionOperations::move),
          new Operation("audit", 20, TransactionOperations::audit),
          new Operation("promise", 8, TransactionOperations::promise),
          new Operation("keepPromises", 4, TransactionOperations::keepPromises),
          new Operation("meddle", 20, TransactionOperations::meddle),
          new Operation("dropInTransaction", 1, TransactionOperations::drop),
          new Operation("openTransactional", 1, TransactionOperations::openElsewhere),
          new Operation("closeBank", 2, TransactionOperations::close),
          new Operation("openBank", 40, TransactionOperations::open));

  private static final String ENDED = "(?s).* was (committed|rolled back): begin another";
  private static final TransactionOptions SHORT =
      TransactionOptions.defaults()
          .lockTimeout(Duration.ofMillis(2))
          .deadlockDetection(true)
          .deadlockDepth(20)
          .expiration(Duration.ofMinutes(5))
          .maxSize(ByteSize.mib(16));

  private TransactionOperations() {}

  private static Bank anyBank(Attempt attempt) {
    return attempt.oneOf(attempt.world.banks);
  }

  /** Returns the client's transaction in a random bank; starts one if the last may be closed. */
  private static OwnTransaction own(Attempt attempt) {
    Bank bank = anyBank(attempt);
    OwnTransaction own = attempt.client.transactions().get(bank);
    if (own == null || own.held.mayBeClosed()) {
      if (own != null) {
        own.held.close(attempt.world.tally);
      }
      own = begin(bank, attempt);
    }
    attempt.share(own.held); // other clients use the transaction in meddle()
    attempt.allow(Code.TRY_AGAIN); // the memtable for checking conflicts was flushed
    attempt.allow(Code.ABORTED); // the transaction's size is limited
    return own;
  }

  private static OwnTransaction begin(Bank bank, Attempt attempt) {
    Held<TransactionalDb> database = bank.database;
    TransactionalDb db = attempt.use(database);
    TransactionOptions options = bank.locks && attempt.oneIn(2) ? SHORT : TransactionOptions.defaults();
    if (attempt.oneIn(2)) {
      options = options.snapshot(attempt.oneIn(2)).writeOptions(WriteOptions.defaults().sync(false));
    }
    Transaction transaction = attempt.oneIn(3) ? db.begin() : db.begin(options);
    OwnTransaction own = new OwnTransaction(new Held<>(transaction, database), bank, attempt.client.number);
    attempt.client.transactions().put(bank, own);
    attempt.world.add(attempt.world.transactions, own.held, attempt);
    return own;
  }

  private static void write(Attempt attempt) {
    OwnTransaction own = own(attempt);
    Transaction transaction = own.held.object;
    byte[] key = ClientBytes.key(attempt.client.number, attempt.random.nextInt(ClientBytes.KEYS));
    byte[] value = ClientBytes.value(attempt.random);
    int form = attempt.random.nextInt(3);
    switch (attempt.random.nextInt(4)) {
      case 0 -> {
        switch (form) {
          case 0 -> transaction.delete(key);
          case 1 -> transaction.delete(ClientBytes.segment(key, attempt));
          default -> transaction.delete(ClientBytes.buffer(key, attempt));
        }
        own.rows.remove(key);
      }
      case 1 -> {
        switch (form) {
          case 0 -> transaction.merge(key, value);
          case 1 -> transaction.merge(ClientBytes.segment(key, attempt), ClientBytes.segment(value, attempt));
          default -> transaction.merge(ClientBytes.buffer(key, attempt), ClientBytes.buffer(value, attempt));
        }
        own.rows.put(key, WriteOperations.merged(own.rows.get(key), value));
      }
      default -> {
        switch (form) {
          case 0 -> transaction.put(key, value);
          case 1 -> transaction.put(ClientBytes.segment(key, attempt), ClientBytes.segment(value, attempt));
          default -> transaction.put(ClientBytes.buffer(key, attempt), ClientBytes.buffer(value, attempt));
        }
        own.rows.put(key, value);
      }
    }
  }

  private static void read(Attempt attempt) {
    OwnTransaction own = own(attempt);
    Transaction transaction = own.held.object;
    byte[] key = ClientBytes.key(attempt.client.number, attempt.random.nextInt(ClientBytes.KEYS));
    byte[] expected = own.rows.get(key);
    KeyReader reader =
        switch (attempt.random.nextInt(5)) {
          case 3 -> atSnapshot(transaction, attempt);
          case 0 -> transaction.forUpdate();
          case 1 -> transaction.toShare().with(ReadOptions.defaults().fillCache(false));
          case 2 -> transaction.with(ReadOptions.defaults().fillCache(true));
          default -> transaction;
        };
    switch (attempt.random.nextInt(8)) {
      case 0 -> attempt.check(expected, transaction.getForUpdate(key), "for update");
      case 1 -> attempt.check(expected, transaction.getForUpdate(ClientBytes.segment(key, attempt)), "for update");
      case 2 -> attempt.check(expected, transaction.getForUpdate(ClientBytes.buffer(key, attempt)), "for update");
      case 3 -> attempt.check((expected != null) == reader.contains(key), "whether there is a value");
      case 4 -> attempt.check(expected, reader.multiGet(List.of(key)).getFirst(), "of many");
      case 5 -> {
        MemorySegment target = MemorySegment.ofArray(new byte[200_000]);
        long size = reader.getInto(ClientBytes.buffer(key, attempt), target);
        attempt.check(size == (expected == null ? KeyReader.ABSENT : expected.length), "its size");
      }
      case 6 -> {
        byte[] copy = reader.get(key, segment -> segment.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
        attempt.check(expected, copy, "in a look");
      }
      default -> attempt.check(expected, reader.get(key), "in a transaction");
    }
  }

  /** Returns the snapshot's reader; it must have the client's current rows, because no other client writes them. */
  private static KeyReader atSnapshot(Transaction transaction, Attempt attempt) {
    attempt.allow(IllegalStateException.class, ".* took no snapshot: .*");
    return transaction.atSnapshot();
  }

  /** Scans the client's rows in its transaction, sometimes while writing others. */
  private static void scan(Attempt attempt) {
    OwnTransaction own = own(attempt);
    boolean backward = attempt.oneIn(2);
    boolean writes = attempt.oneIn(2);
    var range = ClientBytes.range(attempt.client.number);
    if (attempt.oneIn(4)) {
      try (Cursor cursor = own.held.object.cursor(range)) {
        boolean has = backward ? cursor.last() : cursor.first();
        attempt.check(has == !own.rows.isEmpty(), "whether there are rows");
      }
      return;
    }
    NavigableMap<byte[], byte[]> rows = backward ? own.rows.descendingMap() : own.rows;
    try (Scan scan = backward ? own.held.object.scanBackward(range) : own.held.object.scan(range)) {
      for (var row : rows.entrySet()) {
        attempt.check(scan.next(), "fewer rows");
        attempt.check(row.getKey(), scan.keyBytes(), "a key");
        if (writes) {
          own.held.object.put(row.getKey(), row.getValue());
        } else {
          attempt.check(row.getValue(), scan.valueBytes(), "a value");
        }
      }
      attempt.check(!scan.next(), "more rows");
    }
  }

  private static void savePoint(Attempt attempt) {
    OwnTransaction own = own(attempt);
    Transaction transaction = own.held.object;
    switch (own.hasSavePoint() ? attempt.random.nextInt(3) : 0) {
      case 0 -> {
        transaction.setSavePoint();
        own.setSavePoint();
      }
      case 1 -> {
        transaction.rollbackToSavePoint();
        own.rollbackToSavePoint();
      }
      default -> {
        transaction.popSavePoint();
        own.popSavePoint();
      }
    }
  }

  private static void end(Attempt attempt) {
    OwnTransaction own = own(attempt);
    Transaction transaction = own.held.object;
    try {
      switch (attempt.random.nextInt(4)) {
        case 0 -> transaction.rollback();
        case 1 -> attempt.check(transaction.isOpen() || own.held.mayBeClosed(), "that it is open");
        default -> {
          transaction.commit();
          own.committed(attempt.client.number);
        }
      }
    } catch (RocksDbException e) {
      attempt.client.transactions().remove(own.bank);
      own.held.close(attempt.world.tally);
      throw e;
    }
    attempt.client.transactions().remove(own.bank);
    own.held.close(attempt.world.tally);
  }

  /** Moves money between two shared accounts. */
  private static void move(Attempt attempt) {
    Bank bank = anyBank(attempt);
    TransactionalDb db = attempt.use(bank.database);
    byte[] from = Bank.account(attempt.random.nextInt(Bank.ACCOUNTS));
    byte[] to = Bank.account(attempt.random.nextInt(Bank.ACCOUNTS));
    long amount = attempt.random.nextInt(100);
    attempt.allow(TransactionRetryException.class, "the transaction came in the way of others .*");
    switch (attempt.random.nextInt(3)) {
      case 0 -> db.inTransaction(transaction -> move(transaction, from, to, amount));
      case 1 -> {
        long moved =
            db.callInTransaction(
                transaction -> {
                  move(transaction, from, to, amount);
                  return amount;
                });
        attempt.check(moved == amount, "the result");
      }
      default ->
          db.callInTransaction(
              new TransactionalDb.RetryPolicy(20, Duration.ofSeconds(2), Duration.ofNanos(1000), Duration.ofMillis(1)),
              bank.locks ? SHORT : TransactionOptions.defaults(),
              transaction -> {
                move(transaction, from, to, amount);
                return null;
              });
    }
  }

  private static void move(Transaction transaction, byte[] from, byte[] to, long amount) {
    long balance = Bank.amount(transaction.getForUpdate(from));
    transaction.put(from, Bank.money(balance - amount));
    transaction.put(to, Bank.money(Bank.amount(transaction.getForUpdate(to)) + amount));
  }

  private static void audit(Attempt attempt) {
    Bank bank = anyBank(attempt);
    TransactionalDb db = attempt.use(bank.database);
    attempt.check(Bank.isWhole(db), "the sum of the accounts");
    byte[] key = ClientBytes.key(attempt.client.number, attempt.random.nextInt(ClientBytes.KEYS));
    attempt.check(bank.of(attempt.client.number).get(key), db.get(key), "outside of transactions");
  }

  /** Prepares a transaction, and ends it, or leaves it to be recovered. */
  private static void promise(Attempt attempt) {
    Bank bank = attempt.world.banks.getFirst();
    String name = "promise" + attempt.world.names.incrementAndGet();
    try (Transaction transaction = attempt.use(bank.database).begin()) {
      transaction.put(Bank.promise(name), name.getBytes());
      bank.promises.put(name, Promise.UNKNOWN); // a close may interrupt the prepare
      transaction.prepare(name);
      attempt.check(transaction.preparedName().orElseThrow().equals(name), "its name");
      bank.promises.put(name, Promise.MADE);
      if (attempt.oneIn(2)) {
        end(transaction, name, bank, attempt);
      }
    }
  }

  private static void end(Transaction prepared, String name, Bank bank, Attempt attempt) {
    boolean commits = attempt.oneIn(2);
    if (commits) {
      prepared.commit();
    } else {
      prepared.rollback();
    }
    bank.promises.put(name, commits ? Promise.COMMITTED : Promise.ROLLED_BACK);
  }

  private static void keepPromises(Attempt attempt) {
    Bank bank = attempt.world.banks.getFirst();
    TransactionDb db = (TransactionDb) attempt.use(bank.database);
    List<Transaction> prepared = db.prepared();
    try {
      for (Transaction each : prepared) {
        String name = each.preparedName().orElseThrow();
        attempt.check(each.contains(Bank.promise(name)), "what was promised");
        end(each, name, bank, attempt);
      }
    } finally {
      prepared.forEach(Transaction::close);
    }
  }

  /** Uses another client's transaction, possibly while that client uses it. */
  private static void meddle(Attempt attempt) {
    Held<Transaction> any = attempt.world.transactions.any(attempt.random);
    if (any == null) {
      return;
    }
    attempt.allow(IllegalStateException.class, ENDED);
    Transaction transaction = attempt.share(any);
    switch (attempt.random.nextInt(6)) {
      case 0 -> any.close(attempt.world.tally);
      case 1 -> {
        attempt.allow(UnsupportedOperationException.class, "deleteRange: .*");
        byte[] key = ClientBytes.key(attempt.client.number, 1);
        switch (attempt.random.nextInt(4)) {
          case 0 -> transaction.deleteRange(key, key);
          case 1 -> transaction.deleteRange(ClientBytes.range(attempt.client.number));
          case 2 -> transaction.deleteRange(ClientBytes.segment(key, attempt), ClientBytes.segment(key, attempt));
          default -> transaction.deleteRange(ClientBytes.buffer(key, attempt), ClientBytes.buffer(key, attempt));
        }
      }
      case 2 -> {
        try (Scan scan = transaction.scan(ClientBytes.range(attempt.client.number))) {
          scan.next();
        }
      }
      case 3 -> {
        attempt.allow(IllegalArgumentException.class, "(?s)columnFamily: .* is not of .*");
        transaction.in(attempt.world.anySlot(attempt.random).database.object.family("default"));
      }
      case 4 -> transaction.preparedName();
      default -> transaction.get(ClientBytes.key(attempt.client.number, 2));
    }
  }

  /** Rolls back a transaction on a dropped family; its locks are released. */
  private static void drop(Attempt attempt) {
    TransactionalDb db = attempt.use(anyBank(attempt).database);
    String name = "family" + attempt.world.names.incrementAndGet();
    byte[] key = name.getBytes();
    ColumnFamily family = db.createFamily(name, World.OPTIONS);
    try (Transaction transaction = db.begin()) {
      TransactionKeys keys = transaction.in(family).with(ReadOptions.defaults());
      keys.put(key, key);
      keys.singleDelete(key);
      transaction.put(key, key);
      db.dropFamily(family);
      attempt.check(!transaction.isOpen(), "that it was rolled back");
      db.put(key, key);
      db.delete(key);
    }
    family.close();
  }

  /** Opens a separate transactional database with every kind of open method. */
  private static void openElsewhere(Attempt attempt) {
    Path folder = attempt.world.newFolder();
    byte[] key = {1};
    FamilyOptions options = World.OPTIONS;
    Map<String, FamilyOptions> families = Map.of(RocksDb.DEFAULT_COLUMN_FAMILY, options);
    TransactionDb.LockOptions locks =
        TransactionDb.LockOptions.defaults()
            .timeout(Duration.ofMillis(1))
            .writeTimeout(Duration.ofMillis(1))
            .maxLocks(1000)
            .stripes(4);
    try (TransactionalDb db = attempt.oneIn(2) ? TransactionDb.open(folder) : OptimisticTransactionDb.open(folder)) {
      db.put(key, key);
    }
    try (TransactionDb db =
            switch (attempt.random.nextInt(3)) {
              case 0 -> RocksDb.at(folder).defaults(options).openTransactional(locks);
              case 1 -> RocksDb.at(folder).defaults(options).families(families).openTransactional();
              default -> RocksDb.at(folder).defaults(options).openTransactional();
            };
        Transaction holder = db.begin()) {
      holder.singleDelete(key);
      attempt.check(isRefused(db, key), "a lock");
    }
    try (TransactionDb db = RocksDb.at(folder).defaults(options).families(families).openTransactional(locks);
        OptimisticTransactionDb second =
            RocksDb.at(attempt.world.newFolder()).defaults(options).families(families).openOptimistic();
        OptimisticTransactionDb third = RocksDb.at(attempt.world.newFolder()).defaults(options).openOptimistic()) {
      attempt.check(db.contains(key) && !second.contains(key) && !third.contains(key), "a row");
    }
  }

  /** Whether an attempt failed because of a lock, without a retry. */
  private static boolean isRefused(TransactionDb db, byte[] key) {
    try {
      db.callInTransaction(TransactionalDb.RetryPolicy.never(), SHORT, each -> each.getForUpdate(key));
      return false;
    } catch (TransactionRetryException e) {
      return e.attempts() == 1 && ((RocksDbException) e.getCause()).code() == Code.TIMED_OUT;
    }
  }

  private static void close(Attempt attempt) {
    anyBank(attempt).database.close(attempt.world.tally);
  }

  private static void open(Attempt attempt) {
    Bank bank = anyBank(attempt);
    if (!bank.database.isClosed() || !bank.opening.tryLock()) {
      return;
    }
    try {
      if (bank.database.isClosed()) {
        bank.open();
      }
    } finally {
      bank.opening.unlock();
    }
  }
}
