/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.order;

import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdbffm.internal.callback.CallbackFrame;
import org.rocksdbffm.internal.foreign.Memory;

/** A sample of the keys that a comparator has seen, in their order, with which others have to fit in. Thread-safe. */
final class KeySample {
  private static final int MOST = 32;
  private static final long LONGEST = 1 << 16;

  private final ConsistentKeys row;
  private final AtomicBoolean busy = new AtomicBoolean();
  private int leaving = 1;

  KeySample(CheckedComparator order) {
    row = new ConsistentKeys(order);
  }

  /** Has a key join them, not while another does, and not one that is very long; throws if it does not fit in. */
  void hear(CallbackFrame frame, long key, long size) {
    if (size > LONGEST || !busy.compareAndSet(false, true)) {
      return;
    }
    try {
      row.add(frame, Memory.toArray(key, size));
      if (row.size() > MOST) {
        row.remove(leaving); // not the outermost: an order goes wrong first between keys that are far apart
        leaving = 1 + leaving % (MOST - 1);
      }
    } finally {
      busy.set(false);
    }
  }
}
