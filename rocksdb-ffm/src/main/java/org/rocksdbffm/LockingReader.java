/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import org.rocksdbffm.internal.call.Locking;

/** Reads keys within a transaction, and locks them before. */
final class LockingReader extends Reader {
  // Held, so that the transaction is not forgotten while this is used.
  private final TransactionKeys keys;

  LockingReader(TransactionKeys keys, Locking locking) {
    super(keys.source, keys.readOptions, keys.transaction, locking);
    this.keys = keys;
  }

  @Override
  public Reader with(ReadOptions options) {
    return new LockingReader(keys.with(options), locking);
  }
}
