/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.call.Locking;
import org.rocksdbffm.internal.read.ReadPath;
import org.rocksdbffm.internal.transaction.NativeOverlay;
import org.rocksdbffm.internal.write.OverlayWrites;

/** The keys of one column family, with uncommitted writes. */
abstract sealed class OverlayKeys extends WritableKeys permits TransactionKeys, IndexedBatchKeys {
  final NativeOverlay overlay;

  // The transaction or batch itself, which stays reachable while this object is reachable.
  @SuppressWarnings({"unused", "FieldCanBeLocal"})
  private final OverlayKeys whole;

  /**
   * Creates the keys of a column family.
   *
   * @param keys determine the column family and the read options
   * @param whole the transaction or batch; null for the object that is created
   */
  OverlayKeys(NativeOverlay overlay, WritableKeys keys, OverlayKeys whole) {
    super(
        ReadPath.of(keys.source.family(), keys.source.options(), overlay, Locking.NONE),
        keys.readOptions,
        new OverlayWrites(keys.source.family(), keys.source.options(), overlay));
    this.overlay = overlay;
    this.whole = whole == null ? this : whole;
  }

  /** Creates the same keys with other read options. */
  OverlayKeys(OverlayKeys keys, ReadOptions options) {
    super(keys.sourceWith(options), options, keys.path);
    this.overlay = keys.overlay;
    this.whole = keys.whole;
  }

  /** Not supported: the engine has no range deletions in transactions and indexed batches. */
  @Override
  public void deleteRange(KeyRange range) {
    super.deleteRange(requireNonNull(range, "range").in(source.family().rules()));
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
