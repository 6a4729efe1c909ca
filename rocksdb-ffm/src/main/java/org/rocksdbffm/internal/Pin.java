/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.c.RocksDbC;

/**
 * A value that the engine keeps where it lies until the pin is released, which its owner does exactly
 * once, on any thread.
 *
 * @param database what the pin keeps open in the engine
 * @param address where the value is
 * @param size how many bytes it has
 * @param pointer the engine's pin; 0 for an empty value, which needs none
 */
public record Pin(Database database, long address, long size, long pointer) {

  /** Ends the pin, and with it all memory that views of it show. */
  public void release() {
    if (pointer != 0) {
      RocksDbC.rocksdb_pinnableslice_destroy(MemorySegment.ofAddress(pointer));
    }
    database.unpinned();
  }

  /** The value's bytes, read-only, until the arena is closed, which the owner does before it releases. */
  public MemorySegment view(Arena arena) {
    return Memory.view(address, size, arena, null);
  }
}
