/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.RocksDBException;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WriteOptions;
import org.rocksdbffm.compat.tools.ChildJvm;

/**
 * Named transactions from a database are borrowed from their owners. Each test runs in a JVM without assertions,
 * because rocksdbjni's assertions reject any use of a borrowed object.
 */
class BorrowedTransactionTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final byte[] VALUE = "value".getBytes(UTF_8);

  @Test
  void oneThatIsAskedForByItsNameEndsWithItsOwner(@TempDir Path folder) throws IOException {
    assertEquals("fine\n", ChildJvm.run(folder, ByName.class, List.of()));
  }

  static final class ByName {
    public static void main(String[] arguments) throws RocksDBException {
      try (Options options = new Options().setCreateIfMissing(true);
          TransactionDBOptions transactionDbOptions = new TransactionDBOptions();
          WriteOptions write = new WriteOptions();
          TransactionDB db = TransactionDB.open(options, transactionDbOptions, "db")) {
        Transaction owner = prepared(db, write, "its name");
        Transaction byName = db.getTransactionByName("its name");
        Transaction prepared = db.getAllPreparedTransactions().getFirst();
        assertEquals("its name", byName.getName());
        assertEquals(owner.getID(), prepared.getID());
        owner.close();
        assertClosed("Transaction", byName::getID);
        assertClosed("Transaction", prepared::commit);
        assertNull(db.getTransactionByName("its name"));
        assertNull(db.getTransactionByName("another"));
      }
      System.out.println("fine");
    }
  }

  @Test
  void oneThatWasRecoveredIsTheDatabases(@TempDir Path folder) throws IOException {
    assertEquals("fine\n", ChildJvm.run(folder, Recovered.class, List.of()));
  }

  static final class Recovered {
    public static void main(String[] arguments) throws RocksDBException {
      try (Options options = new Options().setCreateIfMissing(true);
          TransactionDBOptions transactionDbOptions = new TransactionDBOptions();
          WriteOptions write = new WriteOptions()) {
        try (TransactionDB db = TransactionDB.open(options, transactionDbOptions, "db")) {
          prepared(db, write, "left");
        }
        Transaction left;
        Transaction same;
        try (TransactionDB db = TransactionDB.open(options, transactionDbOptions, "db")) {
          left = db.getTransactionByName("left");
          same = db.getAllPreparedTransactions().getFirst();
          assertEquals(Transaction.TransactionState.PREPARED, same.getState());
          left.commit();
          assertEquals(Transaction.TransactionState.COMMITTED, same.getState());
          assertArrayEquals(VALUE, db.get(KEY));
        }
        assertClosed("TransactionDB", left::getState);
        assertClosed("TransactionDB", same::getState);
      }
      System.out.println("fine");
    }
  }

  private static Transaction prepared(TransactionDB db, WriteOptions write, String name) throws RocksDBException {
    Transaction transaction = db.beginTransaction(write);
    transaction.setName(name);
    transaction.put(KEY, VALUE);
    transaction.prepare();
    return transaction;
  }

  private static void assertClosed(String what, Executable use) {
    assertEquals(what + " is closed", assertThrows(IllegalStateException.class, use).getMessage());
  }
}
