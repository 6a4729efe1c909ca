/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.transactions;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.OptimisticTransactionDb;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.RocksDbException.SubCode;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionOptions;

/** Transactions that lock nothing. */
final class OptimisticTransactionTest extends TransactionCase {
  @Test
  void anOptimisticCommitFailsWhereOthersHaveWrittenWhatWasWrittenOrReadForUpdate() {
    try (OptimisticTransactionDb db = OptimisticTransactionDb.open(folder)) {
      db.put(KEY, OLD);
      Transaction writer = db.begin();
      writer.put(KEY, bytes("mine"));
      Transaction reader = db.begin();
      assertArrayEquals(OLD, reader.getForUpdate(KEY));
      reader.put(bytes("elsewhere"), NEW);
      Transaction looker = db.begin();
      assertArrayEquals(OLD, looker.get(KEY));
      looker.put(bytes("looked"), NEW);
      db.put(KEY, NEW);
      assertConflict(Code.BUSY, SubCode.NONE, writer::commit);
      assertConflict(Code.BUSY, SubCode.NONE, reader::commit);
      looker.commit();
      writer.close();
      reader.close();
      assertArrayEquals(NEW, db.get(KEY));
      assertNull(db.get(bytes("elsewhere")));
      assertArrayEquals(NEW, db.get(bytes("looked")));
    }
  }

  @Test
  void optionsOfLocksAreRefusedWhereThereAreNone() {
    try (OptimisticTransactionDb db = OptimisticTransactionDb.open(folder)) {
      assertThrows(
          IllegalArgumentException.class, () -> db.begin(TransactionOptions.defaults().lockTimeout(Duration.ZERO)));
      try (Transaction transaction = db.begin(TransactionOptions.defaults().snapshot(true))) {
        assertThrows(UnsupportedOperationException.class, () -> transaction.prepare("p"));
        db.put(KEY, NEW);
        assertNull(transaction.get(bytes("other")));
        transaction.put(KEY, OLD);
        assertConflict(Code.BUSY, SubCode.NONE, transaction::commit);
      }
    }
  }
}
