/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.transactions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.text;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.RocksDbException.SubCode;
import org.rocksdbffm.Scan;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionKeys;
import org.rocksdbffm.TransactionalDb;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** The base of transaction tests, with common databases and keys. */
@ExtendWith(LiveObjectsCheck.class)
abstract class TransactionCase {
  static final FamilyOptions CREATE =
      FamilyOptions.defaults().mergeOperator(MergeOperator.stringAppend(','));
  static final byte[] KEY = bytes("key");
  static final byte[] OLD = bytes("old");
  static final byte[] NEW = bytes("new");

  @TempDir Path folder;

  /** The two kinds of databases. */
  enum Kind {
    LOCKING,
    OPTIMISTIC;

    TransactionalDb open(Path folder, FamilyOptions options) {
      return this == LOCKING ? RocksDb.at(folder).defaults(options).openTransactional()
          : RocksDb.at(folder).defaults(options).openOptimistic();
    }
  }

  TransactionDb locking() {
    return RocksDb.at(folder).defaults(CREATE).openTransactional();
  }

  static void assertConflict(Code code, SubCode subCode, Executable action) {
    RocksDbException e = assertThrows(RocksDbException.class, action);
    assertEquals(code, e.code(), e.getMessage());
    assertEquals(subCode, e.subCode(), e.getMessage());
  }

  static List<String> rows(Scan scan) {
    try (scan) {
      return scan.stream(row -> text(row.keyBytes()) + "=" + text(row.valueBytes())).toList();
    }
  }

  /** Puts a row; retries while another thread uses the transaction. */
  static void putInTheEnd(TransactionKeys keys, byte[] key) {
    while (true) {
      try {
        keys.put(key, OLD);
        return;
      } catch (IllegalStateException e) {
        if (!e.getMessage().contains("in use already")) {
          throw e;
        }
      }
    }
  }

  static boolean isInUse(Transaction transaction) throws InterruptedException {
    try {
      transaction.get(KEY);
      Thread.sleep(1);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }
}
