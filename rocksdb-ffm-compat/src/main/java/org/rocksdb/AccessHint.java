/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdb;

import org.rocksdbffm.compat.older.LastIn;

/** The access pattern of files during a compaction, for an option that the engine has removed. */
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
