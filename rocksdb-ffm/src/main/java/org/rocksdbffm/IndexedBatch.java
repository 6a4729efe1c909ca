/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.ref.Reference;
import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.read.ReadPath;
import org.rocksdbffm.internal.transaction.NativeIndexedBatch;
import org.rocksdbffm.internal.write.NativeWriteOptions;
import org.rocksdbffm.internal.write.WritePath;

/**
 * Writes that are collected, and read above the database, until they are written together or not at all. The batch itself
 * has the keys of the default column family; {@link #in} gives those of another.
 *
 * <pre>{@code
 * try (IndexedBatch batch = db.indexedBatch()) {
 *   batch.put(key, value);
 *   batch.get(key); // the value
 *   batch.write();
 * }
 * }</pre>
 *
 * <p>It has no locks, and looks for no conflicts: a {@link Transaction} does. A {@link WriteBatch} is for writes that are not
 * read before; it needs no closing, and takes less time.
 *
 * <p>It is used by one thread at a time, which may change: two at once are refused. Its owner closes it; the close of the
 * database does so at the latest.
 */
public final class IndexedBatch extends IndexedBatchKeys implements AutoCloseable {
  private final NativeIndexedBatch batch;
  private final LeakWatch watch;

  IndexedBatch(ReadPath source, WritePath path, NativeIndexedBatch made) {
    super(source, ReadOptions.defaults(), path, made);
    this.batch = made;
    this.watch = LeakWatch.over(this, made);
  }

  /**
   * The keys of another column family.
   *
   * @param columnFamily of the same database
   * @return its keys with this batch above them, which need no closing
   */
  public IndexedBatchKeys in(ColumnFamily columnFamily) {
    if (requireNonNull(columnFamily, "columnFamily").database() != batch.database()) {
      throw new IllegalArgumentException(
          "columnFamily: " + columnFamily + " is not of " + batch.database().handle());
    }
    return new IndexedBatchKeys(this, columnFamily.source, columnFamily.readOptions, columnFamily.path);
  }

  /**
   * Typed keys with what the batch has.
   *
   * @param keys of the same database
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @return the keys with this batch above them, which need no closing
   */
  public <K, V> TypedKeys<K, V> in(TypedKeys<K, V> keys) {
    WritableKeys its = requireNonNull(keys, "keys").keys();
    if (its.source.database() != batch.database()) {
      throw new IllegalArgumentException("keys: they are not of " + batch.database().handle());
    }
    return keys.of(new IndexedBatchKeys(this, its.source, its.readOptions, its.path));
  }

  /** Writes all to the database, or nothing. The batch stays as it is. */
  public void write() {
    write(WriteOptions.defaults());
  }

  /**
   * Writes all to the database, or nothing. The batch stays as it is.
   *
   * @param options how
   */
  public void write(WriteOptions options) {
    NativeWriteOptions its = requireNonNull(options, "options").toNative();
    try {
      batch.write(its.pointer(), its.isUnlogged());
    } finally {
      Reference.reachabilityFence(its);
    }
  }

  /** Removes all, with the save points, and closes the scans and cursors of the batch. */
  public void clear() {
    batch.clear();
  }

  /**
   * How many operations the batch has.
   *
   * @return the count
   */
  public int count() {
    return batch.count();
  }

  /** Marks a point that {@link #rollbackToSavePoint} returns to. Save points nest. */
  public void setSavePoint() {
    batch.setSavePoint();
  }

  /** Removes what was added since the last save point, and that; closes the scans and cursors of the batch. */
  public void rollbackToSavePoint() {
    batch.rollbackToSavePoint();
  }

  /** Removes the last save point, and keeps what was added. */
  public void popSavePoint() {
    batch.popSavePoint();
  }

  /** Does without the batch; idempotent, from any thread: what another thread does with it is waited for. */
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
