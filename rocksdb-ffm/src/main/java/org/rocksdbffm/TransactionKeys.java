/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.call.Locking;
import org.rocksdbffm.internal.read.ReadPath;
import org.rocksdbffm.internal.transaction.NativeTransaction;
import org.rocksdbffm.internal.write.WritePath;

/**
 * The keys of one column family as a transaction sees them: what is committed, and above it what the transaction itself
 * has written. Reads, scans and cursors see both; writes are seen by others when the transaction is committed.
 *
 * <p>Values are pinned as everywhere: what is committed stays where the engine has it, and outlives the transaction.
 * Values that the transaction has written are copied.
 *
 * <p>A scan or a cursor may or may not see what is written while it is open, and is closed with the transaction, and when
 * that returns to a save point. It is used by one thread at a time, together with the transaction.
 */
public sealed class TransactionKeys extends OverlayKeys permits Transaction {
  TransactionKeys(ReadPath source, ReadOptions readOptions, WritePath path, NativeTransaction transaction) {
    super(source, readOptions, path, transaction);
  }

  TransactionKeys(TransactionKeys of, ReadPath source, ReadOptions readOptions, WritePath path) {
    super(of, source, readOptions, path);
  }

  final NativeTransaction transaction() {
    return (NativeTransaction) overlay;
  }

  @Override
  public TransactionKeys with(ReadOptions options) {
    return new TransactionKeys(this, sourceWith(requireNonNull(options, "options")), options, path);
  }

  /**
   * Reads the same keys, and locks each for update before it is read: nobody else can lock or write it until this
   * transaction ends. An optimistic transaction locks nothing, and finds out when it is committed whether others have
   * written it.
   *
   * <p>It has all forms of reading single keys and many, and no scans and cursors: the engine locks no ranges.
   *
   * @return a reader that needs no closing
   */
  public KeyReader forUpdate() {
    return TransactionReader.locking(this, Locking.FOR_UPDATE);
  }

  /**
   * Reads the same keys, and locks each against writes before it is read: others can lock it in the same way. Otherwise as
   * {@link #forUpdate}.
   *
   * @return a reader that needs no closing
   */
  public KeyReader toShare() {
    return TransactionReader.locking(this, Locking.TO_SHARE);
  }

  /**
   * Reads the same keys as they were when the transaction began, and above that what it has written itself. Reads of the
   * transaction see otherwise what others have committed by then.
   *
   * @return a reader that needs no closing
   * @throws IllegalStateException if the transaction was begun without {@link TransactionOptions#snapshot}
   */
  public KeyReader atSnapshot() {
    return TransactionReader.atSnapshot(this);
  }

  /**
   * Locks a key for update, and reads it; short for a {@code get} of {@link #forUpdate}.
   *
   * @param key borrowed
   * @return the value, or null if there is no such key, which is locked all the same
   */
  public byte[] getForUpdate(byte[] key) {
    requireNonNull(key, "key");
    return source.bytes(source.enter(overlay, Locking.FOR_UPDATE).withKey(key));
  }

  /**
   * Locks a key for update, and reads it; short for a {@code get} of {@link #forUpdate}.
   *
   * @param key borrowed
   * @return the value, or null if there is no such key, which is locked all the same
   */
  public byte[] getForUpdate(MemorySegment key) {
    requireNonNull(key, "key");
    return source.bytes(source.enter(overlay, Locking.FOR_UPDATE).withKey(key));
  }
}
