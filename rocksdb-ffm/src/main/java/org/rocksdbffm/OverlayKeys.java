/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.read.ReadPath;
import org.rocksdbffm.internal.transaction.NativeOverlay;
import org.rocksdbffm.internal.write.WritePath;

/** The keys of one column family, with uncommitted writes. */
abstract sealed class OverlayKeys extends WritableKeys permits TransactionKeys, IndexedBatchKeys {
  // The transaction or batch itself, kept reachable while its keys are.
  final OverlayKeys whole;

  OverlayKeys(ReadPath source, ReadOptions readOptions, WritePath path, NativeOverlay overlay) {
    super(source, readOptions, path, overlay);
    this.whole = this;
  }

  OverlayKeys(OverlayKeys of, ReadPath source, ReadOptions readOptions, WritePath path) {
    super(source, readOptions, path, of.overlay);
    this.whole = of.whole;
  }

  /** Not supported: the engine has no range deletions in transactions and indexed batches. */
  @Override
  public void deleteRange(byte[] from, byte[] until) {
    throw noRanges(from, until);
  }

  /** Not supported: the engine has no range deletions in transactions and indexed batches. */
  @Override
  public void deleteRange(MemorySegment from, MemorySegment until) {
    throw noRanges(from, until);
  }

  private static UnsupportedOperationException noRanges(Object from, Object until) {
    requireNonNull(from, "from");
    requireNonNull(until, "until");
    return new UnsupportedOperationException(
        "deleteRange: the engine deletes no ranges in transactions and in batches with an index; scan the range, and delete "
            + "each key");
  }
}
