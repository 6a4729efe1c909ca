/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rocksdbffm.internal.foreign.Memory;

/** Strings and arrays of strings for C. */
public final class Text {
  private Text() {}

  /** Whether a name contains a NUL, at which a C string ends. */
  public static boolean hasNul(byte[]... names) {
    for (byte[] name : names) {
      for (byte b : name) {
        if (b == 0) {
          return true;
        }
      }
    }
    return false;
  }

  /** Converts a name to a C string; throws if it contains a NUL. */
  static MemorySegment ofName(byte[] name, Arena arena) {
    if (hasNul(name)) {
      throw new IllegalArgumentException("a name has a NUL in it, where it would end: " + new String(name));
    }
    MemorySegment text = arena.allocate(name.length + 1L);
    MemorySegment.copy(name, 0, text, ValueLayout.JAVA_BYTE, 0, name.length);
    return text;
  }

  /** Converts names to an array of C strings. */
  public static MemorySegment ofNames(byte[][] names, Arena arena) {
    MemorySegment pointers = arena.allocate(ValueLayout.JAVA_LONG, Math.max(1, names.length));
    for (int i = 0; i < names.length; i++) {
      pointers.setAtIndex(ValueLayout.JAVA_LONG, i, ofName(names[i], arena).address());
    }
    return pointers;
  }

  /** Converts paths to an array of C strings. */
  public static MemorySegment ofPaths(String[] paths, Arena arena) {
    MemorySegment pointers = arena.allocate(ValueLayout.JAVA_LONG, Math.max(1, paths.length));
    for (int i = 0; i < paths.length; i++) {
      pointers.setAtIndex(ValueLayout.JAVA_LONG, i, ofPath(paths[i], arena).address());
    }
    return pointers;
  }

  public static MemorySegment ofPath(String path, Arena arena) {
    return Memory.string(path, arena);
  }

  /** Reads and frees a C string. */
  public static String take(long address) {
    return org.rocksdbffm.internal.call.Status.takeText(address);
  }
}
