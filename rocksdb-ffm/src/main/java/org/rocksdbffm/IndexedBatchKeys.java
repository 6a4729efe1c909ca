/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.internal.read.ReadPath;
import org.rocksdbffm.internal.transaction.NativeIndexedBatch;
import org.rocksdbffm.internal.write.WritePath;

/**
 * The keys of one column family as an {@link IndexedBatch} has them: those of the database, and above them what the batch
 * has. Reads, scans and cursors see both.
 *
 * <p>A scan or a cursor may or may not see what is added while it is open, and is closed with the batch, and when that is
 * cleared or returns to a save point. It is used by one thread at a time, together with the batch.
 */
public sealed class IndexedBatchKeys extends OverlayKeys permits IndexedBatch {
  IndexedBatchKeys(ReadPath source, ReadOptions readOptions, WritePath path, NativeIndexedBatch batch) {
    super(source, readOptions, path, batch);
  }

  IndexedBatchKeys(IndexedBatchKeys of, ReadPath source, ReadOptions readOptions, WritePath path) {
    super(of, source, readOptions, path);
  }

  @Override
  public IndexedBatchKeys with(ReadOptions options) {
    return new IndexedBatchKeys(this, sourceWith(requireNonNull(options, "options")), options, path);
  }
}
