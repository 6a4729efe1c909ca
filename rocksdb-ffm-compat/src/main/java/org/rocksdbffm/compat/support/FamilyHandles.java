/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.foreign.Memory;

/** Reads the name and ID of a column family from its handle. */
public final class FamilyHandles {
  private FamilyHandles() {}

  public static byte[] name(long family) {
    Call call = Scratch.enter();
    try {
      long name = rocksdb_column_family_handle_get_name(Scratch.wrap(call, 0, family), call.sizeCell.address());
      try {
        return Memory.toArray(name, call.sizeInCell());
      } finally {
        rocksdb_free(name);
      }
    } finally {
      call.exit();
    }
  }

  /** Returns the family's ID in its database. */
  public static int number(long family) {
    Call call = Scratch.enter();
    try {
      return rocksdb_column_family_handle_get_id(Scratch.wrap(call, 0, family));
    } finally {
      call.exit();
    }
  }

  private static native void rocksdb_free(long memory);

  private static native int rocksdb_column_family_handle_get_id(long family);

  private static native long rocksdb_column_family_handle_get_name(long family, long length);
}
