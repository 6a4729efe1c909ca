/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.membership;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.rocksdb.AbstractWriteBatch;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.Transaction;
import org.rocksdb.WriteBatch;
import org.rocksdbffm.compat.lifetime.Guard;
import org.rocksdbffm.compat.lifetime.UpstreamFields;
import org.rocksdbffm.compat.support.FamilyHandles;

/**
 * Collects the IDs of the column families in a batch. A batch made from serialized bytes may contain any ID, and
 * rebuilding a transaction from a batch with an unknown ID would end the process.
 */
public final class BatchFamilies extends WriteBatch.Handler {
  private final Set<Integer> numbers = new TreeSet<>();

  private BatchFamilies() {}

  /** Throws if a batch is damaged, or contains a family of which the transaction's database has no open handle. */
  public static void requireOpen(Transaction transaction, WriteBatch batch) throws RocksDBException {
    Set<Integer> named = namedBy(batch);
    named.remove(0); // the default column family
    for (Guard child : UpstreamFields.guard(transaction).database().children()) {
      if (child.isOfType(ColumnFamilyHandle.class) && !child.isClosing()) {
        Object used = Guard.use(child, null);
        try {
          named.remove(FamilyHandles.number(child.pointer()));
        } finally {
          Guard.leave(used);
        }
      }
    }
    if (!named.isEmpty()) {
      throw new IllegalArgumentException(
          "writeBatch: it names the column families " + named + ", of which the database has no open handle");
    }
  }

  /**
   * Whether the families in a batch have the same names in another database, or have IDs that the other database does
   * not know, which the engine rejects. The caller holds the batch.
   */
  static boolean areSame(AbstractWriteBatch batch, Map<Integer, String> names, Map<Integer, String> there) {
    if (names.equals(there)) {
      return true;
    }
    try {
      Set<Integer> named = namedBy(batch.getWriteBatch());
      return names.keySet().containsAll(named)
          && named.stream().allMatch(number -> names.get(number).equals(there.getOrDefault(number, names.get(number))));
    } catch (RocksDBException damaged) {
      return false;
    }
  }

  private static Set<Integer> namedBy(WriteBatch batch) throws RocksDBException {
    try (BatchFamilies families = new BatchFamilies()) {
      batch.iterate(families);
      return families.numbers;
    }
  }

  @Override
  public void put(int family, byte[] key, byte[] value) {
    numbers.add(family);
  }

  @Override
  public void put(byte[] key, byte[] value) {}

  @Override
  public void merge(int family, byte[] key, byte[] value) {
    numbers.add(family);
  }

  @Override
  public void merge(byte[] key, byte[] value) {}

  @Override
  public void delete(int family, byte[] key) {
    numbers.add(family);
  }

  @Override
  public void delete(byte[] key) {}

  @Override
  public void singleDelete(int family, byte[] key) {
    numbers.add(family);
  }

  @Override
  public void singleDelete(byte[] key) {}

  @Override
  public void deleteRange(int family, byte[] begin, byte[] end) {
    numbers.add(family);
  }

  @Override
  public void deleteRange(byte[] begin, byte[] end) {}

  @Override
  public void logData(byte[] blob) {}

  @Override
  public void putBlobIndex(int family, byte[] key, byte[] value) {
    numbers.add(family);
  }

  @Override
  public void markBeginPrepare() {}

  @Override
  public void markEndPrepare(byte[] id) {}

  @Override
  public void markNoop(boolean isEmpty) {}

  @Override
  public void markRollback(byte[] id) {}

  @Override
  public void markCommit(byte[] id) {}

  @Override
  public void markCommitWithTimestamp(byte[] id, byte[] timestamp) {}
}
