/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.world;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Scan;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionalDb;

/**
 * A transactional database. A transactional database with accounts, whose sum no transaction changes; rows, each
 * written by one client; and promises: rows of prepared transactions, which exist if the transaction was committed.
 */
public final class Bank {
  public static final int ACCOUNTS = 6;
  private static final long BALANCE = 1000;

  public final boolean locks;
  public final ReentrantLock opening = new ReentrantLock();
  public volatile Held<TransactionalDb> database;

  /** The promises whose transactions are being or have been prepared. */
  public final Map<String, Promise> promises = new ConcurrentHashMap<>();

  private final Path folder;
  private final FamilyModel rows;

  /** The state of a transaction that is being or has been prepared. */
  public enum Promise {
    MADE,
    COMMITTED,
    ROLLED_BACK,
    UNKNOWN
  }

  Bank(Path folder, boolean locks, int clients) {
    this.folder = folder;
    this.locks = locks;
    this.rows = new FamilyModel("bank", clients);
    open();
    database.object.inTransaction(
        transaction -> {
          for (int i = 0; i < ACCOUNTS; i++) {
            transaction.put(account(i), money(BALANCE));
          }
        });
  }

  /** Reopens the database if it is closed. */
  public void open() {
    database =
        new Held<>(locks ? RocksDb.at(folder).defaults(World.OPTIONS).openTransactional()
            : RocksDb.at(folder).defaults(World.OPTIONS).openOptimistic());
  }

  /** Returns the committed rows of a client. */
  public NavigableMap<byte[], byte[]> of(int client) {
    return rows.of(client);
  }

  public static byte[] account(int number) {
    return new byte[] {'A', (byte) number};
  }

  public static byte[] money(long amount) {
    return ByteBuffer.allocate(Long.BYTES).putLong(amount).array();
  }

  public static long amount(byte[] money) {
    return ByteBuffer.wrap(money).getLong();
  }

  public static byte[] promise(String name) {
    return ("P" + name).getBytes();
  }

  /** Whether the accounts have their initial sum; the reader must be consistent, such as a snapshot. */
  public static boolean isWhole(KeyReader reader) {
    long sum = 0;
    try (Scan scan = reader.scan(KeyRange.prefix(new byte[] {'A'}))) {
      while (scan.next()) {
        sum += amount(scan.valueBytes());
      }
    }
    return sum == ACCOUNTS * BALANCE;
  }

  void close(Tally tally) {
    database.close(tally);
  }

  /** Reopens the database at the end, and checks that it has all committed rows and no others. */
  void verify() {
    open();
    try (TransactionalDb db = database.object) {
      if (db instanceof TransactionDb opened) {
        opened.prepared().forEach(Transaction::rollback);
      }
      if (!isWhole(db)) {
        throw new WrongAnswer("the sum of the accounts has changed");
      }
      promises.forEach(
          (name, state) -> {
            if (state != Promise.UNKNOWN && db.contains(promise(name)) != (state == Promise.COMMITTED)) {
              throw new WrongAnswer("the promise " + name + " is " + state);
            }
          });
      NavigableMap<byte[], byte[]> expected = rows.ofAll();
      try (Scan scan = db.scan(KeyRange.prefix(new byte[] {'K'}))) {
        while (scan.next()) {
          byte[] value = expected.remove(scan.keyBytes());
          if (value == null || !java.util.Arrays.equals(value, scan.valueBytes())) {
            throw new WrongAnswer("after the last close, a row that a transaction wrote is wrong");
          }
        }
      }
      if (!expected.isEmpty()) {
        throw new WrongAnswer("after the last close, " + expected.size() + " rows of transactions are lost");
      }
    }
    RocksDb.destroy(folder);
  }
}
