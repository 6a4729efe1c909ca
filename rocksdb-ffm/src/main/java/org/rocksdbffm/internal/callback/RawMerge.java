/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

import org.rocksdbffm.internal.foreign.Memory;

/** Merges values by their addresses; called by any thread, the engine's own among them. */
public interface RawMerge {
  /** A value that is not there has the address 0; null says that these cannot be merged. */
  byte[] merge(CallbackFrame frame, long key, long keySize, long value, long valueSize, Operands operands);

  /** One operand that stands for several; null says that there is none. */
  byte[] combine(CallbackFrame frame, long key, long keySize, Operands operands);

  /** Arrays of the engine's, of pointers and of sizes. */
  record Operands(long pointers, long sizes, int count) {
    public long address(int index) {
      return Memory.longAt(pointers + (long) index * Long.BYTES);
    }

    public long size(int index) {
      return Memory.longAt(sizes + (long) index * Long.BYTES);
    }
  }
}
