/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.util.concurrent.ConcurrentHashMap;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * The structs that the C API allocates around pointers. {@code org.rocksdb} stores the pointer itself, and destroying
 * the object needs the original struct, which is stored here. Other calls use a copy of the struct, from {@link
 * Scratch#wrap}.
 */
public final class Wrappers {
  private static final ConcurrentHashMap<Long, Long> WRAPPERS = new ConcurrentHashMap<>();

  private Wrappers() {}

  /** Stores a struct, and returns the pointer in it. */
  public static long keep(long wrapper) {
    long pointer = Memory.pointer(Memory.at(wrapper, Long.BYTES), 0);
    WRAPPERS.put(pointer, wrapper);
    return pointer;
  }

  /** Removes and returns the struct around a pointer, which the caller destroys. */
  public static long take(long pointer) {
    long wrapper = takeIfKept(pointer);
    if (wrapper == 0) {
      throw new IllegalStateException("nothing native is known at 0x" + Long.toHexString(pointer));
    }
    return wrapper;
  }

  /** Removes and returns the struct around a pointer; 0 if absent. */
  public static long takeIfKept(long pointer) {
    Long wrapper = WRAPPERS.remove(pointer);
    return wrapper == null ? 0 : wrapper;
  }
}
