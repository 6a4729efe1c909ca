/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import org.rocksdbffm.internal.call.Locking;
import org.rocksdbffm.internal.db.ReadPoint;
import org.rocksdbffm.internal.read.NativeReadOptions;
import org.rocksdbffm.internal.read.ReadPath;

/** Reads keys in a transaction with locks, or at its snapshot. */
final class TransactionReader extends KeyReader {
  // Keeps the transaction reachable.
  private final TransactionKeys keys;

  private final Locking locking;
  private final boolean atSnapshot;

  private TransactionReader(TransactionKeys keys, NativeReadOptions options, Locking locking, boolean atSnapshot) {
    super(ReadPath.of(keys.source.family(), options, keys.transaction(), locking), keys.readOptions, null);
    this.keys = keys;
    this.locking = locking;
    this.atSnapshot = atSnapshot;
  }

  static TransactionReader locking(TransactionKeys keys, Locking locking) {
    return new TransactionReader(keys, keys.source.options(), locking, false);
  }

  static TransactionReader atSnapshot(TransactionKeys keys) {
    NativeReadOptions options = new NativeReadOptions(keys.readOptions.settings);
    keys.transaction().setSnapshotIn(options.pointer());
    options.copyAt(keys.transaction().snapshot());
    return new TransactionReader(keys, options, Locking.NONE, true);
  }

  @Override
  public KeyReader with(ReadOptions options) {
    TransactionKeys others = keys.with(options);
    return atSnapshot ? atSnapshot(others) : locking(others, locking);
  }

  @Override
  void requireRanges(String what) {
    if (locking != Locking.NONE) {
      throw new UnsupportedOperationException(
          what + ": the engine locks single keys, and no ranges; scan the transaction, and lock each key that matters");
    }
  }

  @Override
  ReadPoint point() {
    return atSnapshot ? keys.transaction().snapshot() : null;
  }
}
