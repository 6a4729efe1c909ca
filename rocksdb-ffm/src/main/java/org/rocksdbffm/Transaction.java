/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.read.ReadPath;
import org.rocksdbffm.internal.transaction.NativeTransaction;
import org.rocksdbffm.internal.write.WritePath;

/**
 * Reads and writes that take effect together or not at all, whatever others do meanwhile. The transaction itself has the
 * keys of the default column family; {@link #in} gives those of another.
 *
 * <pre>{@code
 * try (Transaction transaction = db.begin()) {
 *   long balance = decode(transaction.getForUpdate(account));
 *   transaction.put(account, encode(balance - amount));
 *   transaction.commit();
 * }
 * }</pre>
 *
 * <p>A transaction of a {@link TransactionDb} locks what it writes, and what it reads {@linkplain #forUpdate for update},
 * until it ends. One of an {@link OptimisticTransactionDb} locks nothing: its commit fails if others have written such a
 * key since. {@link TransactionalDb#callInTransaction} tries again where either fails.
 *
 * <p>It is used by one thread at a time, which may change: two at once are refused. Its owner ends it by a commit or
 * a rollback, or closes it, which rolls it back; so does the close of the database. A method that throws leaves it as it
 * was, with the locks that it had taken by then.
 */
public final class Transaction extends TransactionKeys implements AutoCloseable {
  private final TransactionalDb db;
  private final LeakWatch watch;

  Transaction(TransactionalDb db, ReadPath source, WritePath path, NativeTransaction begun) {
    super(source, ReadOptions.defaults(), path, begun);
    this.db = db;
    this.watch = LeakWatch.over(this, begun);
  }

  /**
   * The keys of another column family.
   *
   * @param columnFamily of the same database
   * @return its keys as this transaction sees them, which need no closing
   */
  public TransactionKeys in(ColumnFamily columnFamily) {
    if (requireNonNull(columnFamily, "columnFamily").database() != transaction().database()) {
      throw new IllegalArgumentException("columnFamily: " + columnFamily + " is not of " + db);
    }
    return new TransactionKeys(this, columnFamily.source, columnFamily.readOptions, columnFamily.path);
  }

  /**
   * Typed keys as this transaction sees them.
   *
   * @param keys of the same database
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @return the keys with this transaction above them, which need no closing
   */
  public <K, V> TypedKeys<K, V> in(TypedKeys<K, V> keys) {
    WritableKeys its = requireNonNull(keys, "keys").keys();
    if (its.source.database() != transaction().database()) {
      throw new IllegalArgumentException("keys: they are not of " + db);
    }
    return keys.of(new TransactionKeys(this, its.source, its.readOptions, its.path));
  }

  /**
   * Reads typed keys, and locks each for update before it is read, as {@link #forUpdate()} does.
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
   * Makes all changes, and ends the transaction. If it throws, none were made; where the engine could not say so
   * ({@link RocksDbException.Code#IO_ERROR}), the database refuses writes until it is opened again, which settles it.
   *
   * <p>A transaction of a {@link TransactionDb} whose commit fails has lost its changes and locks, and is at its end too,
   * unless it is prepared, or has expired.
   */
  public void commit() {
    transaction().commit();
    watch.end();
  }

  /** Undoes all changes, and ends the transaction. Does nothing where a commit that failed has ended it. */
  public void rollback() {
    transaction().rollback();
    watch.end();
  }

  /**
   * The first half of a commit in two phases, for a coordinator of several databases: writes all changes to the log, so
   * that they can be committed whatever happens. From now on the transaction takes no changes and no save points, with an
   * {@link IllegalStateException}, for the log would not have them; it ends by {@link #commit} or {@link #rollback} alone:
   * a {@link #close} gives it back to the database, and {@link TransactionDb#prepared} finds it there, also after the
   * process has ended. Until then it keeps its locks, and a close of the database waits for calls that wait for these, as
   * long as their timeout lets them. One whose {@link WriteOptions} leave out the log is refused.
   *
   * @param name by which it is known until it ends; at most 512 bytes, and no other of the database has it
   */
  public void prepare(String name) {
    requireNonNull(name, "name");
    if (!(db instanceof TransactionDb)) {
      throw new UnsupportedOperationException("prepare: an optimistic transaction has but one phase; commit it");
    }
    transaction().prepare(name);
  }

  /**
   * The name under which it was {@linkplain #prepare prepared}.
   *
   * @return the name, if it was
   */
  public Optional<String> preparedName() {
    return transaction().isPrepared() ? Optional.of(transaction().preparedName()) : Optional.empty();
  }

  /** Marks a point that {@link #rollbackToSavePoint} returns to. Save points nest. */
  public void setSavePoint() {
    transaction().setSavePoint();
  }

  /**
   * Undoes the changes since the last save point, lets go of what was locked since, and removes the save point. Closes the
   * scans and cursors of the transaction.
   */
  public void rollbackToSavePoint() {
    transaction().rollbackToSavePoint();
  }

  /** Removes the last save point, and keeps the changes. */
  public void popSavePoint() {
    transaction().popSavePoint();
  }

  /**
   * Whether it can still be used.
   *
   * @return false once it was committed, rolled back or closed, or has lost its changes by a {@link #commit} that
   *     failed
   */
  public boolean isOpen() {
    return !transaction().hasEnded();
  }

  /**
   * Rolls the transaction back, unless it has ended; gives it back to the database if it is {@linkplain #prepare
   * prepared}. Idempotent, from any thread: what another thread does with it is waited for.
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
