/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.order;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.rocksdbffm.internal.foreign.Memory;

/** Keys in messages: the first bytes, in hexadecimal digits. */
public final class ShownKey {
  private static final int MOST = 16;

  private ShownKey() {}

  public static String of(byte[] key) {
    return of(MemorySegment.ofArray(key), key.length);
  }

  public static String of(long key, long size) {
    return of(Memory.at(key, size), size);
  }

  public static String of(MemorySegment key, long size) {
    byte[] first = key.asSlice(0, Math.min(size, MOST)).toArray(ValueLayout.JAVA_BYTE);
    return "0x" + HexFormat.of().formatHex(first) + (size > MOST ? "... of " + size + " bytes" : "");
  }
}
