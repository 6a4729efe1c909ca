/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.transactions;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionKeys;
import org.rocksdbffm.TransactionOptions;
import org.rocksdbffm.tools.Bytes;
import org.rocksdbffm.tools.ChildJvm;

/**
 * Tests transactions with a snapshot that lock keys whose newest entries are merges in table files. The engine's own
 * check
 * of such keys ends the process, and so the child JVM.
 */
class SnapshotOverMergesTest {
  private static final FamilyOptions OPTIONS =
      FamilyOptions.defaults()
          .mergeOperator(MergeOperator.stringAppend(','))
          .option("max_write_buffer_size_to_maintain", 1);

  private static final byte[] OVER_VALUE = Bytes.bytes("over a value");
  private static final byte[] OVER_DELETION = Bytes.bytes("over a deletion");
  private static final byte[] OVER_NOTHING = Bytes.bytes("over nothing");
  private static final byte[] CHANGED = Bytes.bytes("changed since");
  private static final byte[] DELETED = Bytes.bytes("deleted since");
  private static final byte[] OPERAND = Bytes.bytes("more");
  private static final byte[] MERGED = Bytes.bytes("first,more");

  private static final List<BiConsumer<TransactionKeys, byte[]>> LOCKING =
      List.of(
          (keys, key) -> keys.put(key, OPERAND),
          (keys, key) -> keys.merge(key, OPERAND),
          TransactionKeys::delete,
          TransactionKeys::singleDelete,
          TransactionKeys::getForUpdate,
          (keys, key) -> keys.toShare().get(key),
          (keys, key) -> keys.forUpdate().contains(key),
          (keys, key) -> keys.forUpdate().multiGet(List.of(key)),
          (keys, key) -> keys.forUpdate().multiGet().add(key).get().close());

  @Test
  void keysAreLockedUnlessOthersHaveChangedThem() throws Exception {
    assertEquals("locked and refused", ChildJvm.of(SnapshotOverMergesTest.class).run().assertExit(0).output());
  }

  @Test
  void aFamilyWithMergesThatIsMadeBehindTheSnapshotIsRefused(@TempDir Path folder) {
    try (TransactionDb db = TransactionDb.open(folder.resolve("db"));
        Transaction transaction = db.begin(TransactionOptions.defaults().snapshot(true))) {
      ColumnFamily other = db.createFamily("other", OPTIONS);
      transaction.put(OVER_VALUE, OPERAND);
      IllegalStateException refused =
          assertThrows(IllegalStateException.class, () -> transaction.in(other).put(OVER_VALUE, OPERAND));
      assertEquals(
          other
          + " has merges, and was made after the snapshot of this transaction: begin another", refused.getMessage());
    }
  }

  public static void main(String[] folder) {
    try (TransactionDb db = RocksDb.at(Path.of("db")).defaults(OPTIONS).openTransactional()) {
      ColumnFamily other = db.createFamily("other", OPTIONS);
      for (boolean isDefault : new boolean[] {true, false}) {
        for (var locking : LOCKING) {
          check(db, isDefault ? db : other, isDefault ? null : other, locking);
        }
      }
    }
    System.out.print("locked and refused");
  }

  private static void check(
      TransactionDb db, KeySpace keys, ColumnFamily family, BiConsumer<TransactionKeys, byte[]> locking) {
    write(keys);
    try (Transaction transaction = db.begin(TransactionOptions.defaults().snapshot(true))) {
      TransactionKeys written = family == null ? transaction : transaction.in(family);
      keys.merge(CHANGED, OPERAND);
      keys.delete(DELETED);
      for (int table = 0; table < 3; table++) { // so that no memtable is older than the snapshot
        keys.put(Bytes.bytes("table"), OPERAND);
        keys.flush();
      }
      for (byte[] key : List.of(CHANGED, DELETED)) {
        assertEquals(Code.BUSY, assertThrows(RocksDbException.class, () -> locking.accept(written, key)).code());
        assertArrayEquals(MERGED, written.atSnapshot().get(key));
      }
      for (byte[] key : List.of(OVER_VALUE, OVER_DELETION, OVER_NOTHING)) {
        locking.accept(written, key);
        locking.accept(written, key); // the key is locked already
        try (Transaction second = db.begin(TransactionOptions.defaults().lockTimeout(Duration.ZERO))) {
          TransactionKeys seconds = family == null ? second : second.in(family);
          assertEquals(Code.TIMED_OUT, assertThrows(RocksDbException.class, () -> seconds.getForUpdate(key)).code());
        }
      }
    }
  }

  private static void write(KeySpace keys) {
    for (byte[] key : List.of(OVER_VALUE, OVER_DELETION, OVER_NOTHING, CHANGED, DELETED)) {
      keys.delete(key);
    }
    keys.flush();
    for (byte[] key : List.of(OVER_VALUE, CHANGED, DELETED)) {
      keys.put(key, Bytes.bytes("first"));
    }
    for (byte[] key : List.of(OVER_VALUE, OVER_DELETION, OVER_NOTHING, CHANGED, DELETED)) {
      keys.merge(key, OPERAND);
    }
    keys.flush();
  }
}
