/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.transactions;

/**
 * Gives transactions their snapshots. Most programs use none; then a transaction need not be checked for a snapshot
 * before it locks a key.
 */
public final class TransactionSnapshots {
  private static volatile boolean areUsed;

  private TransactionSnapshots() {}

  /** Whether a transaction of this process may have a snapshot. */
  static boolean areUsed() {
    return areUsed;
  }

  /** Notes that a transaction gets a snapshot; called before it gets the snapshot. */
  static void use() {
    areUsed = true;
  }

  /** Sets the snapshot of a transaction. */
  public static void set(long transaction) {
    use();
    Java_org_rocksdb_Transaction_setSnapshot(transaction);
  }

  /** Makes the next operation of a transaction set a snapshot. */
  public static void setOnNextOperation(long transaction) {
    use();
    Java_org_rocksdb_Transaction_setSnapshotOnNextOperation__J(transaction);
  }

  /** Sets whether transactions with these options start with a snapshot. */
  public static void setInOptions(long options, boolean isSet) {
    use();
    rocksdb_transaction_options_set_set_snapshot(options, isSet);
  }

  private static native void Java_org_rocksdb_Transaction_setSnapshot(long transaction);

  private static native void Java_org_rocksdb_Transaction_setSnapshotOnNextOperation__J(long transaction);

  private static native void rocksdb_transaction_options_set_set_snapshot(long options, boolean isSet);
}
