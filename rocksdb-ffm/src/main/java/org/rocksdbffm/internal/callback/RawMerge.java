/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

import org.rocksdbffm.internal.foreign.Memory;

/** A merge operator by address; called by any thread, including the engine's. */
public interface RawMerge {
  /** Merges operands into a value, whose address is 0 if it is missing. Returns null if they cannot be merged. */
  byte[] merge(CallbackFrame frame, long key, long keySize, long value, long valueSize, Operands operands);

  /** Combines operands into one; returns null if that is not possible. */
  byte[] combine(CallbackFrame frame, long key, long keySize, Operands operands);

  /** The engine's arrays of operand pointers and sizes. */
  record Operands(long pointers, long sizes, int count) {
    public long address(int index) {
      return Memory.longAt(pointers + (long) index * Long.BYTES);
    }

    public long size(int index) {
      return Memory.longAt(sizes + (long) index * Long.BYTES);
    }
  }
}
