/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdb;

import org.rocksdbffm.compat.older.LastIn;

/** The pattern in which a compaction reads its files, of an option that the engine has no more. */
@Deprecated
@LastIn("8.8.1")
public enum AccessHint {
  NONE,
  NORMAL,
  SEQUENTIAL,
  WILLNEED;

  public byte getValue() {
    return (byte) ordinal();
  }

  public static AccessHint getAccessHint(byte value) {
    if (value < 0 || value > WILLNEED.ordinal()) {
      throw new IllegalArgumentException("there is no AccessHint " + value);
    }
    return values()[value];
  }
}
