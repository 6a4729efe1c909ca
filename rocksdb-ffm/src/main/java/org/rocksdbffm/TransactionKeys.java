/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.call.Locking;
import org.rocksdbffm.internal.transaction.NativeTransaction;

/**
 * The keys of one column family in a transaction: reads, scans and cursors see committed rows and the transaction's own
 * writes; others see its writes after the commit.
 *
 * <p>Values can be pinned as usual: committed values stay in the engine's memory, and outlive the transaction. Values
 * that the transaction has written are copied.
 *
 * <p>A scan or cursor may or may not see writes that are made while it is open. It is closed with the transaction, and
 * when the transaction is rolled back to a save point. Used by one thread at a time, together with the transaction.
 */
public sealed class TransactionKeys extends OverlayKeys permits Transaction {
  private KeyReader forUpdate; // null until it is needed

  TransactionKeys(NativeTransaction transaction, WritableKeys keys, Transaction whole) {
    super(transaction, keys, whole);
  }

  private TransactionKeys(TransactionKeys keys, ReadOptions options) {
    super(keys, options);
  }

  final NativeTransaction transaction() {
    return (NativeTransaction) overlay;
  }

  @Override
  public TransactionKeys with(ReadOptions options) {
    return new TransactionKeys(this, requireNonNull(options, "options"));
  }

  /**
   * Returns a reader of the same keys that locks each key for update before it reads it: others cannot lock or write
   * the key until this transaction ends. An optimistic transaction takes no lock; its commit fails if others have
   * written the key.
   *
   * <p>It supports all reads by key, but no scans and cursors, because the engine does not lock ranges.
   *
   * @return a reader that needs no closing
   */
  public KeyReader forUpdate() {
    if (forUpdate == null) {
      forUpdate = TransactionReader.locking(this, Locking.FOR_UPDATE);
    }
    return forUpdate;
  }

  /**
   * Returns a reader of the same keys that takes a shared lock on each key before it reads it: others can lock it in
   * the same way, but not write it. Otherwise as {@link #forUpdate}.
   *
   * @return a reader that needs no closing
   */
  public KeyReader toShare() {
    return TransactionReader.locking(this, Locking.TO_SHARE);
  }

  /**
   * Returns a reader of the same keys at the transaction's snapshot, including the transaction's own writes. Other
   * reads of the transaction see what others have committed since.
   *
   * @return a reader that needs no closing
   * @throws IllegalStateException if the transaction was started without {@link TransactionOptions#snapshot}
   */
  public KeyReader atSnapshot() {
    return TransactionReader.atSnapshot(this);
  }

  /**
   * Locks a key for update, and reads it; equivalent to {@code get} of {@link #forUpdate}.
   *
   * @param key borrowed
   * @return the value, or null if the key is missing, which is locked nevertheless
   * @throws RocksDbException if the key cannot be locked, or the engine fails
   * @throws IllegalStateException if the transaction has ended
   */
  public byte[] getForUpdate(byte[] key) {
    return forUpdate().get(key);
  }

  /**
   * Locks a key for update, and reads it; equivalent to {@code get} of {@link #forUpdate}.
   *
   * @param key borrowed
   * @return the value, or null if the key is missing, which is locked nevertheless
   * @throws RocksDbException if the key cannot be locked, or the engine fails
   * @throws IllegalStateException if the transaction has ended
   */
  public byte[] getForUpdate(MemorySegment key) {
    return forUpdate().get(key);
  }
}
