/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.internal.transaction.NativeIndexedBatch;

/**
 * The keys of one column family in an {@link IndexedBatch}: reads, scans and cursors see the rows of the database and
 * the operations of the batch.
 *
 * <p>A scan or cursor may or may not see operations that are added while it is open. It is closed with the batch, and
 * when the batch is cleared or rolled back to a save point. Used by one thread at a time, together with the batch.
 */
public sealed class IndexedBatchKeys extends OverlayKeys permits IndexedBatch {
  IndexedBatchKeys(NativeIndexedBatch batch, WritableKeys keys, IndexedBatch whole) {
    super(batch, keys, whole);
  }

  private IndexedBatchKeys(IndexedBatchKeys keys, ReadOptions options) {
    super(keys, options);
  }

  @Override
  public IndexedBatchKeys with(ReadOptions options) {
    return new IndexedBatchKeys(this, requireNonNull(options, "options"));
  }
}
