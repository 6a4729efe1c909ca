/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.util.concurrent.ConcurrentHashMap;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * The structs that the C API made around pointers: it gives a struct with a pointer in it where {@code org.rocksdb} has
 * the pointer itself, and wants that very struct back to destroy the two. For anything in between a copy of the struct
 * does, which {@link Scratch#wrap} makes.
 */
public final class Wrappers {
  private static final ConcurrentHashMap<Long, Long> WRAPPERS = new ConcurrentHashMap<>();

  private Wrappers() {}

  /** Keeps what the C API gave, and returns the pointer in it. */
  public static long keep(long wrapper) {
    long pointer = Memory.pointer(Memory.at(wrapper, Long.BYTES), 0);
    WRAPPERS.put(pointer, wrapper);
    return pointer;
  }

  /** Removes the struct around the pointer, to be destroyed. */
  public static long take(long pointer) {
    long wrapper = takeIfKept(pointer);
    if (wrapper == 0) {
      throw new IllegalStateException("nothing native is known at 0x" + Long.toHexString(pointer));
    }
    return wrapper;
  }

  /** Removes the struct around the pointer; 0 if there is none. */
  public static long takeIfKept(long pointer) {
    Long wrapper = WRAPPERS.remove(pointer);
    return wrapper == null ? 0 : wrapper;
  }
}
