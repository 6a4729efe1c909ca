/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.ref.Reference;
import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.transaction.NativeIndexedBatch;
import org.rocksdbffm.internal.write.NativeWriteOptions;

/**
 * Writes that are collected, and visible to reads through the batch, until they are written atomically. The batch
 * itself has the keys of the default column family; {@link #in} returns keys of another one.
 *
 * <pre>{@code
 * try (IndexedBatch batch = db.indexedBatch()) {
 *   batch.put(key, value);
 *   batch.get(key); // the value
 *   batch.write();
 * }
 * }</pre>
 *
 * <p>It takes no locks, and detects no conflicts: use a {@link Transaction} for that. For writes that are not read
 * before, a {@link WriteBatch} is faster, and needs no closing.
 *
 * <p>Used by one thread at a time, which may change; concurrent use is refused. Its owner closes it; the database
 * closes it at the latest.
 */
public final class IndexedBatch extends IndexedBatchKeys implements AutoCloseable {
  private final NativeIndexedBatch batch;
  private final LeakWatch watch;

  IndexedBatch(RocksDb db, NativeIndexedBatch made) {
    super(made, db, null);
    this.batch = made;
    this.watch = LeakWatch.over(this, made);
  }

  /**
   * Returns the keys of another column family in this batch.
   *
   * @param columnFamily of the same database
   * @return the keys, which need no closing
   * @throws IllegalArgumentException if the argument belongs to another database
   */
  public IndexedBatchKeys in(ColumnFamily columnFamily) {
    requireNonNull(columnFamily, "columnFamily").sourceOf(batch.database(), "columnFamily");
    return new IndexedBatchKeys(batch, columnFamily, this);
  }

  /**
   * Returns typed keys in this batch.
   *
   * @param keys of the same database
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @return the keys, which need no closing
   * @throws IllegalArgumentException if the argument belongs to another database
   */
  public <K, V> TypedKeys<K, V> in(TypedKeys<K, V> keys) {
    WritableKeys untyped = requireNonNull(keys, "keys").keys();
    untyped.sourceOf(batch.database(), "keys");
    return keys.of(new IndexedBatchKeys(batch, untyped, this));
  }

  /**
   * Writes the batch to the database atomically. The batch is unchanged.
   *
   * @throws RocksDbException if the engine fails, or the database is read-only (NOT_SUPPORTED)
   * @throws IllegalStateException if the batch or the database is closed
   */
  public void write() {
    write(WriteOptions.defaults());
  }

  /**
   * Writes the batch to the database atomically. The batch is unchanged.
   *
   * @param options options of the write
   * @throws RocksDbException if the engine fails, or the database is read-only (NOT_SUPPORTED)
   * @throws IllegalStateException if the batch or the database is closed
   */
  public void write(WriteOptions options) {
    NativeWriteOptions writeOptions = requireNonNull(options, "options").toNative();
    try {
      batch.write(writeOptions.pointer(), writeOptions.isUnlogged());
    } finally {
      Reference.reachabilityFence(writeOptions);
    }
  }

  /** Removes all operations and save points, and closes the batch's scans and cursors. */
  public void clear() {
    batch.clear();
  }

  /**
   * Returns the number of operations in the batch.
   *
   * @return the count
   */
  public int count() {
    return batch.count();
  }

  /** Sets a save point for {@link #rollbackToSavePoint}. Save points nest. */
  public void setSavePoint() {
    batch.setSavePoint();
  }

  /**
   * Removes the operations since the last save point, and the save point; closes the batch's scans and cursors.
   *
   * @throws IllegalStateException if there is no save point, or the batch is closed
   */
  public void rollbackToSavePoint() {
    batch.rollbackToSavePoint();
  }

  /**
   * Removes the last save point, and keeps the operations.
   *
   * @throws IllegalStateException if there is no save point, or the batch is closed
   */
  public void popSavePoint() {
    batch.popSavePoint();
  }

  /** Discards the batch; idempotent, from any thread. Waits for an operation of another thread. */
  @Override
  public void close() {
    batch.close();
    watch.end();
  }

  @Override
  public String toString() {
    return batch.name();
  }
}
