/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.reopen;

import java.util.Arrays;
import java.util.Comparator;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyOrder;

/** A comparator of a column family. */
enum Order {
  BYTEWISE,
  REVERSE,
  IN_JAVA;

  FamilyOptions in(FamilyOptions options) {
    return switch (this) {
      case BYTEWISE -> options.keyOrder(KeyOrder.BYTEWISE);
      case REVERSE -> options.keyOrder(KeyOrder.REVERSE_BYTEWISE);
      case IN_JAVA -> options.keyOrder("torture.reverse", (a, b) -> Arrays.compareUnsigned(b.toArray(), a.toArray()));
    };
  }

  Comparator<byte[]> comparator() {
    return this == BYTEWISE ? Arrays::compareUnsigned : (a, b) -> Arrays.compareUnsigned(b, a);
  }
}
