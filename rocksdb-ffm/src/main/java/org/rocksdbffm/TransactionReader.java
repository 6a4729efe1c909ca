/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import org.rocksdbffm.internal.call.Locking;
import org.rocksdbffm.internal.db.ReadMoment;
import org.rocksdbffm.internal.read.NativeReadOptions;
import org.rocksdbffm.internal.read.ReadPath;

/** Reads keys in a transaction with locks, or at its snapshot. */
final class TransactionReader extends KeyReader {
  // Keeps the transaction reachable.
  private final TransactionKeys keys;

  private final boolean atSnapshot;

  private TransactionReader(TransactionKeys keys, ReadPath source, Locking locking, boolean atSnapshot) {
    super(source, keys.readOptions, keys.transaction(), locking);
    this.keys = keys;
    this.atSnapshot = atSnapshot;
  }

  static TransactionReader locking(TransactionKeys keys, Locking locking) {
    return new TransactionReader(keys, keys.source, locking, false);
  }

  static TransactionReader atSnapshot(TransactionKeys keys) {
    NativeReadOptions options = new NativeReadOptions(keys.readOptions.settings);
    keys.transaction().setSnapshotIn(options.pointer());
    options.copyAt(keys.transaction().snapshot());
    return new TransactionReader(keys, ReadPath.of(keys.source.family(), options, null), Locking.NONE, true);
  }

  @Override
  public KeyReader with(ReadOptions options) {
    TransactionKeys others = keys.with(options);
    return atSnapshot ? atSnapshot(others) : locking(others, locking);
  }

  @Override
  ReadMoment moment() {
    return atSnapshot ? keys.transaction().snapshot() : null;
  }
}
