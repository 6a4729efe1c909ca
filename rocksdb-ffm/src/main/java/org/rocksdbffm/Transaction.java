/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.transaction.NativeTransaction;

/**
 * Reads and writes that take effect atomically, isolated from others. The transaction itself has the keys of the
 * default column family; {@link #in} returns keys of another one.
 *
 * <pre>{@code
 * try (Transaction transaction = db.begin()) {
 *   long balance = decode(transaction.getForUpdate(account));
 *   transaction.put(account, encode(balance - amount));
 *   transaction.commit();
 * }
 * }</pre>
 *
 * <p>A transaction of a {@link TransactionDb} locks the keys that it writes, and the keys that it reads
 * {@linkplain #forUpdate for update}, until it ends. A transaction of an {@link OptimisticTransactionDb} takes no
 * locks: its commit fails if others have written such a key since. {@link TransactionalDb#callInTransaction} tries
 * again in both cases.
 *
 * <p>Used by one thread at a time, which may change; concurrent use is refused. Its owner ends it by a commit or
 * rollback, or closes it, which rolls it back, as the close of the database does. If a method throws, the transaction
 * is unchanged, except for locks that were taken.
 */
public final class Transaction extends TransactionKeys implements AutoCloseable {
  private final TransactionalDb db;
  private final LeakWatch watch;

  Transaction(TransactionalDb db, NativeTransaction started) {
    super(started, db, null);
    this.db = db;
    this.watch = LeakWatch.over(this, started);
  }

  /**
   * Returns the keys of another column family in this transaction.
   *
   * @param columnFamily of the same database
   * @return the keys, which need no closing
   * @throws IllegalArgumentException if the argument belongs to another database
   */
  public TransactionKeys in(ColumnFamily columnFamily) {
    requireNonNull(columnFamily, "columnFamily").sourceOf(transaction().database(), "columnFamily");
    return new TransactionKeys(transaction(), columnFamily, this);
  }

  /**
   * Returns typed keys in this transaction.
   *
   * @param keys of the same database
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @return the keys, which need no closing
   * @throws IllegalArgumentException if the argument belongs to another database
   */
  public <K, V> TypedKeys<K, V> in(TypedKeys<K, V> keys) {
    WritableKeys untyped = requireNonNull(keys, "keys").keys();
    untyped.sourceOf(transaction().database(), "keys");
    return keys.of(new TransactionKeys(transaction(), untyped, this));
  }

  /**
   * Returns a reader of typed keys that locks each key for update before it reads it, as {@link #forUpdate()} does.
   *
   * @param keys of the same database
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @return a reader that needs no closing
   */
  public <K, V> TypedReader<K, V> forUpdate(TypedKeys<K, V> keys) {
    return keys.of(((TransactionKeys) in(keys).keys()).forUpdate());
  }

  /**
   * Commits the changes, and ends the transaction. If this throws, nothing was changed; if the engine cannot know that
   * ({@link RocksDbException.Code#IO_ERROR}), the database refuses writes until it is opened again, which decides it.
   *
   * <p>If the commit of a {@link TransactionDb} fails, the transaction has lost its changes and locks, and has ended
   * too, unless it is prepared or expired.
   *
   * @throws RocksDbException if the transaction conflicts with others (BUSY, TRY_AGAIN), or the engine fails
   * @throws IllegalStateException if the transaction has ended
   */
  public void commit() {
    transaction().commit();
    watch.end();
  }

  /**
   * Rolls back the changes, and ends the transaction. Does nothing if a failed commit has ended it.
   *
   * @throws RocksDbException if the rollback of a prepared transaction fails
   * @throws IllegalStateException if the transaction has ended otherwise
   */
  public void rollback() {
    transaction().rollback();
    watch.end();
  }

  /**
   * Prepares the transaction, as the first phase of a two-phase commit for a coordinator of several databases: writes
   * all changes to the WAL, so that they can be committed later in any case. From then on the transaction refuses
   * changes and save points with an {@link IllegalStateException}, because the WAL would not contain them; it ends only
   * by {@link #commit} or {@link #rollback}: a {@link #close} returns it to the database, where
   * {@link TransactionDb#prepared} finds it, also after the end of the process. Until then it keeps its locks, and a
   * close of the database waits for calls that wait for these, up to their timeout. Refused if its {@link WriteOptions}
   * disable the WAL.
   *
   * @param name identifies the transaction until it ends; at most 512 bytes, and unique in the database
   * @throws IllegalArgumentException if the name has half of a surrogate pair
   * @throws UnsupportedOperationException if the transaction is optimistic
   * @throws RocksDbException if the engine fails, or the name is in use
   * @throws IllegalStateException if the transaction has ended, is prepared, or disables the WAL
   */
  public void prepare(String name) {
    requireNonNull(name, "name");
    if (!(db instanceof TransactionDb)) {
      throw new UnsupportedOperationException("prepare: an optimistic transaction has but one phase; commit it");
    }
    transaction().prepare(Views.utf8("name", name));
  }

  /**
   * Returns the name under which the transaction was {@linkplain #prepare prepared}.
   *
   * @return the name; empty if it is not prepared
   */
  public Optional<String> preparedName() {
    return transaction().isPrepared() ? Optional.of(transaction().preparedName()) : Optional.empty();
  }

  /**
   * Sets a save point for {@link #rollbackToSavePoint}. Save points nest.
   *
   * @throws IllegalStateException if the transaction has ended or is prepared
   */
  public void setSavePoint() {
    transaction().setSavePoint();
  }

  /**
   * Rolls back the changes since the last save point, releases the locks taken since, and removes the save point.
   * Closes the transaction's scans and cursors.
   *
   * @throws IllegalStateException if there is no save point, or the transaction has ended or is prepared
   */
  public void rollbackToSavePoint() {
    transaction().rollbackToSavePoint();
  }

  /**
   * Removes the last save point, and keeps the changes.
   *
   * @throws IllegalStateException if there is no save point, or the transaction has ended or is prepared
   */
  public void popSavePoint() {
    transaction().popSavePoint();
  }

  /**
   * Returns whether the transaction has not ended.
   *
   * @return false after it was committed, rolled back or closed, or after a failed {@link #commit} that has lost its
   *     changes
   */
  public boolean isOpen() {
    return !transaction().hasEnded();
  }

  /**
   * Rolls the transaction back unless it has ended; returns it to the database if it is {@linkplain #prepare prepared}.
   * Idempotent, from any thread: waits for an operation of another thread.
   */
  @Override
  public void close() {
    transaction().close();
    watch.end();
  }

  boolean isCommitted() {
    return transaction().isCommitted();
  }

  @Override
  public String toString() {
    return transaction().name();
  }
}
