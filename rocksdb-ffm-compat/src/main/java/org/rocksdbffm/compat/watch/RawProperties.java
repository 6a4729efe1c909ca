/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.watch;

import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.compat.support.Text;
import org.rocksdbffm.internal.call.Call;

/** Reads properties by pointers that a call keeps open. Pointer 0 represents the default column family. */
final class RawProperties {
  private RawProperties() {}

  /** Returns the value of a property; null if the engine does not know the property. */
  static String text(Call call, long pointer, long family, String property) {
    long db = Scratch.wrap(call, 0, pointer);
    long name = Scratch.text(call, property);
    long text =
        family == 0
            ? rocksdb_property_value(db, name)
            : rocksdb_property_value_cf(db, Scratch.wrap(call, 2, family), name);
    return text == 0 ? null : Text.take(text);
  }

  private static native long rocksdb_property_value(long db, long property);

  private static native long rocksdb_property_value_cf(long db, long family, long property);
}
