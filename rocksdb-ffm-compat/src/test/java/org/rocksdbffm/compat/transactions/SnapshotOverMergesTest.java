/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.transactions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TransactionOptions;
import org.rocksdb.WriteOptions;
import org.rocksdbffm.compat.tools.ChildJvm;

/**
 * Tests transactions with a snapshot that lock keys whose newest entries are merges in SST files. The engine's check of
 * such keys ends the process, with rocksdbjni too, and so the child JVM.
 */
class SnapshotOverMergesTest {
  private static final byte[] OVER_VALUE = "over a value".getBytes(UTF_8);
  private static final byte[] OVER_NOTHING = "over nothing".getBytes(UTF_8);
  private static final byte[] CHANGED = "changed since".getBytes(UTF_8);
  private static final byte[] MORE = "more".getBytes(UTF_8);
  private static final byte[][] PARTS = {MORE, MORE};
  private static final byte[] ROOM = new byte[100];
  private static final WriteOptions WRITE = new WriteOptions();
  private static final ReadOptions READ = new ReadOptions();
  private static final TransactionOptions AT_SNAPSHOT = new TransactionOptions().setSetSnapshot(true);

  private static final TransactionOptions AT_ONCE = new TransactionOptions().setLockTimeout(0);

  private interface Locking {
    void accept(Transaction transaction, byte[] key) throws RocksDBException;
  }

  @TempDir Path folder;

  @Test
  void keysAreLockedUnlessOthersHaveChangedThem() throws IOException {
    assertEquals("locked and refused", ChildJvm.run(folder, SnapshotOverMergesTest.class, List.of()));
  }

  @SuppressWarnings("deprecation") // the only way to set the number of retained memtables
  public static void main(String[] arguments) throws RocksDBException {
    List<ColumnFamilyHandle> families = new ArrayList<>();
    try (StringAppendOperator append = new StringAppendOperator();
        DBOptions options = new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
        ColumnFamilyOptions its = new ColumnFamilyOptions().setMergeOperator(append).setWriteBufferSize(1 << 16)
            .setMaxWriteBufferNumberToMaintain(1);
        TransactionDBOptions transactionOptions = new TransactionDBOptions();
        TransactionDB db =
            TransactionDB.open(
                options,
                transactionOptions,
                "db",
                List.of(
                    new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, its),
                    new ColumnFamilyDescriptor(MORE, its)),
                families)) {
      for (Locking locking : inDefaultFamily()) {
        check(db, families.get(0), locking);
      }
      for (Locking locking : in(families.get(1))) {
        check(db, families.get(1), locking);
      }
    }
    System.out.print("locked and refused");
  }

  private static List<Locking> inDefaultFamily() {
    return List.of(
        (its, key) -> its.put(key, MORE),
        (its, key) -> its.put(direct(key), direct(MORE)),
        (its, key) -> its.put(parts(key), PARTS),
        (its, key) -> its.merge(key, MORE),
        (its, key) -> its.merge(direct(key), direct(MORE)),
        Transaction::delete,
        (its, key) -> its.delete(parts(key)),
        Transaction::singleDelete,
        (its, key) -> its.singleDelete(parts(key)),
        (its, key) -> its.getForUpdate(READ, key, true),
        (its, key) -> its.getForUpdate(READ, key, ROOM, true),
        (its, key) -> its.getForUpdate(READ, direct(key), ByteBuffer.allocateDirect(100), true),
        (its, key) -> requireFound(its.multiGetForUpdateAsList(READ, List.of(key))));
  }

  private static List<Locking> in(ColumnFamilyHandle family) {
    return List.of(
        (its, key) -> its.put(family, key, MORE),
        (its, key) -> its.put(family, direct(key), direct(MORE)),
        (its, key) -> its.put(family, parts(key), PARTS),
        (its, key) -> its.merge(family, key, MORE),
        (its, key) -> its.merge(family, direct(key), direct(MORE)),
        (its, key) -> its.delete(family, key),
        (its, key) -> its.delete(family, parts(key)),
        (its, key) -> its.singleDelete(family, key),
        (its, key) -> its.singleDelete(family, parts(key)),
        (its, key) -> its.getForUpdate(READ, family, key, true),
        (its, key) -> its.getForUpdate(READ, family, key, ROOM, true),
        (its, key) -> its.getForUpdate(READ, family, direct(key), ByteBuffer.allocateDirect(100), true),
        (its, key) -> requireFound(its.multiGetForUpdateAsList(READ, List.of(family), List.of(key))));
  }

  private static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  private static byte[][] parts(byte[] key) {
    return new byte[][] {Arrays.copyOf(key, 1), Arrays.copyOfRange(key, 1, key.length)};
  }

  /** If a key cannot be locked, all values are null, as with rocksdbjni. */
  private static void requireFound(List<byte[]> values) throws RocksDBException {
    if (values.getFirst() == null) {
      throw new RocksDBException(new Status(Status.Code.Busy, Status.SubCode.None, null));
    }
  }

  private static void check(TransactionDB db, ColumnFamilyHandle family, Locking locking) throws RocksDBException {
    write(db, family);
    try (Transaction second = db.beginTransaction(WRITE, AT_ONCE)) {
      for (byte[] key : List.of(CHANGED, OVER_VALUE, OVER_NOTHING)) {
        try (Transaction transaction = db.beginTransaction(WRITE, AT_SNAPSHOT)) {
          if (key == CHANGED) {
            db.merge(family, key, MORE);
            flush(db, family);
            assertEquals(Status.Code.Busy, codeOf(() -> locking.accept(transaction, key)));
            second.getForUpdate(READ, family, key, true); // the rejected call has not locked the key
            second.rollback();
            continue;
          }
          flush(db, family);
          locking.accept(transaction, key);
          assertEquals(Status.Code.TimedOut, codeOf(() -> second.getForUpdate(READ, family, key, true)));
          byte[] value = transaction.get(READ, family, key);
          transaction.commit();
          assertArrayEquals(value, db.get(family, key));
        }
      }
    }
  }

  private static Status.Code codeOf(org.junit.jupiter.api.function.Executable use) {
    return assertThrows(RocksDBException.class, use).getStatus().getCode();
  }

  private static void write(TransactionDB db, ColumnFamilyHandle family) throws RocksDBException {
    for (byte[] key : List.of(OVER_VALUE, CHANGED, OVER_NOTHING)) {
      db.delete(family, key);
    }
    flush(db, family);
    db.put(family, OVER_VALUE, MORE);
    db.put(family, CHANGED, MORE);
    for (byte[] key : List.of(OVER_VALUE, CHANGED, OVER_NOTHING)) {
      db.merge(family, key, MORE);
    }
    flush(db, family);
  }

  /** Flushes three times, so that no memtable is older than the snapshot. */
  private static void flush(TransactionDB db, ColumnFamilyHandle family) throws RocksDBException {
    try (FlushOptions flush = new FlushOptions()) {
      for (int table = 0; table < 3; table++) {
        db.put(family, MORE, new byte[1 << 17]);
        db.flush(flush, family);
      }
    }
  }
}
